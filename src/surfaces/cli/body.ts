import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LociError, quote } from '../../domain/errors.ts';
import type { Shell } from './shell.ts';

/** A file that a command names; `-` is stdin. */
export async function readNamed(name: string, shell: Shell): Promise<string> {
  const text = name === '-' ? await shell.readInput() : await readFileAt(name, shell.cwd);
  return text.replace(/^\uFEFF/, '');
}

/** A body from the argument, from `--file`, or with `-` from stdin. */
export async function readBody(
  given: string | undefined,
  file: string | undefined,
  shell: Shell,
): Promise<string | undefined> {
  if (given !== undefined && file !== undefined) {
    throw new LociError(
      'invalid_input',
      'The body is given twice: as an argument and with --file',
      'Give one of them.',
    );
  }
  const name = file ?? (given === '-' ? '-' : undefined);
  return name === undefined ? given : readNamed(name, shell);
}

async function readFileAt(name: string, cwd: string): Promise<string> {
  const path = resolve(cwd, name);
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw code === 'ENOENT'
      ? new LociError('not_found', `There is no file ${quote(path)}`, 'Check the path.', { cause })
      : new LociError('unavailable', `${quote(path)} cannot be read (${code})`, undefined, {
          cause,
        });
  }
}
