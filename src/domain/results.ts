import type { Explanation, RecallExplanation, WhyNot } from './explanation.ts';
import type { SkippedStep } from './decide/steps.ts';
import type { Cite } from './anchors/cite.ts';
import type { AnchorState } from './anchors/judge.ts';
import type { EntityLink, Memory } from './memory.ts';
import type { Edge } from './relation.ts';
import type { Diagnosis, Finding } from './finding.ts';
import type { Redaction } from './hygiene/redaction.ts';
import type { Respelling } from './text/spelling.ts';
import type { FieldChange } from './upkeep.ts';

/** What the verbs answer. Keys are spelled as in the JSON of every surface. */

export type Outcome = 'stored' | 'updated' | 'merged' | 'unchanged' | 'superseded' | 'refused';

export interface Receipt {
  /** '' when it was refused. */
  readonly id: string;
  /** `superseded`: stored, and it replaced another one. */
  readonly outcome: Outcome;
  readonly reason?: string;
  /** Position in a batch, from 1, where something went wrong with it. */
  readonly line?: number;
  /** Secrets that were taken out of it, by kind. */
  readonly redacted?: readonly Redaction[];
  /** The memory that is much like it. */
  readonly similar?: readonly Similar[];
}

/** A memory that says much the same, and what was made of that. */
interface Similar {
  readonly id: string;
  /** `same`: the text was joined to it; `related_to`: both are kept, with an edge between them. */
  readonly relation: 'same' | 'related_to';
}

export interface RememberResult {
  readonly results: readonly Receipt[];
  readonly warnings: readonly string[];
}

/** A warning attached to a recalled memory. */
export interface Signal {
  readonly kind:
    | 'contradicts'
    | 'superseded_by'
    | 'evolved_into'
    | 'expired'
    | 'draft'
    | 'untrusted'
    | 'conflict'
    | 'anchor';
  readonly id?: string;
  readonly message: string;
}

export interface RecalledMemory {
  readonly id: string;
  readonly type: string;
  readonly tier: string;
  readonly status: string;
  readonly project: string;
  readonly agent: string | null;
  readonly title: string | null;
  readonly body: string;
  /** Who said it, where that is kept. */
  readonly speaker?: string;
  /** The body was cut to fit. */
  readonly truncated?: boolean;
  readonly tags: readonly string[];
  /** 0 to 1. */
  readonly score: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly signals: readonly Signal[];
  /** Only when `entity` was asked: all that it is linked to. */
  readonly entity_links?: readonly EntityLink[];
  readonly explain?: Explanation;
}

export interface Coverage {
  /** Words of the question that no visible memory holds. */
  readonly unmatched: readonly string[];
  /** Words that no visible memory holds, and the word that each was read as. */
  readonly respelled?: readonly Respelling[];
  /** When the newest of the results came to be known. */
  readonly newest: string | null;
  /**
   * Whether the best result answers what was asked: `weak` when its words match little of it, so that
   * it may merely be about something alike; `none` without a result.
   */
  readonly strength: 'strong' | 'weak' | 'none';
  /** The tier at which an early stop found its answer. */
  readonly stopped_at?: string;
}

/** The times that a read applied: ISO 8601 in UTC, whatever zone they were read in. */
export interface TimeWindow {
  /** Created at or after. */
  readonly since?: string;
  /** Created before. */
  readonly until?: string;
  readonly as_of?: string;
  readonly as_recorded?: string;
  /** IANA name of the zone that dates and words were read in. */
  readonly zone: string;
}

export interface RecallResult {
  readonly results: readonly RecalledMemory[];
  readonly coverage: Coverage;
  /** Only when it was asked. */
  readonly why_not?: WhyNot;
  /** Whether `entity` named a known one; only when it was asked. */
  readonly entity_resolved?: boolean;
  /** Only when a time was asked for. */
  readonly window?: TimeWindow;
  /** Kind and canonical name of that entity; absent where several kinds bear the name. */
  readonly entity_id?: string;
  /** Only when it was asked. */
  readonly explain?: RecallExplanation;
  /** o200k_base tokens of the results as an agent reads them. */
  readonly tokens_used: number;
  readonly warnings: readonly string[];
}

export interface SearchResult {
  readonly results: readonly RecalledMemory[];
  readonly total: number;
  /** Only when a time was asked for. */
  readonly window?: TimeWindow;
  readonly next_cursor: string | null;
}

export interface HistoryEntry {
  readonly event: string;
  readonly at: string;
  readonly kind: string;
  readonly actor: string;
  readonly reason: string | null;
  /** The memory as it stood after this event. */
  readonly memory: Memory | null;
}

/** A cite as `get` shows it. */
export interface GotCite extends Cite {
  /** How the cited code stands; absent = it was not looked at, from outside of its project's folder. */
  readonly state?: AnchorState;
  /** Where it stands now, when it moved. */
  readonly lines_now?: string;
}

export type GotMemory = Memory & {
  readonly cites?: readonly GotCite[];
  readonly version: number;
  readonly edges?: readonly Edge[];
  readonly history?: readonly HistoryEntry[];
};

export interface GetResult {
  readonly memories: readonly GotMemory[];
  readonly missing: readonly string[];
  /** Only when a time was asked for. */
  readonly window?: TimeWindow;
}

export interface ChangeResult {
  readonly id: string;
  readonly version: number;
  readonly outcome: Outcome | 'archived' | 'restored' | 'rejected';
  /** Secrets that were taken out of what was given, by kind. */
  readonly redacted?: readonly Redaction[];
  /** Only when there is something to say. */
  readonly warnings?: readonly string[];
}

export interface EntitiesResult {
  readonly entities: readonly {
    /** Kind and canonical name, like `person:harbour master`. */
    readonly id: string;
    readonly project: string;
    readonly kind: string;
    readonly name: string;
    readonly aliases: readonly string[];
  }[];
}

export interface ContextResult {
  readonly text: string;
  readonly ids: readonly string[];
  readonly tokens_used: number;
}

export interface CheckpointPart {
  /**
   * constraints, decisions, preferences, open_questions, conflicts, episodes, handoff (what the session
   * that hands over learnt), recent.
   */
  readonly name: string;
  readonly heading: string;
  /** Newest first. */
  readonly memories: readonly Pick<
    RecalledMemory,
    'id' | 'type' | 'title' | 'body' | 'tags' | 'created_at' | 'signals'
  >[];
  /** How many more there are. */
  readonly left_out: number;
}

export interface CheckpointResult extends ContextResult {
  /** The session that hands over; null = none is known. */
  readonly session_id: string | null;
  /** Those that are not empty, in the order of the text. */
  readonly parts: readonly CheckpointPart[];
}

/** How far the vectors of one embedder are. */
export interface EmbeddingStatus {
  readonly model: string;
  /** Null as long as nothing was embedded. */
  readonly dims: number | null;
  readonly stored: number;
  readonly pending: number;
}

/** What the memories of one agent are. */
export interface AgentStatus {
  /** Null = the shared drawer. */
  readonly agent: string | null;
  readonly total: number;
  readonly by_type: Readonly<Record<string, number>>;
  readonly by_status: Readonly<Record<string, number>>;
}

export interface StatusResult {
  /** Absolute path or URL. */
  readonly store: string;
  readonly engine: string;
  readonly project: string;
  readonly memories: {
    readonly total: number;
    readonly by_type: Readonly<Record<string, number>>;
    readonly by_tier: Readonly<Record<string, number>>;
    readonly by_status: Readonly<Record<string, number>>;
    readonly by_project: Readonly<Record<string, number>>;
  };
  readonly tags: Readonly<Record<string, number>>;
  /** How old what is active or a draft is, by when it came to be known. */
  readonly staleness: {
    readonly over_30_days: number;
    readonly over_90_days: number;
    readonly over_180_days: number;
    /** Its time to live or validity is over, and `gc` has not come yet. */
    readonly ended: number;
  };
  /** Only when they were asked for: what each agent holds, the shared drawer first. */
  readonly agents?: readonly AgentStatus[];
  readonly embeddings: {
    readonly model: string | null;
    readonly dims: number | null;
    readonly stored: number;
    readonly pending: number;
    /** All that are configured, the builtin one first; the above is the last of them. */
    readonly models: readonly EmbeddingStatus[];
  };
  readonly index: string;
  readonly log: { readonly events: number; readonly position: number };
  readonly findings: readonly Finding[];
  readonly version: string;
}

export interface ReEmbedResult {
  readonly models: readonly {
    readonly model: string;
    readonly dims: number;
    /** Texts embedded now. */
    readonly embedded: number;
    /** Texts that the embedder refused. */
    readonly failed: number;
    /** Memories with vectors of this model, and without. */
    readonly stored: number;
    readonly pending: number;
  }[];
  /** Models that are not configured any more, and whose vectors were forgotten. */
  readonly dropped: readonly string[];
  /** The same, still kept. */
  readonly kept: readonly string[];
}

/** One change of a run, made or planned. */
export interface StepShown {
  readonly id: string;
  /** The rule that asks for it. */
  readonly rule: string;
  readonly reason: string;
  readonly fields: readonly FieldChange[];
}

/** What every verb of upkeep says of its run. */
export interface RunResult {
  /** Id by which the run is shown and undone; null when nothing was changed. */
  readonly run: string | null;
  readonly dry_run: boolean;
  readonly changes: readonly StepShown[];
  /** Steps that were not taken, because their memory had changed meanwhile. */
  readonly skipped: readonly SkippedStep[];
}

export interface GcResult extends RunResult {
  /** Ids of what was archived. */
  readonly expired: readonly string[];
}

/** One thing that `doctor` looked at. */
export interface Examination {
  readonly check: string;
  readonly ok: boolean;
  /** What it is, and how it stands. */
  readonly message: string;
}

/** Something that `doctor` did. */
export interface Mended {
  readonly check: string;
  readonly message: string;
}

export interface DoctorResult {
  /** What was found and is still so. */
  readonly findings: readonly Diagnosis[];
  readonly fixed: readonly Mended[];
  readonly examined: readonly Examination[];
}

export interface LintResult extends RunResult {
  /** What was found and is still so. */
  readonly findings: readonly Diagnosis[];
  /** What was settled by the run, or would be. */
  readonly fixed: readonly Diagnosis[];
  /** What was not looked at, because there was too much of it. */
  readonly warnings: readonly string[];
}

export interface VerifyResult {
  readonly state_hash: string;
  readonly log_ok: boolean;
  readonly files_ok: boolean;
  readonly index_ok: boolean;
  readonly problems: readonly Finding[];
}

export interface RebuildResult {
  readonly memories: number;
  readonly events: number;
  /** Hand edits taken up. */
  readonly edits: number;
  /** Files written. */
  readonly written: number;
  readonly state_hash: string;
  /** What was embedded, by model; only there when it was asked for. */
  readonly embedded?: ReEmbedResult['models'];
  readonly problems: readonly Finding[];
}
