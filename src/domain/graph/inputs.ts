/** What the verbs about relations and the graph accept from a library caller; see `inputs.ts`. */

export interface RelationsOptions {
  /** Id, ours or foreign. */
  readonly id: string;
  /** How many edges away from it, from 1; default 1. */
  readonly depth?: number | undefined;
  /** Only edges of these types; default all. */
  readonly type?: readonly string[] | undefined;
}

export interface UnrelateOptions {
  readonly source: string;
  readonly type: string;
  readonly target: string;
  readonly reason?: string | undefined;
}

/** What rewrites edges is shown first and done on request. */
interface OnRequest {
  /** Do it; default: only say what would be done. */
  readonly apply?: boolean | undefined;
  /** Only say what would be done; the default. */
  readonly dryRun?: boolean | undefined;
}

export type RelinkOptions = OnRequest;
export type MigrateRelationsOptions = OnRequest;

export interface CitationsOptions {
  /** Memories listed, most cited first; default 20. All are indexed. */
  readonly limit?: number | undefined;
}

export interface WanderOptions {
  /** Ids to start from; default, also without tags: the 3 newest memories. */
  readonly seeds?: readonly string[] | undefined;
  /** Start from the newest memories that bear these tags, at most `topK` in all. */
  readonly tags?: readonly string[] | undefined;
  /** How often activation spreads; default 3. */
  readonly steps?: number | undefined;
  /** 0 to 1: less activation does not survive a step; default 0.05. */
  readonly threshold?: number | undefined;
  /** Memories beside the seeds that survive a step; default 20. */
  readonly topK?: number | undefined;
  /** 0 to 1: share of its activation that a memory passes on; default 0.5. */
  readonly decay?: number | undefined;
  /** Distant pairs in the answer; default 5. */
  readonly maxCollisions?: number | undefined;
  /** Weight of an explicit edge, where that of a shared tag is at most 1; default 2. */
  readonly relationWeight?: number | undefined;
}

export interface ClosureOptions {
  /** Also day by day, as the log knew it. Default false, true when days are given. */
  readonly trajectory?: boolean | undefined;
  /** Days of that, up to today; default 30. */
  readonly trajectoryDays?: number | undefined;
}
