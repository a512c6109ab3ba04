import type { AlikeGroup } from './alike.ts';
import type { Conflict } from './conflict.ts';
import type { RunResult } from './results.ts';
import type { FieldChange } from './upkeep.ts';

/** What the verbs of upkeep answer; see results.ts. */

/** Two memories that seem to say the same, put up for a person to merge. */
export interface Proposed {
  /** Of the proposal, for `review`. */
  readonly id: string;
  readonly ids: readonly string[];
  readonly reason: string;
  /** 0 to 1. */
  readonly confidence: number;
}

export interface PageWritten {
  readonly name: string;
  /** Whether its text is another one than before. */
  readonly changed: boolean;
  /** A file of its name that is not ours is in its place. */
  readonly left_alone?: boolean;
}

export interface ReflectResult extends RunResult {
  /** Ids of what was archived because its time was over. */
  readonly expired: readonly string[];
  /** Ids of what was archived because another memory holds the same text. */
  readonly deduplicated: readonly string[];
  /** Ids of drafts that became active and of beliefs that became facts. */
  readonly promoted: readonly string[];
  /** Flagged, not touched; surest first, at most 1,000. */
  readonly conflicts: readonly Conflict[];
  /** How many there are. */
  readonly conflicts_total: number;
  /** What this run put into the review queue. */
  readonly proposed: readonly Proposed[];
  readonly views: readonly PageWritten[];
}

export interface ViewResult {
  /** Of the file that holds it in a vault. */
  readonly name: string;
  /** Markdown. */
  readonly text: string;
}

export interface MeditateResult extends RunResult {
  /** Ids of what was archived for its age. */
  readonly archived: readonly string[];
  /** Reported, not touched. */
  readonly duplicates: readonly AlikeGroup[];
}

export interface RunShown {
  readonly id: string;
  readonly verb: string;
  readonly at: string;
  readonly actor: string;
  readonly project: string;
  readonly agent: string | null;
  /** Changes that were made, and how many memories they changed. */
  readonly applied: number;
  readonly memories: number;
  /** Changes that were not made because their memory had changed. */
  readonly skipped: number;
  /** Changes that were made by the rule that asked for them. */
  readonly rules: Readonly<Record<string, number>>;
  /** What it took back, if it is an undo: a run, or one event. */
  readonly undoes: string | null;
  /** In how many of its memories it is taken back at present. */
  readonly undone: number;
}

/** One change of a run. */
export interface RunChange {
  /** Id of the event, by which it can be taken back alone. */
  readonly event: string;
  readonly id: string;
  readonly kind: string;
  readonly reason: string | null;
  /** Null = what it built on is not in the log any more. */
  readonly fields: readonly FieldChange[] | null;
}

export interface RunsResult {
  /** Newest first. */
  readonly runs: readonly RunShown[];
  /** How many there are. */
  readonly total: number;
  /** Only when a run was asked for. */
  readonly changes?: readonly RunChange[];
}

export interface UndoResult extends RunResult {
  /** The run or event that was asked for. */
  readonly undoes: string;
}
