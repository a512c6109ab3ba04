import type { ByMetric } from './evaluation.ts';

/** What a comparison of two runs of `eval` answers. */

/** One metric over the queries that it applies to in both runs. */
export interface Difference {
  readonly n: number;
  readonly before: number;
  readonly after: number;
  /** Mean of after minus before, query by query. */
  readonly difference: number;
  /** In which the difference lies with 95 % confidence; without 0 it is more than chance. */
  readonly interval: readonly [low: number, high: number];
  /** Queries that did better, worse and the same; of what is a fault, less is better. */
  readonly better: number;
  readonly worse: number;
  readonly equal: number;
}

/** Null where a metric applies to no query of both runs. */
export type Differences = ByMetric<Difference | null>;

export interface Change<T> {
  readonly before: T;
  readonly after: T;
}

/** A query that did better or worse. */
export interface ChangedQuery {
  readonly id: string;
  readonly kind: string | null;
  readonly query: string;
  /** The change of nDCG@10, less that of each fault: forbidden ahead, shown for nothing, leaked. */
  readonly change: number;
  readonly mrr: Change<number | null>;
  readonly ndcg10: Change<number | null>;
}

export interface Comparison extends Differences {
  /** Queries of both runs that are in the totals; see `EvalSummary`. */
  readonly queries: number;
  readonly by_kind: Readonly<Record<string, Differences & { readonly n: number }>>;
  /** Those that changed most, at most ten. */
  readonly changed: readonly ChangedQuery[];
  /** How the intervals were made. */
  readonly bootstrap: {
    readonly confidence: number;
    readonly resamples: number;
    readonly seed: number;
  };
  readonly warnings: readonly string[];
}
