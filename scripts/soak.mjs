// npm run soak [-- vitest arguments]: crash and concurrency tests of the vault, isolation and moves
// with their full counts, several minutes long, and their figures.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, run } from './prepare.mjs';

prepare();
const folder = mkdtempSync(join(tmpdir(), 'loci-soak-'));
process.env.SOAK_REPORT = join(folder, 'figures.txt');
writeFileSync(process.env.SOAK_REPORT, '');
const startedAt = Date.now();
process.exitCode = run(process.execPath, [
  'node_modules/vitest/vitest.mjs',
  'run',
  'test/vault',
  'test/isolation',
  'test/exchange',
  ...process.argv.slice(2),
]);
const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
process.stdout.write(`\n${readFileSync(process.env.SOAK_REPORT, 'utf8')}`);
process.stdout.write(`soak: ${process.exitCode === 0 ? 'ok' : 'failed'} in ${minutes} minutes\n`);
rmSync(folder, { recursive: true, force: true });
