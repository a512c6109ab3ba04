/** What `eval` takes and answers; `eval-set.ts` has the schemas of what it reads. */

export interface EvaluateOptions {
  /** Folder with `memories.jsonl` and `queries.jsonl`. */
  readonly dir: string;
  /** Ranks to score at. Default 5, 10, 20. */
  readonly k?: readonly number[];
  /** Token budgets to score at. Default 500, 1000, 2000. */
  readonly budgets?: readonly number[];
  /** Only the first queries. */
  readonly limit?: number;
  /** `none` is keywords alone, and for now so is `default`. */
}

/** Something for each metric. */
export interface ByMetric<T> {
  /** By k: share of the needs met within the first k. */
  readonly recall: Readonly<Record<string, T>>;
  /** By k: whether every need is met. */
  readonly all: Readonly<Record<string, T>>;
  /** By k: whether any need is met. */
  readonly any: Readonly<Record<string, T>>;
  /** 1 / rank of the first answer, 0 past rank 10. */
  readonly mrr: T;
  readonly ndcg10: T;
  /** By budget: share of the needs met in what `max_tokens` brings. */
  readonly recall_at_tokens: Readonly<Record<string, T>>;
  /** Of the queries with an answer and forbidden memories: one stands ahead of the answer. */
  readonly forbidden_ahead: T;
  /** The same, but a stale one that recall marks as such is no fault. */
  readonly forbidden_ahead_unmarked: T;
  /** Of the queries without an answer: anything came back. */
  readonly no_answer_false_positive: T;
  /** Of those that have forbidden memories: one is in the first 10 and not marked as stale. */
  readonly no_answer_forbidden_shown: T;
  /** A memory that the asker must not see is in the first 10: a foreign project's or drawer's. */
  readonly leak10: T;
}

/** One query's scores, or means over queries; null where a metric does not apply. */
export type EvalScores = ByMetric<number | null>;

/** Means in total and by kind. */
export interface EvalSummary extends EvalScores {
  /** Queries in the totals; those of kind `adversarial` are only in `by_kind`. */
  readonly queries: number;
  readonly by_kind: Readonly<Record<string, EvalScores & { readonly n: number }>>;
}

export interface EvalResult extends EvalSummary {
  readonly latency_ms: { readonly p50: number | null; readonly p95: number | null };
  readonly memories: number;
  readonly ingest_ms_per_memory: number | null;
  readonly embedder: string;
  /** Memories that were not stored as the set has them. */
  readonly warnings: readonly string[];
}

/** What one query brought, by the set's ids: a line of the file that `--out` writes. */
export interface EvalAnswer extends EvalScores {
  readonly id: string;
  readonly kind: string | null;
  readonly query: string;
  /** Best first. */
  readonly results: readonly {
    /** Its id in the set; the store's where it is none of the set's. */
    readonly id: string;
    /** Further ids of the set that were merged into it. */
    readonly merged?: readonly string[];
    readonly score: number;
    /** o200k_base tokens of it as an agent reads it. */
    readonly tokens: number;
    /** Marked as superseded or expired. */
    readonly stale: boolean;
  }[];
  readonly ms: number;
}

/** The answer of an earlier run, of which a comparison needs no more than this. */
export type EarlierAnswer = Pick<EvalAnswer, 'id' | 'kind' | 'query' | keyof EvalScores>;
