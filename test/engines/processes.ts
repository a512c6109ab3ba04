import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const fixtures = fileURLToPath(new URL('fixtures', import.meta.url));

export interface Running {
  readonly child: ChildProcess;
  /** Lines of its stdout so far. */
  readonly lines: string[];
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Resolves when it has printed so many lines. */
  printed(count: number): Promise<void>;
}

export function run(script: string, ...args: string[]): Running {
  const child = spawn(process.execPath, [script, ...args], {
    // The bundle lies outside of the project, the native driver inside of it.
    env: { ...process.env, NODE_PATH: join(root, 'node_modules') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
  reader.on('line', (line) => lines.push(line));
  const closed = once(reader, 'close');
  const ended = once(child, 'exit').then(async ([code, signal]) => {
    await closed;
    return (code ?? signal) as number | string;
  });
  const printed = async (count: number): Promise<void> => {
    while (lines.length < count) {
      const over = await Promise.race([
        once(reader, 'line').then(() => false),
        ended.then(() => true),
      ]);
      if (over && lines.length < count) throw new Error(`it ended after ${lines.length} lines`);
    }
  };
  return { child, lines, ended, printed };
}

export function holdLock(path: string, ms: number): Running {
  return run(join(fixtures, 'hold-lock.mjs'), path, String(ms));
}

const scripts: string[] = [];

afterAll(() => scripts.forEach((script) => rmSync(script, { force: true })));

/** Bundles a fixture into a script that Node runs as it is. */
export async function bundled(fixture: string): Promise<string> {
  // Below the project, so that packages that are not bundled are found.
  const outfile = join(
    root,
    'node_modules',
    '.cache',
    'loci-test',
    `${process.pid}-${basename(fixture)}.mjs`,
  );
  scripts.push(outfile);
  await build({
    absWorkingDir: root,
    entryPoints: [join(fixtures, fixture)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['better-sqlite3', 'pg', '@electric-sql/*'],
    banner: {
      js: "import { createRequire as cr } from 'node:module'; const require = cr(import.meta.url);",
    },
    logLevel: 'error',
  });
  return outfile;
}
