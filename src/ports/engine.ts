import type { CommitState, Decision } from '../domain/change.ts';
import type { EmbeddingModel } from '../domain/embedding.ts';
import type { LogEvent, ProjectName } from '../domain/event.ts';
import type { Finding } from '../domain/finding.ts';
import type { StoredMemory } from '../domain/memory.ts';
import type { RecordKind, StoreRecord } from '../domain/record.ts';
import type { Edge } from '../domain/relation.ts';
import type { KeywordWeights } from '../domain/ranking/settings.ts';
import type { ScorePlan } from '../domain/ranking/bm25.ts';
import type { ParsedQuery } from '../domain/text/query.ts';
import type { Filter, View } from '../domain/view.ts';

/**
 * What a commit needs to see: these memories (by id in any case, or external id), and whoever holds
 * this content or the same content as one of them.
 */
export interface CommitRequest {
  readonly ids: readonly string[];
  readonly contentKeys: readonly string[];
  /** Who acts; stands in each event. */
  readonly actor: string;
  /** The run of upkeep that acts; stands in each event. */
  readonly run?: string;
  /** Subjects of the records that `decide` asks for. */
  readonly records?: readonly string[];
}

export interface Committed<T> {
  readonly result: T;
  readonly events: readonly LogEvent[];
  /** What went wrong after the change was durable; the change stands. */
  readonly warnings: readonly string[];
}

export type SortKey = 'created_at' | 'updated_at' | 'confidence' | 'id';

export interface SelectRequest {
  readonly view: View;
  readonly filter: Filter;
  readonly sort: SortKey;
  readonly descending: boolean;
  readonly limit: number;
  /** Position after which to go on: the sort value and id of the last row seen. */
  readonly after?: { readonly value: string | number; readonly id: string };
}

export interface SelectPage {
  readonly rows: readonly StoredMemory[];
  /** How many the filter lets through in the view, over all pages. */
  readonly total: number;
}

export interface KeywordRequest {
  readonly view: View;
  readonly filter: Filter;
  readonly query: ParsedQuery;
  /** How many of the best to return. */
  readonly k: number;
  /** What terms and fields weigh; default the measured ones. */
  readonly weights?: KeywordWeights;
  /** Adds `terms` to every hit. */
  readonly explain?: boolean;
}

export interface KeywordHit {
  readonly id: string;
  readonly session?: string | undefined;
  /** May be read only when it is asked for: most candidates are never shown. */
  readonly stored: StoredMemory;
  /** See domain/ranking: comparable within one query only. */
  readonly raw: number;
  /** Length in words, as ranking counts it. */
  readonly length: number;
  /** The part of `raw` that each query term brought. */
  readonly terms?: readonly number[];
}

export interface KeywordResult {
  readonly hits: readonly KeywordHit[];
  /** What the query weighs in the view; `calibrate` needs it. */
  readonly plan: ScorePlan;
  /** How many memories of the view hold each query term. */
  readonly documentFrequency: readonly number[];
  /** How many memories passed the filter and matched something. */
  readonly matched: number;
}

export interface NearestRequest {
  readonly view: View;
  readonly filter: Filter;
  /** Fingerprint of the model (domain/embedding) that made `vector`. */
  readonly model: string;
  /** Of unit length. */
  readonly vector: Float32Array;
  /** How many of the nearest to return; any whole number from 0. */
  readonly k: number;
  /** Memories whose cosine is wanted too, if they pass view and filter and have a vector. */
  readonly also?: readonly string[];
}

export interface NearestHit {
  readonly id: string;
  readonly session?: string | undefined;
  /** May be read only when it is asked for. */
  readonly stored: StoredMemory;
  /** -1 to 1: of the passage that is nearest to the vector. */
  readonly cosine: number;
  /** Length in words, as keyword ranking counts it. */
  readonly length: number;
}

export interface NearestResult {
  /** The k nearest, and the memories of `also`; best first, ties by id. */
  readonly hits: readonly NearestHit[];
  /**
   * Mean and standard deviation of the cosines of all memories that passed view and filter, in large
   * stores of a sample: what is ordinary for this question.
   */
  readonly mean: number;
  readonly deviation: number;
  /** How many memories passed and have vectors. */
  readonly compared: number;
}

/** The vectors of one text: one a passage. */
export interface VectorRow {
  /** `passagesKey` of its passages. */
  readonly key: string;
  readonly vectors: readonly Float32Array[];
}

export interface PendingText {
  readonly key: string;
  readonly passages: readonly string[];
}

export interface VectorCounts {
  /** Live memories that have vectors of the model, and those that do not yet. */
  readonly stored: number;
  readonly pending: number;
}

/** Persistent identity of a store and how far its feed has come. */
export interface Head {
  readonly store: string;
  readonly replica: string;
  readonly epoch: string;
  /** Number of the last event in order of local arrival; 0 = none. */
  readonly position: number;
}

export interface Stats {
  readonly total: number;
  readonly byType: Readonly<Record<string, number>>;
  readonly byTier: Readonly<Record<string, number>>;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byProject: Readonly<Record<string, number>>;
  /** By the agent that each names; '' = none. */
  readonly byAgent: Readonly<Record<string, number>>;
  /** Events that made the memories of the view what they are. */
  readonly changes: number;
  /** The 200 most frequent ones, ties by name. */
  readonly tags: Readonly<Record<string, number>>;
  readonly events: number;
  readonly position: number;
  readonly index: string;
}

export interface Verification {
  readonly stateHash: string;
  readonly logOk: boolean;
  readonly filesOk: boolean;
  readonly indexOk: boolean;
  readonly problems: readonly Finding[];
}

export interface RebuildReport {
  readonly memories: number;
  readonly events: number;
  readonly edits: number;
  readonly written: number;
  readonly stateHash: string;
  readonly problems: readonly Finding[];
}

/** The tokens of a memory as it was at a version. */
export interface TokenCount {
  readonly id: string;
  readonly version: number;
  readonly tokens: number;
}

/** Called now and then by long work; `total` may be unknown. */
export type Progress = (done: number, total?: number) => void;

export interface ReindexOptions {
  /** Take files that are missing in numbers as deleted. Default false. */
  readonly acceptDeletions?: boolean;
  readonly progress?: Progress;
}

export interface ReplayOptions {
  /** Another log to replay into an empty store; default: the store's own. */
  readonly events?: readonly LogEvent[];
  readonly progress?: Progress;
}

/**
 * A place that keeps memories. All reads take a view, applied before anything is counted or cut;
 * `testing/engine-contract.ts` is the definition of done for an implementation.
 */
export interface Engine {
  /** in-memory, sqlite or vault. For display: nothing may branch on it. */
  readonly kind: string;
  /** Absolute path or URL. */
  readonly location: string;
  /** Whether a drawer's content is its own (see `drawerOf`). */
  readonly isolated: boolean;

  /**
   * Reads what the request names, lets `decide` choose the changes, and makes them durable in one
   * transaction: all or none. `decide` is pure and may be called again after a lost race.
   * @throws LociError busy when the store stayed locked until the deadline; unavailable when it
   * cannot be written; whatever `decide` throws, with nothing changed.
   */
  commit<T>(
    request: CommitRequest,
    decide: (state: CommitState) => Decision<T>,
  ): Promise<Committed<T>>;
  /** Memories by id or external id, in no order; what the view does not see is not there. */
  get(refs: readonly string[], view: View): Promise<StoredMemory[]>;
  select(request: SelectRequest): Promise<SelectPage>;
  keyword(request: KeywordRequest): Promise<KeywordResult>;
  /** The memories nearest to a vector, filtered before the top k. */
  nearest(request: NearestRequest): Promise<NearestResult>;
  /** Texts of living memories that have no vectors of this model, newest first. */
  pendingVectors(model: string, limit: number): Promise<readonly PendingText[]>;
  /**
   * Keeps vectors. Derived: no event, and never waits long for whoever is writing memories.
   * @throws LociError invalid_input for a vector whose length is not the model's dimensions
   */
  putVectors(model: EmbeddingModel, rows: readonly VectorRow[]): Promise<void>;
  /** @param view whose memories count; default every one */
  vectorCounts(model: string, view?: View): Promise<VectorCounts>;
  /**
   * The vectors that are kept of these texts (`passagesKey`), in no order; what is not there is left
   * out. So that they can be carried to another store, whose `putVectors` takes them as they are.
   */
  vectorsOf(model: string, keys: readonly string[]): Promise<readonly VectorRow[]>;
  /** Every model that vectors are kept of. */
  vectorModels(): Promise<readonly EmbeddingModel[]>;
  /** Forgets all vectors of these models (fingerprints). */
  dropVectors(models: readonly string[]): Promise<void>;
  /** Edges from and to these memories, both ends in the view. */
  edges(ids: readonly string[], view: View): Promise<Edge[]>;
  /** All events of one subject, oldest first. */
  history(id: string): Promise<LogEvent[]>;
  /** The events of a run, or the one event of this id, oldest first. */
  eventsNamed(ref: string): Promise<LogEvent[]>;
  /** Records of one kind, ordered by id. */
  records(kind: RecordKind, view: View): Promise<readonly StoreRecord[]>;
  /** Events after a position, in order of local arrival. */
  events(after: number, limit: number): Promise<LogEvent[]>;
  /**
   * Puts events of another log on this one, as they stand, and lets the state follow; all of them or
   * none. Those that are known by their id are passed over. Whole transactions belong into one call.
   * @returns how many were new
   * @throws LociError busy, unavailable
   */
  append(events: readonly LogEvent[]): Promise<number>;
  head(): Promise<Head>;
  stats(view: View): Promise<Stats>;
  projects(): Promise<readonly ProjectName[]>;
  /** What opening or catching up found and could not settle. */
  findings(): Promise<readonly Finding[]>;
  /**
   * Stores the counted tokens of memories that have none; the next change of a memory brings its own.
   * Derived: no event. Reads call it, so it never waits for whoever is writing: then nothing is
   * stored, and the memories are counted again another time.
   */
  putTokens(counts: readonly TokenCount[]): Promise<void>;
  verify(): Promise<Verification>;
  /** Takes up hand edits and rebuilds everything derived. */
  reindex(options?: ReindexOptions): Promise<RebuildReport>;
  /** Rebuilds state (and files) from the log alone; takes up no edits. */
  replay(options?: ReplayOptions): Promise<RebuildReport>;
  close(): Promise<void>;
}
