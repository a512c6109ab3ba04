import type { PageName } from './pages/page.ts';

/** What the verbs of upkeep accept from a library caller; see inputs.ts. */

export interface ReflectOptions {
  /** Only say what would be changed. Default false. */
  readonly dryRun?: boolean | undefined;
}

export interface ViewOptions {
  readonly name: PageName;
  /** Every project, not only this one and global. Default false. */
  readonly allProjects?: boolean | undefined;
}

export interface MeditateOptions {
  /** Default full. */
  readonly mode?: 'full' | 'stale' | 'duplicates' | undefined;
  /** Lint first, and tell its findings too. Default false. */
  readonly includeLint?: boolean | undefined;
  /** Only say what would be archived. Default false. */
  readonly dryRun?: boolean | undefined;
}

export interface RunsOptions {
  /** Id of a run: its changes are told too. */
  readonly run?: string | undefined;
  /** Number of runs, newest first; default 20. */
  readonly limit?: number | undefined;
}

export interface UndoOptions {
  /** Id of a run, or of one of its events. */
  readonly ref: string;
  /** Only say what would be taken back. Default false. */
  readonly dryRun?: boolean | undefined;
}

export interface ReviewOptions {
  /** Default list. */
  readonly action?: 'list' | 'accept' | 'refuse' | undefined;
  /** Ids of drafts and proposals, to accept or refuse. */
  readonly ids?: readonly string[] | undefined;
  readonly reason?: string | undefined;
  /** Number listed, oldest first; default 50. */
  readonly limit?: number | undefined;
}

export interface ConflictsOptions {
  /** Number of conflicts, surest first; default 20. */
  readonly limit?: number | undefined;
}

export interface ResolveOptions {
  /** Id of the conflict, as `conflicts` and `reflect` tell it. */
  readonly id: string;
  /** The memory that holds, or the event whose version does. */
  readonly keep?: string | undefined;
  /** What holds instead. */
  readonly body?: string | undefined;
  /** Both hold: they are no conflict. */
  readonly both?: boolean | undefined;
  readonly reason?: string | undefined;
}
