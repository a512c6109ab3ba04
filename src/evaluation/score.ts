import type { EvalQuery } from '../domain/eval-set.ts';
import { GLOBAL_PROJECT } from '../domain/lifecycle.ts';
import type { RecalledMemory } from '../domain/results.ts';
import type { Asked } from './ask.ts';
import { judge } from './judge.ts';
import { aheadOfAnswer, allAt, anyAt, ndcgAt, recallAt, reciprocalRank } from './metrics.ts';

/** Rank past which MRR, nDCG, forbidden-ahead and leaks do not look. */
export const DEPTH = 10;

/** One query's scores; null where a metric does not apply to it. */
export interface QueryScores {
  readonly recall: Readonly<Record<string, number | null>>;
  readonly all: Readonly<Record<string, number | null>>;
  readonly any: Readonly<Record<string, number | null>>;
  readonly mrr: number | null;
  readonly ndcg10: number | null;
  readonly recall_at_tokens: Readonly<Record<string, number | null>>;
  readonly forbidden_ahead: number | null;
  readonly forbidden_ahead_unmarked: number | null;
  readonly no_answer_false_positive: number | null;
  readonly leak10: number;
}

export function scoreQuery(
  query: EvalQuery,
  asked: Asked,
  storedIds: ReadonlyMap<string, string>,
  ks: readonly number[],
): QueryScores {
  const { needs, graded, forbidden } = judge(query, storedIds);
  const { results } = asked;
  const ranked = results.map(({ id }) => id);
  const hasAnswer = needs.length > 0;
  const ifAnswer = (score: () => number): number | null => (hasAnswer ? score() : null);
  const byK = (metric: typeof recallAt): Record<string, number | null> =>
    Object.fromEntries(ks.map((k) => [k, ifAnswer(() => metric(ranked, needs, k))]));

  const ahead = new Set(aheadOfAnswer(ranked, needs, DEPTH));
  const forbiddenAhead = results.filter(({ id }) => ahead.has(id) && forbidden.has(id));
  const isCounted = hasAnswer && (query.forbidden ?? []).length > 0;
  const foreign = results
    .slice(0, DEPTH)
    .filter(({ project }) => project !== query.project && project !== GLOBAL_PROJECT);
  return {
    recall: byK(recallAt),
    all: byK(allAt),
    any: byK(anyAt),
    mrr: ifAnswer(() => reciprocalRank(ranked, needs, DEPTH)),
    ndcg10: ifAnswer(() => ndcgAt(ranked, graded, DEPTH)),
    recall_at_tokens: Object.fromEntries(
      [...asked.withinTokens].map(([budget, ids]) => [
        budget,
        ifAnswer(() => recallAt(ids, needs, ids.length)),
      ]),
    ),
    forbidden_ahead: isCounted ? Number(forbiddenAhead.length > 0) : null,
    forbidden_ahead_unmarked: isCounted
      ? Number(forbiddenAhead.some((memory) => !isExcused(memory, forbidden.get(memory.id))))
      : null,
    no_answer_false_positive: hasAnswer ? null : Number(results.length > 0),
    leak10: Number(foreign.length > 0),
  };
}

/** Whether recall says itself that a memory no longer holds. */
export function isMarkedStale({ signals }: Pick<RecalledMemory, 'signals'>): boolean {
  return signals.some(({ kind }) => kind === 'superseded_by' || kind === 'expired');
}

function isExcused(memory: RecalledMemory, why = ''): boolean {
  return isMarkedStale(memory) && ['superseded', 'expired'].includes(why);
}
