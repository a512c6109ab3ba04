import type { AlikeGroup } from './alike.ts';
import type { Conflict } from './conflict.ts';
import type { Diagnosis } from './finding.ts';
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
  /** What lint found before anything was archived; only there when it was asked for. */
  readonly lint_findings?: readonly Diagnosis[];
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

/** A draft or a proposal that a person has to decide about. */
export interface Waiting {
  readonly id: string;
  readonly kind: 'draft' | 'proposal';
  /** Why it waits. */
  readonly why: string;
  /** Who said it, or the verb that proposes it. */
  readonly source: string;
  readonly confidence: number;
  /** Since when. */
  readonly at: string;
  /** Of a draft: what it is called. */
  readonly title: string | null;
  /** Of a proposal: what it would change. */
  readonly changes?: readonly { readonly id: string; readonly fields: readonly FieldChange[] }[];
  /** A memory of the proposal has changed since: it can only be refused. */
  readonly stale?: boolean;
}

export interface ReviewList {
  /** Oldest first. */
  readonly waiting: readonly Waiting[];
  readonly total: number;
}

export interface ReviewDone extends RunResult {
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
}

export type ReviewResult = ReviewList | ReviewDone;

/** One of those that do not agree. */
export interface ConflictSide {
  /** Id of a memory, or of an event where a memory was changed in two places at once. */
  readonly ref: string;
  readonly at: string;
  readonly actor: string | null;
  readonly title: string | null;
  readonly body: string;
}

export interface ConflictShown extends Conflict {
  readonly sides: readonly ConflictSide[];
}

export interface ConflictsResult {
  readonly conflicts: readonly ConflictShown[];
  readonly total: number;
}

export interface ResolveResult extends RunResult {
  /** Id of the conflict. */
  readonly resolved: string;
}
