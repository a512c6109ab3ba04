import type { ByMetric, EvalScores } from '../domain/evaluation.ts';

export type Metric = keyof ByMetric<unknown>;
/** Takes one metric at one rank or budget out of scores. */
type Pick = (scores: EvalScores) => number | null;

/**
 * Makes something for each metric, at each rank and budget.
 * @param shape scores of any query: which ranks and budgets there are
 */
export function byMetric<T>(
  shape: EvalScores | undefined,
  make: (pick: Pick, metric: Metric) => T,
): ByMetric<T> {
  const table = (
    metric: 'recall' | 'all' | 'any' | 'recall_at_tokens',
  ): Readonly<Record<string, T>> =>
    Object.fromEntries(
      Object.keys(shape?.[metric] ?? {}).map((key) => [
        key,
        make((scores) => scores[metric][key] ?? null, metric),
      ]),
    );
  const single = (metric: Exclude<Metric, 'recall' | 'all' | 'any' | 'recall_at_tokens'>): T =>
    make((scores) => scores[metric], metric);
  return {
    recall: table('recall'),
    all: table('all'),
    any: table('any'),
    mrr: single('mrr'),
    ndcg10: single('ndcg10'),
    recall_at_tokens: table('recall_at_tokens'),
    forbidden_ahead: single('forbidden_ahead'),
    forbidden_ahead_unmarked: single('forbidden_ahead_unmarked'),
    no_answer_false_positive: single('no_answer_false_positive'),
    no_answer_forbidden_shown: single('no_answer_forbidden_shown'),
    leak10: single('leak10'),
  };
}
