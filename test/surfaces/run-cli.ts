import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

export const LOCI = fileURLToPath(new URL('../../bin/loci.js', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Buffer;
}

/** Runs the built program as a user would. */
export function loci(
  args: readonly string[],
  { cwd = homedir(), env, input }: RunOptions = {},
): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LOCI, ...args], {
    cwd,
    env: { ...process.env, ...env },
    input: input ?? '',
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: status, out: stdout, err: stderr };
}

/** The same, with `--json`: stdout is exactly one document. */
export function lociJson<T = Record<string, unknown>>(
  args: readonly string[],
  options: RunOptions = {},
): { code: number | null; json: T; err: string } {
  const { code, out, err } = loci(['--json', ...args], options);
  if (!out.endsWith('\n')) throw new Error(`no document: ${JSON.stringify({ code, out, err })}`);
  return { code, json: JSON.parse(out) as T, err };
}

export function startLoci(args: readonly string[], { cwd = homedir(), env }: RunOptions = {}) {
  return spawn(process.execPath, [LOCI, ...args], { cwd, env: { ...process.env, ...env } });
}

/** Arguments without blanks in them, written as on a command line. */
export function words(line: string): string[] {
  return line.split(' ');
}

/** A folder that is removed after the file's tests. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loci-cli-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
