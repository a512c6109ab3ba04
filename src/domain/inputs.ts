import type { Classification, KnownType, Status, Tier } from './lifecycle.ts';
import type { EntityLink } from './memory.ts';

/**
 * What each verb accepts from a library caller. The schemas in `options.ts` check the same and
 * read numbers, flags and lists from text besides.
 */

/** A time: ISO 8601, or words such as `yesterday`; without a zone it is in that of the caller. */
type Time = string;

export interface RelationInput {
  readonly type: string;
  /** Id, ours or foreign. */
  readonly target: string;
  /** 0 to 1; default 1. */
  readonly confidence?: number | undefined;
}

/** Everything a memory can be given, apart from where it goes. */
export interface MemoryFields {
  /** The knowledge itself, as Markdown. */
  readonly body?: string | undefined;
  /** Default fact; belief when it was inferred. */
  readonly type?: KnownType | undefined;
  readonly title?: string | undefined;
  /** Words for the id; default: from title or body. */
  readonly slug?: string | undefined;
  /** Default: by type. */
  readonly tier?: Tier | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Files or folders it is about. */
  readonly paths?: readonly string[] | undefined;
  /** 0 to 1; default 0.8. */
  readonly confidence?: number | undefined;
  /** Default active; draft when the source is untrusted. */
  readonly status?: Status | undefined;
  /** owner, agent, tool, document, import or another word. */
  readonly source?: string | undefined;
  /** stated, inferred, observed or another word. */
  readonly observed?: string | undefined;
  readonly classification?: Classification | undefined;
  readonly ttlDays?: number | undefined;
  readonly validFrom?: Time | undefined;
  readonly validTo?: Time | undefined;
  /** When it came to be known; default now. */
  readonly createdAt?: Time | undefined;
  /** Id of the memory that this one replaces. */
  readonly supersedes?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly speaker?: string | undefined;
  /** Position within its session, from 0. */
  readonly turn?: number | undefined;
  /** Its id in another system. */
  readonly externalId?: string | undefined;
  readonly relations?: readonly RelationInput[] | undefined;
  readonly entities?: readonly EntityLink[] | undefined;
  /** Free-form provenance. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export interface MemoryInput extends MemoryFields {
  /** A known id updates that memory. */
  readonly id?: string | undefined;
  /** Same as `validTo`. */
  readonly expiredAt?: Time | undefined;
  /** Default: the current project. */
  readonly project?: string | undefined;
  /** Drawer it lies in; default: the current agent's, or the shared one. */
  readonly agent?: string | undefined;
}

export interface UpdateOptions extends MemoryFields {
  readonly id: string;
  /** Refuse if it has changed since. */
  readonly expectVersion?: number | undefined;
  readonly reason?: string | undefined;
}

/** Reads of the past. A day, week, month or year means its end, or now while it lasts. */
interface PastOptions {
  /** What held at this time, as far as is known today. */
  readonly asOf?: Time | undefined;
  /** What the store knew at this time. */
  readonly asRecorded?: Time | undefined;
  /** IANA zone of dates and words; default: the caller's, else UTC. */
  readonly zone?: string | undefined;
}

/** Filters that recall and search share. */
interface FilterOptions extends PastOptions {
  readonly type?: readonly string[] | undefined;
  readonly tier?: readonly string[] | undefined;
  /** All of them. */
  readonly tags?: readonly string[] | undefined;
  /** Glob that one of its paths matches. */
  readonly paths?: string | undefined;
  /** Created at or after; a day, week, month or year begins with its first instant. */
  readonly since?: Time | undefined;
  /** Created before. */
  readonly until?: Time | undefined;
  /** Linked to this entity. */
  readonly entity?: string | undefined;
  /** Every project, not only the current one and global. */
  readonly allProjects?: boolean | undefined;
}

export interface RecallOptions extends FilterOptions {
  /** Question or keywords: plain text, never syntax. Absent: what is newest. */
  readonly query?: string | undefined;
  /** Number of memories; default 10. */
  readonly limit?: number | undefined;
  /** Token budget; `limit` is then ignored. */
  readonly maxTokens?: number | undefined;
  /** Leave out weaker matches; default 0.2. */
  readonly minScore?: number | undefined;
  /** 0 to 1: 1 keeps the order of scores, less spreads the answer; default 0.7. Copies go. */
  readonly diversity?: number | undefined;
  /** Stop at the first tier that answers for sure; default true. */
  readonly progressive?: boolean | undefined;
  /** Score from which an answer is sure; default 0.82. */
  readonly confidenceThreshold?: number | undefined;
  /** Types that are sure of a share of `maxTokens`; default constraint and decision. */
  readonly reserve?: readonly string[] | undefined;
  /** 0 to 1: how much age takes from a score; default 0. */
  readonly decayWeight?: number | undefined;
  /** Days after which half of that is gone; default 30. */
  readonly decayHalfLife?: number | undefined;
  /** Lift the neighbours of what answers; default true. */
  readonly graph?: boolean | undefined;
  /** An id: says why that memory is not in the answer. */
  readonly whyNot?: string | undefined;
  readonly includeDrafts?: boolean | undefined;
  /** Also superseded and expired ones, marked. */
  readonly includeSuperseded?: boolean | undefined;
  /** Also session summaries when there is no query; a query finds them anyway. */
  readonly includeEpisodes?: boolean | undefined;
  readonly explain?: boolean | undefined;
}

export interface SearchOptions extends FilterOptions {
  /** Keywords; absent: a plain listing. */
  readonly query?: string | undefined;
  /** Default keyword with text, else filter. */
  readonly mode?: 'hybrid' | 'keyword' | 'vector' | 'filter' | undefined;
  /** Default active. */
  readonly status?: readonly string[] | undefined;
  readonly source?: readonly string[] | undefined;
  readonly minConfidence?: number | undefined;
  /** Default score with text, else newest first. */
  readonly sort?: 'score' | 'created_at' | 'updated_at' | 'confidence' | 'id' | undefined;
  /** Rows a page; default 20. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

export interface GetOptions extends PastOptions {
  /** Ids, ours or foreign. */
  readonly ids: readonly string[];
  /** Every change with its time, actor and reason. */
  readonly history?: boolean | undefined;
  /** Edges from and to it. */
  readonly relations?: boolean | undefined;
  readonly allProjects?: boolean | undefined;
}

export interface StatusChangeOptions {
  readonly id: string;
  readonly reason?: string | undefined;
}

export interface EntityOptions {
  /** Canonical name. */
  readonly name: string;
  /** project, person, tool, decision or another word. */
  readonly kind: string;
  /** Other names of it; they are added to those that are known. */
  readonly aliases?: readonly string[] | undefined;
}

export interface GcOptions {
  /** Only say what would be archived. Default false. */
  readonly dryRun?: boolean | undefined;
}

export interface RelateOptions {
  readonly source: string;
  readonly type: string;
  readonly target: string;
  /** 0 to 1; default 1. */
  readonly confidence?: number | undefined;
}

export interface ContextOptions {
  /** Default 2000. */
  readonly maxTokens?: number | undefined;
}

export interface StatusOptions {
  readonly allProjects?: boolean | undefined;
  /** Count the memories of every agent. */
  readonly allAgents?: boolean | undefined;
}
