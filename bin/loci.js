#!/usr/bin/env node
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';

const program = new URL('../dist/cli.js', import.meta.url);

if (existsSync(program)) {
  // Node 22.8 and later keep compiled code between runs.
  /** @type {{ enableCompileCache?: () => void }} */ (nodeModule).enableCompileCache?.();
  await import(program.href);
} else {
  process.stderr.write('loci is not built yet. Run `npm run build` in its folder first.\n');
  process.exitCode = 70;
}
