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
  readonly embedder?: 'default' | 'none';
}

/** Means over the queries that have an answer; null where no query counts. */
export interface EvalScores {
  /** By k: share of the needs met within the first k. */
  readonly recall: Readonly<Record<string, number | null>>;
  /** By k: whether every need is met. */
  readonly all: Readonly<Record<string, number | null>>;
  /** By k: whether any need is met. */
  readonly any: Readonly<Record<string, number | null>>;
  /** 1 / rank of the first answer, 0 past rank 10. */
  readonly mrr: number | null;
  readonly ndcg10: number | null;
  /** By budget: share of the needs met in what `max_tokens` brings. */
  readonly recall_at_tokens: Readonly<Record<string, number | null>>;
  /** Of the queries with forbidden memories: share with one ahead of the first answer. */
  readonly forbidden_ahead: number | null;
  /** The same, but a stale one that recall marks as such is no fault. */
  readonly forbidden_ahead_unmarked: number | null;
  /** Of the queries without an answer: share that brought anything. */
  readonly no_answer_false_positive: number | null;
  /** Of all queries: share with a foreign project's memory in the first 10. */
  readonly leak10: number | null;
}

export interface EvalResult extends EvalScores {
  /** Queries in the totals; those of kind `adversarial` are only in `by_kind`. */
  readonly queries: number;
  readonly by_kind: Readonly<Record<string, EvalScores & { readonly n: number }>>;
  readonly latency_ms: { readonly p50: number | null; readonly p95: number | null };
  readonly memories: number;
  readonly ingest_ms_per_memory: number | null;
  readonly embedder: string;
  /** Memories that were not stored as the set has them. */
  readonly warnings: readonly string[];
}

/** What one query brought, by the set's ids. */
export interface EvalAnswer {
  readonly id: string;
  readonly kind: string | null;
  readonly results: readonly {
    /** Its id in the set; the store's where it is none of the set's. */
    readonly id: string;
    /** Further ids of the set that were merged into it. */
    readonly merged?: readonly string[];
    readonly score: number;
    /** Marked as superseded or expired. */
    readonly stale: boolean;
  }[];
  readonly recall: Readonly<Record<string, number>> | null;
  readonly mrr: number | null;
  readonly ms: number;
}
