import { readFile } from 'node:fs/promises';
import { asLociError, LociError, quote } from '../domain/errors.ts';

/** A line of a file of JSON objects that have ids. */
export interface Line<T> {
  readonly value: T;
  /** `path:line`. */
  readonly at: string;
}

export interface Kind<T> {
  /** What a line is, for messages. */
  readonly what: string;
  parse(item: Readonly<Record<string, unknown>>): T;
  /** What to do when there is no such file. */
  readonly hint: string;
}

const ONE_A_LINE = 'Give one JSON object a line.';

/** @throws LociError not_found, or invalid_input with file and line */
export async function readLines<T extends { readonly id: string }>(
  path: string,
  kind: Kind<T>,
): Promise<readonly Line<T>[]> {
  const text = await readText(path, kind.hint);
  const lines = text.split('\n').flatMap((line, i): Line<T>[] => {
    if (line.trim() === '') return [];
    const at = `${path}:${i + 1}`;
    return [{ value: parseAt(line, at, kind), at }];
  });
  if (lines.length === 0) throw invalid(`${path} is empty`, ONE_A_LINE);
  checkIds(lines);
  return lines;
}

async function readText(path: string, hint: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw code === 'ENOENT' || code === 'ENOTDIR'
      ? new LociError('not_found', `There is no file ${quote(path)}`, hint, { cause })
      : new LociError('unavailable', `${quote(path)} cannot be read (${code})`, hint, { cause });
  }
}

function parseAt<T>(line: string, at: string, { what, parse }: Kind<T>): T {
  let item: unknown;
  try {
    item = JSON.parse(line);
  } catch (cause) {
    throw invalid(`${at} is no JSON: ${(cause as Error).message}`, ONE_A_LINE);
  }
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    throw invalid(`${at}: the ${what} is no object`, ONE_A_LINE);
  }
  try {
    return parse(item as Record<string, unknown>);
  } catch (thrown) {
    const { code, message, hint } = asLociError(thrown);
    throw new LociError(code, `${at}: ${message}`, hint, { cause: thrown });
  }
}

function checkIds(lines: readonly Line<{ readonly id: string }>[]): void {
  const seen = new Map<string, string>();
  for (const { value, at } of lines) {
    const before = seen.get(value.id);
    if (before !== undefined) {
      throw invalid(`${at}: the id ${quote(value.id)} is taken by ${before}`, 'Ids are distinct.');
    }
    seen.set(value.id, at);
  }
}

function invalid(message: string, hint: string): LociError {
  return new LociError('invalid_input', message, hint);
}
