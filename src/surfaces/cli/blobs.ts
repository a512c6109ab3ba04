import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LociError, quote } from '../../domain/errors.ts';
import { MAX_EVIDENCE_BYTES, SHA256_HEX } from '../../domain/evidence.ts';

/**
 * The files that `--evidence` names, as bytes; the SHA-256 of what is kept already stays as it is.
 * @throws LociError not_found, invalid_input for a file that is too large
 */
export function readBlobs(
  given: string | readonly string[],
  cwd: string,
): Promise<readonly (Uint8Array | string)[]> {
  const names = typeof given === 'string' ? [given] : given;
  return Promise.all(names.map((name) => readBlob(name, cwd)));
}

async function readBlob(name: string, cwd: string): Promise<Uint8Array | string> {
  const path = resolve(cwd, name);
  if (!existsSync(path)) {
    if (SHA256_HEX.test(name)) return name;
    throw new LociError('not_found', `there is no file ${quote(path)}`, 'Check the path.');
  }
  const { size } = await stat(path);
  if (size <= MAX_EVIDENCE_BYTES) return readFile(path);
  throw new LociError(
    'invalid_input',
    `${quote(path)} has ${size} bytes; evidence has at most ${MAX_EVIDENCE_BYTES}`,
    'Keep the part that proves it.',
  );
}

/** Writes a blob where a command says. @returns the absolute path */
export async function writeBlob(name: string, bytes: Uint8Array, cwd: string): Promise<string> {
  const path = resolve(cwd, name);
  try {
    await writeFile(path, bytes);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const hint = 'Name a file in a folder that is there.';
    throw new LociError('unavailable', `${quote(path)} cannot be written (${code})`, hint, {
      cause,
    });
  }
  return path;
}
