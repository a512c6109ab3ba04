import { rename, writeFile } from 'node:fs/promises';
import { LociError, quote } from '../../domain/errors.ts';
import { goldenAnswer, type EvalQuery, type GoldenAnswer } from '../../domain/eval-set.ts';
import { camelKeys, parseInput, snakeCase } from '../../domain/parse.ts';
import { readLines } from '../read-lines.ts';

type Question = Omit<GoldenAnswer, 'results'>;

/** `golden.jsonl` has its baseline in `golden-baseline.jsonl`. */
export function baselineOf(file: string): string {
  return `${file.replace(/\.jsonl$/, '')}-baseline.jsonl`;
}

/**
 * What each query brought, by its id; undefined when nothing was kept yet.
 * @throws LociError invalid_input with file and line, unavailable
 */
export async function readBaseline(
  path: string,
): Promise<ReadonlyMap<string, GoldenAnswer> | undefined> {
  try {
    const lines = await readLines(path, {
      what: 'answer',
      parse: (item) => parseInput(goldenAnswer, camelKeys(item), 'answer'),
      hint: 'loci golden --update makes it anew.',
    });
    return new Map(lines.map(({ value }) => [value.id, value]));
  } catch (error) {
    if (error instanceof LociError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Whole or not at all. @throws LociError unavailable */
export async function writeBaseline(path: string, kept: readonly GoldenAnswer[]): Promise<void> {
  const lines = kept.map((answer) => {
    const entries = Object.entries(answer).map(([key, value]) => [snakeCase(key), value]);
    return `${JSON.stringify(Object.fromEntries(entries))}\n`;
  });
  try {
    await writeFile(`${path}.new`, lines.join(''));
    await rename(`${path}.new`, path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new LociError('unavailable', `${quote(path)} cannot be written (${code})`, undefined, {
      cause,
    });
  }
}

/** What is asked of recall, without what should come back. */
export function questionOf({ id, project, agent, query, asOf, since, until }: EvalQuery): Question {
  return { id, project, agent, query, asOf, since, until };
}

/** Whether an answer is one to the same question: its id may have been given to another one. */
export function answers(answer: GoldenAnswer, question: Question): boolean {
  const keys = ['project', 'agent', 'query', 'asOf', 'since', 'until'] as const;
  return keys.every((key) => answer[key] === question[key]);
}
