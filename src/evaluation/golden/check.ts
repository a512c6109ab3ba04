import { goldenOptions, type EvalQuery, type GoldenAnswer } from '../../domain/eval-set.ts';
import type {
  GoldenChange,
  GoldenDifference,
  GoldenOptions,
  GoldenResult,
} from '../../domain/golden.ts';
import { parseInput } from '../../domain/parse.ts';
import type { Loci } from '../../loci.ts';
import type { Deps } from '../../ports/deps.ts';
import { ask } from '../ask.ts';
import { answers, baselineOf, questionOf, readBaseline, writeBaseline } from './baseline.ts';
import { differenceOf } from './difference.ts';
import { findLabels, type Labels } from './labels.ts';
import { firstAnswer } from '../metrics.ts';
import { readQueries } from '../read-set.ts';
import { DEPTH, scoreQuery } from '../score.ts';
import { summarise } from '../summarise.ts';

/** How far down a lost memory is looked for. */
const DEEP = 100;
const HINT = 'The first query is kept with loci golden --add "QUESTION" ID.';

export interface GoldenIo {
  progress?(done: number, total: number): void;
}

/**
 * Asks the golden queries of a store, and says how the answers differ from those of the baseline.
 * Nothing is stored; only an update writes the baseline.
 * @throws LociError not_found, invalid_input (with file and line), unavailable
 */
export async function checkGolden(
  options: GoldenOptions,
  loci: Loci,
  { engine, clock }: Pick<Deps, 'engine' | 'clock'>,
  io: GoldenIo = {},
): Promise<GoldenResult> {
  const { file, update = false } = parseInput(goldenOptions, options, 'golden');
  const queries = (await readQueries(file, HINT)).map(({ value }) => value);
  const path = baselineOf(file);
  const baseline = await readBaseline(path);

  const rows = [];
  const today: GoldenAnswer[] = [];
  const differences: GoldenDifference[] = [];
  const warnings: string[] = [];
  for (const query of queries) {
    io.progress?.(rows.length, queries.length);
    const labels = await findLabels(query, loci, clock.nowMs());
    warnings.push(...labels.notes.map((note) => `${query.id}: ${note}`));
    const asked = await ask(query, loci, DEPTH, []);
    const answer = { ...questionOf(query), results: asked.results.map(({ id }) => id) };
    const scoring = { storedIds: labels.storedIds, ks: [DEPTH], isolated: engine.isolated };
    rows.push({ query, scores: scoreQuery(query, asked, scoring) });
    today.push(answer);
    const kept = baseline?.get(query.id);
    const before = kept && answers(kept, answer) ? kept : undefined;
    const difference = differenceOf(query, labels, before, answer);
    if (difference) differences.push(await explained(difference, query, labels, loci));
  }
  io.progress?.(queries.length, queries.length);
  if (update) await writeBaseline(path, today);
  const count = (wanted: GoldenDifference['verdict']): number =>
    differences.filter(({ verdict }) => verdict === wanted).length;
  return {
    file,
    baseline: baseline ? path : null,
    updated: update,
    worse: count('worse'),
    better: count('better'),
    moved: count('moved'),
    same: queries.length - differences.length,
    differences: (['worse', 'better', 'moved'] as const).flatMap((wanted) =>
      differences.filter(({ verdict }) => verdict === wanted),
    ),
    ...summarise(rows),
    warnings,
  };
}

/** Adds what became of the memories that were lost. */
async function explained(
  difference: GoldenDifference,
  query: EvalQuery,
  { storedIds, obstacles }: Labels,
  loci: Loci,
): Promise<GoldenDifference> {
  if (!difference.changes.some(({ change }) => change === 'lost')) return difference;
  const { results } = await ask(query, loci, DEEP, []);
  const ranked = results.map(({ id }) => id);
  const changes = difference.changes.map((lost): GoldenChange => {
    if (lost.change !== 'lost') return lost;
    const stored = new Set(lost.ids.flatMap((id) => storedIds.get(id) ?? []));
    const index = firstAnswer(ranked, [stored]);
    if (index < DEEP) return { ...lost, now: index + 1, why: 'others stand ahead of it' };
    const known = lost.ids.flatMap((id) => obstacles.get(id) ?? []);
    return { ...lost, why: known.length > 0 ? known.join('; ') : `not among the first ${DEEP}` };
  });
  return { ...difference, changes };
}
