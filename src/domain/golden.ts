import type { EvalSummary } from './evaluation.ts';

/** What `golden` takes and answers; `eval-set.ts` has the schemas of its files. */

export interface GoldenOptions {
  /** The queries, in the form of an eval set's `queries.jsonl`, by ids of the store. */
  readonly file: string;
  /** Take the answers of today for those to compare with from now on. Default false. */
  readonly update?: boolean;
}

export interface AddGoldenOptions {
  /** The file to add to; it is made if it is not there. */
  readonly file: string;
  readonly query: string;
  /** Memories that answer it, by id or external id. */
  readonly ids: readonly string[];
}

/** Where a needed memory, or the first of several equivalent ones, stood and stands now. */
export interface GoldenChange {
  readonly change: 'lost' | 'found' | 'moved';
  /** As the query names them. */
  readonly ids: readonly string[];
  /** Rank from 1 in the baseline; null: it was not among the first 10, or there is no baseline. */
  readonly was: number | null;
  /** Rank from 1 today; of a lost one, if it is among the first 100. */
  readonly now: number | null;
  /** Of a lost one: what became of it. */
  readonly why?: string;
}

/** A query that no longer brings what it brought. */
export interface GoldenDifference {
  readonly id: string;
  readonly query: string;
  /** `moved`: nothing came or went, only ranks are others. */
  readonly verdict: 'worse' | 'better' | 'moved';
  readonly changes: readonly GoldenChange[];
  /** Forbidden memories that now stand ahead of the answer, and did not. */
  readonly ahead: readonly string[];
  /** What comes back for a query that nothing should come back for, and came back with nothing. */
  readonly unwanted: readonly string[];
}

export interface GoldenResult extends EvalSummary {
  readonly file: string;
  /** The answers that were compared with; null: there are none yet, and each query is expected to bring all it names. */
  readonly baseline: string | null;
  /** Whether the answers of today were taken for the baseline. */
  readonly updated: boolean;
  readonly worse: number;
  readonly better: number;
  readonly moved: number;
  readonly same: number;
  /** Worse first. */
  readonly differences: readonly GoldenDifference[];
  /** Memories that are named and gone, or were replaced. */
  readonly warnings: readonly string[];
}

export interface AddedGolden {
  readonly file: string;
  readonly added: {
    readonly id: string;
    readonly project: string;
    readonly agent?: string;
    readonly query: string;
    readonly relevant: Readonly<Record<string, number>>;
  };
  /** Ranks from 1 of the memories today, in the order given; null: not among the first 10. */
  readonly ranks: readonly (number | null)[];
}
