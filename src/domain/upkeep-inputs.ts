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
