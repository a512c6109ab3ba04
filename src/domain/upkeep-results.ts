import type { RunResult } from './results.ts';
import type { FieldChange } from './upkeep.ts';

/** What the verbs of upkeep answer; see results.ts. */

export interface RunShown {
  readonly id: string;
  readonly verb: string;
  readonly at: string;
  readonly actor: string;
  readonly project: string;
  readonly agent: string | null;
  /** Changes that were made, and those that were not because their memory had changed. */
  readonly applied: number;
  readonly skipped: number;
  /** The former by the rule that asked for them. */
  readonly rules: Readonly<Record<string, number>>;
  /** What it took back, if it is an undo: a run, or one event. */
  readonly undoes: string | null;
  /** How many of its changes are taken back at present. */
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
