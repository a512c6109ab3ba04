import { join } from 'node:path';
import { LociError, quote } from '../domain/errors.ts';
import { evalMemory, evalQuery, type EvalMemory, type EvalQuery } from '../domain/eval-set.ts';
import { camelKeys, parseInput } from '../domain/parse.ts';
import { readLines, type Line } from './read-lines.ts';

/** Memories, the questions about them, and what should come back. */
export interface EvalSet {
  readonly memories: readonly EvalMemory[];
  readonly queries: readonly EvalQuery[];
}

const HINT = 'An eval set is a folder with memories.jsonl and queries.jsonl.';

/** @throws LociError not_found, or invalid_input with file and line */
export async function readSet(dir: string): Promise<EvalSet> {
  const memories = await readLines(join(dir, 'memories.jsonl'), {
    what: 'memory',
    parse: (item) => parseInput(evalMemory, camelKeys(item), 'memory'),
    hint: HINT,
  });
  const queries = await readQueries(join(dir, 'queries.jsonl'), HINT);
  const known = new Set(memories.map(({ value }) => value.id));
  for (const { value, at } of queries) {
    const unknown = labelsOf(value).find((id) => !known.has(id));
    if (unknown !== undefined) {
      const message = `${at}: ${quote(unknown)} is no memory of the set`;
      throw new LociError('invalid_input', message, 'Check the id.');
    }
  }
  return {
    memories: memories.map(({ value }) => value),
    queries: queries.map(({ value }) => value),
  };
}

/** @param hint what to do when there is no such file */
export function readQueries(path: string, hint: string): Promise<readonly Line<EvalQuery>[]> {
  return readLines(path, {
    what: 'query',
    parse: (item) => parseInput(evalQuery, camelKeys(item), 'query'),
    hint,
  });
}

/** Every id that a query names. */
function labelsOf(query: EvalQuery): readonly string[] {
  return [
    ...Object.keys(query.relevant),
    ...(query.equivalent ?? []).flat(),
    ...(query.forbidden ?? []),
    ...Object.keys(query.forbiddenWhy ?? {}),
    ...(query.otherAgent ?? []),
  ];
}
