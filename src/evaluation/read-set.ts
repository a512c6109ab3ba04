import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asLociError, LociError, quote } from '../domain/errors.ts';
import { evalMemory, evalQuery, type EvalMemory, type EvalQuery } from '../domain/eval-set.ts';
import { camelKeys, parseInput } from '../domain/parse.ts';

/** Memories, the questions about them, and what should come back. */
export interface EvalSet {
  readonly memories: readonly EvalMemory[];
  readonly queries: readonly EvalQuery[];
}

interface Line<T> {
  readonly value: T;
  /** `path:line`. */
  readonly at: string;
}

/** @throws LociError not_found, or invalid_input with file and line */
export async function readSet(dir: string): Promise<EvalSet> {
  const memories = await readLines(join(dir, 'memories.jsonl'), 'memory', (item) =>
    parseInput(evalMemory, item, 'memory'),
  );
  const queries = await readLines(join(dir, 'queries.jsonl'), 'query', (item) =>
    parseInput(evalQuery, item, 'query'),
  );
  const known = distinctIds(memories);
  distinctIds(queries);
  for (const { value, at } of queries) {
    const named = [
      ...Object.keys(value.relevant),
      ...(value.equivalent ?? []).flat(),
      ...(value.forbidden ?? []),
      ...Object.keys(value.forbiddenWhy ?? {}),
      ...(value.otherAgent ?? []),
    ];
    const unknown = named.find((id) => !known.has(id));
    if (unknown !== undefined) {
      throw invalid(`${at}: ${quote(unknown)} is no memory of the set`, 'Check the id.');
    }
  }
  return {
    memories: memories.map(({ value }) => value),
    queries: queries.map(({ value }) => value),
  };
}

async function readLines<T>(
  path: string,
  what: string,
  parse: (item: Record<string, unknown>) => T,
): Promise<Line<T>[]> {
  const text = await readText(path);
  const lines = text.split('\n').flatMap((line, i): Line<T>[] => {
    if (line.trim() === '') return [];
    const at = `${path}:${i + 1}`;
    return [{ value: parseAt(line, at, what, parse), at }];
  });
  if (lines.length === 0) throw invalid(`${path} is empty`, 'Give one JSON object a line.');
  return lines;
}

async function readText(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw cause;
    throw new LociError(
      'not_found',
      `There is no file ${quote(path)}`,
      'An eval set is a folder with memories.jsonl and queries.jsonl.',
      { cause },
    );
  }
}

function parseAt<T>(
  line: string,
  at: string,
  what: string,
  parse: (item: Record<string, unknown>) => T,
): T {
  let item: unknown;
  try {
    item = JSON.parse(line);
  } catch (cause) {
    throw invalid(`${at} is no JSON: ${(cause as Error).message}`, 'Give one JSON object a line.');
  }
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    throw invalid(`${at}: the ${what} is no object`, 'Give one JSON object a line.');
  }
  try {
    return parse(camelKeys(item as Record<string, unknown>));
  } catch (thrown) {
    const { code, message, hint } = asLociError(thrown);
    throw new LociError(code, `${at}: ${message}`, hint, { cause: thrown });
  }
}

function distinctIds(lines: readonly Line<{ readonly id: string }>[]): Set<string> {
  const seen = new Map<string, string>();
  for (const { value, at } of lines) {
    const before = seen.get(value.id);
    if (before !== undefined) {
      throw invalid(`${at}: the id ${quote(value.id)} is taken by ${before}`, 'Ids are distinct.');
    }
    seen.set(value.id, at);
  }
  return new Set(seen.keys());
}

function invalid(message: string, hint: string): LociError {
  return new LociError('invalid_input', message, hint);
}
