import type { DiffLine } from './line-diff.ts';
import type { Finding } from './finding.ts';
import type { Memory } from './memory.ts';
import type { RebuildResult } from './results.ts';
import type { FieldChange } from './upkeep.ts';

/** What the verbs of the log's life accept from a library caller, and what they answer. */

export interface MergeLogOptions {
  /** Path of a vault, of a log file or of an SQLite store. */
  readonly from: string;
  /** Default false. */
  readonly dryRun?: boolean | undefined;
}

/** Something of another log that was not taken. */
export interface SetAside {
  readonly reason: string;
  /** Ids of events, where it has any. */
  readonly events?: readonly string[];
}

export interface MergeResult {
  readonly dry_run: boolean;
  /** How many events were new. */
  readonly events: number;
  /** How many memories they are about. */
  readonly memories: number;
  /** Ids of the conflicts that concurrent edits left; each names both versions. */
  readonly conflicts: readonly string[];
  readonly skipped: readonly SetAside[];
  /** Blobs of evidence that came along. */
  readonly evidence: number;
  readonly state_hash: string;
}

export interface CompactResult {
  /** Events that were dropped, and those that are left. */
  readonly dropped: number;
  readonly events: number;
  /** The log does not tell how things were before this time; null: it tells all. */
  readonly horizon: string | null;
  readonly state_hash: string;
}

export interface PurgeOptions {
  readonly ids: readonly string[];
  /** Has to be true: nothing brings them back. */
  readonly yes?: boolean | undefined;
}

export interface PurgeResult {
  readonly purged: readonly string[];
  readonly missing: readonly string[];
  readonly warnings: readonly string[];
}

export interface EvidenceOptions {
  /** The id of a memory, or the SHA-256 of a blob. */
  readonly ref: string;
}

export interface EvidenceResult {
  /** Blobs of the memory, or the one that was named. */
  readonly evidence: readonly {
    readonly sha256: string;
    /** Bytes; null when it is not in the store. */
    readonly size: number | null;
  }[];
}

export interface BootstrapResult {
  readonly memories: number;
  /** Memories whose history begins with a file that was there before its event. */
  readonly bootstrapped: number;
  /** Events that this call made. */
  readonly events: number;
  readonly state_hash: string;
  /** Files that could not be read, among others. */
  readonly problems: readonly Finding[];
}

export interface ReplayLogOptions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface ReplayResult extends RebuildResult {
  /** Absolute path or URL of the store that was built. */
  readonly store: string;
  readonly skipped: readonly SetAside[];
}

export interface HistoryResult {
  readonly id: string;
  readonly events: readonly {
    readonly event: string;
    readonly at: string;
    readonly kind: string;
    readonly actor: string;
    readonly reason: string | null;
    /** The run of upkeep that it belongs to. */
    readonly run: string | null;
    /** Names of the fields that it changed; of a first version, those that it has. */
    readonly fields: readonly string[];
  }[];
  /** The log does not tell what was before this time; null: it tells all. */
  readonly horizon: string | null;
}

export interface DiffOptions {
  readonly id?: string | undefined;
  /** Id of an event, or a time. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly since?: string | undefined;
}

export interface MemoryDiff {
  readonly id: string;
  /** Appeared: it was not there before. Ended: it was live and is not any more. */
  readonly change: 'appeared' | 'changed' | 'ended' | 'unchanged';
  readonly title: string;
  readonly fields: readonly FieldChange[];
  /** Of a body that changed. */
  readonly lines?: readonly DiffLine[];
}

export interface DiffResult {
  readonly memories: readonly MemoryDiff[];
  /** The events or times that were compared. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Identity of a store and how far its feed has come. */
export interface FeedHead {
  readonly store: string;
  readonly replica: string;
  /** Another epoch means that positions of before mean nothing any more. */
  readonly epoch: string;
  /** Order of local arrival, from 1; may have gaps. */
  readonly position: number;
  /** Pass it to `delta` for what comes after. */
  readonly cursor: string;
}

export interface DeltaOptions {
  /** Of the page before, or of `head`; absent: from the beginning. */
  readonly cursor?: string | undefined;
  /** Default 50. */
  readonly limit?: number | undefined;
}

export interface DeltaResult {
  /** Oldest first, also of memories that were superseded since. */
  readonly changes: readonly {
    readonly event: string;
    readonly at: string;
    readonly kind: string;
    readonly actor: string;
    /** The memory as it stood after this event. */
    readonly memory: Memory;
  }[];
  readonly cursor: string;
  /** Whether there is another page already. */
  readonly more: boolean;
}
