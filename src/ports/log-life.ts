import type { Finding } from '../domain/finding.ts';

// What work on the whole of a log takes and tells: verify, reindex, replay, merge, compact, purge.

/** Called now and then by long work; `total` may be unknown. */
export type Progress = (done: number, total?: number) => void;

export interface Verification {
  readonly stateHash: string;
  readonly logOk: boolean;
  readonly filesOk: boolean;
  readonly indexOk: boolean;
  readonly problems: readonly Finding[];
}

export interface RebuildReport {
  readonly memories: number;
  readonly events: number;
  readonly edits: number;
  readonly written: number;
  readonly stateHash: string;
  readonly problems: readonly Finding[];
}

export interface ReindexOptions {
  /** Take files that are missing in numbers as deleted. Default false. */
  readonly acceptDeletions?: boolean;
  readonly progress?: Progress;
}

export interface ReplayOptions {
  readonly progress?: Progress;
}

export interface MergeOptions {
  /** Say what would happen and change nothing. Default false. */
  readonly dryRun?: boolean;
}

export interface MergeReport {
  /** How many events were new. */
  readonly events: number;
  /** How many memories they are about. */
  readonly memories: number;
  /** Ids of conflicts between concurrent edits that were not there before, in order. */
  readonly conflicts: readonly string[];
  readonly stateHash: string;
}

export interface CompactReport {
  /** Events that were dropped, and those that are left. */
  readonly dropped: number;
  readonly events: number;
  /** See Head. */
  readonly horizon?: string;
  readonly stateHash: string;
}

export interface PurgeReport {
  /** Ids of the memories that are gone. */
  readonly purged: readonly string[];
  /** What went wrong after they were gone for good, and how to end it. */
  readonly warnings: readonly string[];
}
