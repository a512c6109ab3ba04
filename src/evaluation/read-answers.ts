import { earlierAnswer } from '../domain/eval-set.ts';
import type { EarlierAnswer } from '../domain/evaluation.ts';
import { parseInput } from '../domain/parse.ts';
import { readLines } from './read-lines.ts';

/**
 * The answers of an earlier run, from the file that `--out` made.
 * @throws LociError not_found, or invalid_input with file and line
 */
export async function readAnswers(path: string): Promise<readonly EarlierAnswer[]> {
  const lines = await readLines<EarlierAnswer>(path, {
    what: 'answer',
    parse: (item) => parseInput(earlierAnswer, item, 'answer'),
    hint: 'Files of answers are made with loci eval SET --out FILE.',
  });
  return lines.map(({ value }) => value);
}
