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
