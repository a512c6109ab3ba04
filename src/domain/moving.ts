import type { Finding } from './finding.ts';
import type { RowCounts } from './exchange/format.ts';

/** What moving memories between stores and files takes and answers. */

export interface ExportOptions {
  /** File to write; gzipped where its name ends in .gz. Absent = `write` is called. */
  readonly out?: string | undefined;
  /** Only this project; default the whole store. */
  readonly project?: string | undefined;
}

export interface ImportOptions {
  /** File that `export` made, gzipped or not. */
  readonly file?: string | undefined;
  /** The same under another name. */
  readonly from?: string | undefined;
  /** Check the file and count; write nothing. Default false. */
  readonly dryRun?: boolean | undefined;
}

export interface CopyOptions {
  /** The store to copy to, as `--store` names it. */
  readonly to: string;
  /** Say what would be copied; write nothing. Default false. */
  readonly dryRun?: boolean | undefined;
}

/** Something that could not be taken. */
export interface MoveError {
  /** Line of the file, from 1; 0 where there is none. */
  readonly line: number;
  readonly message: string;
}

/** What was moved, and what was there already. */
export interface MoveResult {
  /** Memories that are new, events, entities, texts with vectors. */
  readonly inserted: RowCounts;
  readonly skipped: RowCounts;
  readonly errors: readonly MoveError[];
}

export interface ExportResult extends MoveResult {
  /** Absolute path; null where it went to `write`. */
  readonly file: string | null;
}

export interface ImportResult extends MoveResult {
  /** Memories that were there and have changed by what came. */
  readonly updated: number;
  readonly dry_run: boolean;
}

export interface CopyResult extends ImportResult {
  /** Absolute path or URL. */
  readonly to: string;
  /** Of both stores, which are equal; null in a dry run. */
  readonly state_hash: string | null;
}

export interface BackupOptions {
  /** File, or folder for one that is named by its time; default the current folder. */
  readonly out?: string | undefined;
}

export interface BackupResult extends MoveResult {
  /** Absolute path. */
  readonly file: string;
  readonly bytes: number;
  /** Of the store as it was written; null where somebody kept writing to it. */
  readonly state_hash: string | null;
  /** What is wrong with the store itself. */
  readonly problems: readonly Finding[];
}

export interface RestoreBackupOptions {
  /** File that `backup` or `export` made. */
  readonly file: string;
  /** The store to make, as `--store` names it. */
  readonly to: string;
}

export interface RestoreBackupResult extends MoveResult {
  /** Absolute path or URL of the new store. */
  readonly to: string;
  readonly state_hash: string;
  /** Whether the file told the hash, and this is it. */
  readonly proved: boolean;
  readonly problems: readonly Finding[];
}
