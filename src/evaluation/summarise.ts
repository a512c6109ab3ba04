import type { EvalQuery } from '../domain/eval-set.ts';
import type { EvalScores } from '../domain/evaluation.ts';
import { meanOf } from './metrics.ts';
import type { QueryScores } from './score.ts';

/** Questions about what never happened: counted by kind, left out of the totals. */
const ADVERSARIAL = 'adversarial';

export interface Row {
  readonly query: Pick<EvalQuery, 'kind'>;
  readonly scores: QueryScores;
}

export function summarise(
  rows: readonly Row[],
): { queries: number; by_kind: Record<string, EvalScores & { n: number }> } & EvalScores {
  const counted = rows.filter(({ query }) => query.kind !== ADVERSARIAL);
  const kinds = [...new Set(rows.flatMap(({ query }) => query.kind ?? []))].sort();
  const shape = rows[0]?.scores;
  return {
    queries: counted.length,
    ...means(counted, shape),
    by_kind: Object.fromEntries(
      kinds.map((kind) => {
        const ofKind = rows.filter(({ query }) => query.kind === kind);
        return [kind, { n: ofKind.length, ...means(ofKind, shape) }];
      }),
    ),
  };
}

/** @param shape scores of any query: which ranks and budgets there are */
function means(rows: readonly Row[], shape: QueryScores | undefined): EvalScores {
  const mean = (pick: (scores: QueryScores) => number | null): number | null =>
    rounded(meanOf(rows.map(({ scores }) => pick(scores))));
  const table = (
    name: 'recall' | 'all' | 'any' | 'recall_at_tokens',
  ): Record<string, number | null> =>
    Object.fromEntries(
      Object.keys(shape?.[name] ?? {}).map((key) => [
        key,
        mean((scores) => scores[name][key] ?? null),
      ]),
    );
  return {
    recall: table('recall'),
    all: table('all'),
    any: table('any'),
    mrr: mean(({ mrr }) => mrr),
    ndcg10: mean(({ ndcg10 }) => ndcg10),
    recall_at_tokens: table('recall_at_tokens'),
    forbidden_ahead: mean(({ forbidden_ahead }) => forbidden_ahead),
    forbidden_ahead_unmarked: mean(({ forbidden_ahead_unmarked }) => forbidden_ahead_unmarked),
    no_answer_false_positive: mean(({ no_answer_false_positive }) => no_answer_false_positive),
    leak10: mean(({ leak10 }) => leak10),
  };
}

/** Four digits: more would be noise. */
export function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10_000) / 10_000;
}
