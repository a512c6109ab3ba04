import type { EvalQuery } from '../domain/eval-set.ts';
import type { EvalScores } from '../domain/evaluation.ts';
import { GLOBAL_PROJECT } from '../domain/lifecycle.ts';
import type { RecalledMemory } from '../domain/results.ts';
import type { Asked } from './ask.ts';
import { judge } from './judge.ts';
import { aheadOfAnswer, allAt, anyAt, ndcgAt, recallAt, reciprocalRank } from './metrics.ts';

/** Rank past which MRR, nDCG, forbidden-ahead and leaks do not look. */
export const DEPTH = 10;

export interface Scoring {
  /** The store's id by the set's. */
  readonly storedIds: ReadonlyMap<string, string>;
  /** Ranks to score at. */
  readonly ks: readonly number[];
  /** Whether each agent has a drawer of its own: what lies in another one is a leak then. */
  readonly isolated: boolean;
}

/** One query's scores; null where a metric does not apply to it. */
export function scoreQuery(
  query: EvalQuery,
  { results, withinTokens }: Pick<Asked, 'results' | 'withinTokens'>,
  { storedIds, ks, isolated }: Scoring,
): EvalScores {
  const { needs, graded, forbidden } = judge(query, storedIds);
  const ranked = results.map(({ id }) => id);
  const hasAnswer = needs.length > 0;
  const hasForbidden = (query.forbidden ?? []).length > 0;
  const byK = (metric: typeof recallAt): Record<string, number | null> =>
    Object.fromEntries(ks.map((k) => [k, when(hasAnswer, () => metric(ranked, needs, k))]));

  const first = results.slice(0, DEPTH);
  const ahead = new Set(aheadOfAnswer(ranked, needs, DEPTH)); // all of the first, without an answer
  const faults = first.filter(({ id }) => ahead.has(id) && forbidden.has(id));
  const isUnmarked = (memory: RecalledMemory): boolean =>
    !isExcused(memory, forbidden.get(memory.id));
  const isForeign = ({ project, agent }: RecalledMemory): boolean =>
    (project !== query.project && project !== GLOBAL_PROJECT) ||
    (isolated && agent !== null && agent !== query.agent);
  return {
    recall: byK(recallAt),
    all: byK(allAt),
    any: byK(anyAt),
    mrr: when(hasAnswer, () => reciprocalRank(ranked, needs, DEPTH)),
    ndcg10: when(hasAnswer, () => ndcgAt(ranked, graded, DEPTH)),
    recall_at_tokens: Object.fromEntries(
      [...withinTokens].map(([budget, ids]) => [
        budget,
        when(hasAnswer, () => recallAt(ids, needs, ids.length)),
      ]),
    ),
    forbidden_ahead: when(hasAnswer && hasForbidden, () => faults.length > 0),
    forbidden_ahead_unmarked: when(hasAnswer && hasForbidden, () => faults.some(isUnmarked)),
    no_answer_false_positive: when(!hasAnswer, () => results.length > 0),
    no_answer_forbidden_shown: when(!hasAnswer && hasForbidden, () => faults.some(isUnmarked)),
    leak10: Number(first.some(isForeign)),
  };
}

function when(applies: boolean, score: () => number | boolean): number | null {
  return applies ? Number(score()) : null;
}

/** Whether recall says itself that a memory no longer holds. */
export function isMarkedStale({ signals }: Pick<RecalledMemory, 'signals'>): boolean {
  return signals.some(({ kind }) => kind === 'superseded_by' || kind === 'expired');
}

function isExcused(memory: RecalledMemory, why = ''): boolean {
  return isMarkedStale(memory) && ['superseded', 'expired'].includes(why);
}
