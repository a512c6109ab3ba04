import type { CommitState, Decision } from '../domain/change.ts';
import type { EmbeddingModel } from '../domain/embedding.ts';
import type { LogEvent, ProjectName } from '../domain/event.ts';
import type { Finding } from '../domain/finding.ts';
import type { Citation } from '../domain/graph/citations.ts';
import type { StoredMemory } from '../domain/memory.ts';
import type { RecordKind, StoreRecord } from '../domain/record.ts';
import type { Edge } from '../domain/relation.ts';
import type { KeywordWeights } from '../domain/ranking/settings.ts';
import type { ScorePlan } from '../domain/ranking/bm25.ts';
import type { ParsedQuery } from '../domain/text/query.ts';
import type { Filter, View } from '../domain/view.ts';
import type {
  Verification,
  RebuildReport,
  ReindexOptions,
  ReplayOptions,
  MergeOptions,
  MergeReport,
  CompactReport,
  PurgeReport,
} from './log-life.ts';

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
  /** Keys of the texts that `decide` compares with others; see domain/hygiene/likeness-keys. */
  readonly likenessKeys?: readonly number[];
}

export interface Committed<T> {
  readonly result: T;
  readonly events: readonly LogEvent[];
  /** What went wrong after the change was durable; the change stands. */
  readonly warnings: readonly string[];
}

export interface TaggedRequest {
  readonly view: View;
  readonly filter: Filter;
  readonly tags: readonly string[];
  /** A tag that more of these memories bear is left out: it says too little about each of them. */
  readonly most: number;
}

export interface TaggedMemory {
  readonly id: string;
  /** ISO time. */
  readonly created_at: string;
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
  /**
   * Memories whose cosine is wanted too, if they pass view and filter and have a vector. The caller has
   * them at hand: they need not be read again.
   */
  readonly also?: readonly HitAtHand[];
}

/** What another search has found. */
export type HitAtHand = Pick<KeywordHit, 'id' | 'session' | 'stored' | 'length'>;

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
   * Mean and standard deviation of the cosines of all memories that passed view and filter, as their
   * codes tell them (engines/shared/vectors): what is ordinary for this question. Those of the exact
   * cosines are within 0.0001 where hundreds are compared, and always within the bound of the codes,
   * about 0.01.
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
  /** ISO time. Since the log was compacted it does not tell how things were before. */
  readonly horizon?: string;
}

/** A page of the log, in order of local arrival. */
export interface FeedPage {
  readonly events: readonly LogEvent[];
  /** Where the next page goes on: the position of the last event, or the one that was asked for. */
  readonly position: number;
}

export interface Stats {
  readonly total: number;
  readonly byType: Readonly<Record<string, number>>;
  readonly byTier: Readonly<Record<string, number>>;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byProject: Readonly<Record<string, number>>;
  /** By the agent whose drawer they lie in; '' = the shared one. */
  readonly byAgent: Readonly<Record<string, number>>;
  /** Events of the log that speak of what the view sees: its memories, records and projects. */
  readonly changes: number;
  /** The 200 most frequent ones, ties by name. */
  readonly tags: Readonly<Record<string, number>>;
  readonly events: number;
  readonly position: number;
  readonly index: string;
}

/** What a store stands on, for whoever diagnoses it. */
export interface EngineAbout {
  /** Name and version of the database library; null = it needs none. */
  readonly driver: string | null;
  /** Version of its tables, and the one that this program writes; null = it has none. */
  readonly schema: { readonly version: number; readonly current: number } | null;
  /** Where it lies on this machine; null = on no disk of it. */
  readonly place: Place | null;
}

export interface Place {
  /** Whether this process may write there. */
  readonly writable: boolean;
  /** Kind of the network file system it lies on (nfs, smb …); null = none that is known as one. */
  readonly network: string | null;
}

/** The tokens of a memory as it was at a version. */
export interface TokenCount {
  readonly id: string;
  readonly version: number;
  readonly tokens: number;
}

/**
 * What became of a page: `nowhere` where people see no folder; `foreign` where a file of that name is
 * not ours and was left alone.
 */
export type PageOutcome = 'written' | 'same' | 'foreign' | 'nowhere';

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
  /**
   * The memories nearest to a vector, filtered before the top k: exactly those that comparing all
   * would give, and their cosines to the last bit.
   * @throws LociError invalid_input, as for `putVectors`
   */
  nearest(request: NearestRequest): Promise<NearestResult>;
  /**
   * Texts of living memories that have no vectors of this model, newest first.
   * @throws LociError unsupported where vectors of a newer program lie
   */
  pendingVectors(model: string, limit: number): Promise<readonly PendingText[]>;
  /**
   * Keeps vectors; a text that has some keeps those. Derived: no event, and never waits long for
   * whoever is writing memories.
   * @throws LociError invalid_input for a vector whose length is not the model's dimensions, or with
   * anything in it that is no finite number; unsupported where vectors of a newer program lie
   */
  putVectors(model: EmbeddingModel, rows: readonly VectorRow[]): Promise<void>;
  /** @param view whose memories count; default every one */
  vectorCounts(model: string, view?: View): Promise<VectorCounts>;
  /**
   * The vectors that are kept of these texts (`passagesKey`), number for number, in no order; what has
   * none is left out. Another store's `putVectors` takes them as they are.
   */
  vectorsOf(model: string, keys: readonly string[]): Promise<readonly VectorRow[]>;
  /** Every model that vectors are kept of. */
  vectorModels(): Promise<readonly EmbeddingModel[]>;
  /** Forgets all vectors of these models (fingerprints). */
  dropVectors(models: readonly string[]): Promise<void>;
  /** Edges from and to these memories, both ends in the view. */
  edges(ids: readonly string[], view: View): Promise<Edge[]>;
  /** Who bears each of some tags, by tag, ordered by id. */
  tagged(request: TaggedRequest): Promise<ReadonlyMap<string, readonly TaggedMemory[]>>;
  /**
   * Keeps who cites whom by name, in place of what was kept of the citing memories that the view sees.
   * Derived: no event, and gone when the index is built anew.
   * @throws LociError busy, unavailable
   */
  putCitations(view: View, citations: readonly Citation[]): Promise<void>;
  /** By id: how many memories of the view cite each of these, as far as it was put. */
  citationCounts(ids: readonly string[], view: View): Promise<ReadonlyMap<string, number>>;
  /** All events of one subject, oldest first. */
  history(id: string): Promise<LogEvent[]>;
  /** The events of a run, or the one event of this id, oldest first. */
  eventsNamed(ref: string): Promise<LogEvent[]>;
  /** Records of one kind, ordered by id. */
  records(kind: RecordKind, view: View): Promise<readonly StoreRecord[]>;
  /** Events after a position, in order of local arrival. Positions may have gaps: see `feed`. */
  events(after: number, limit: number): Promise<LogEvent[]>;
  /** The same with the position at which the next page goes on. */
  feed(after: number, limit: number): Promise<FeedPage>;
  head(): Promise<Head>;
  stats(view: View): Promise<Stats>;
  /** @throws LociError unavailable when there is no library to open it with */
  about(): Promise<EngineAbout>;
  projects(): Promise<readonly ProjectName[]>;
  /** What opening or catching up found and could not settle. */
  findings(): Promise<readonly Finding[]>;
  /**
   * Stores the counted tokens of memories that have none; the next change of a memory brings its own.
   * Derived: no event. Reads call it, so it never waits for whoever is writing: then nothing is
   * stored, and the memories are counted again another time.
   */
  putTokens(counts: readonly TokenCount[]): Promise<void>;
  /**
   * Puts a generated page where people find it, if it is not there as it should be. It is no memory
   * and no event: whoever deletes it loses nothing.
   * @param text begins with `PAGE_MARK` (domain/pages)
   */
  putPage(name: string, text: string): Promise<PageOutcome>;
  /**
   * What somebody noted about this store, by name: derived, no event, and gone together with the
   * index. Writing never waits: while somebody else writes, nothing is noted.
   */
  note(name: string): Promise<string | undefined>;
  putNote(name: string, text: string): Promise<void>;
  verify(): Promise<Verification>;
  /** Takes up hand edits and rebuilds everything derived. */
  reindex(options?: ReindexOptions): Promise<RebuildReport>;
  /** Rebuilds state (and files) from the log alone; takes up no edits. */
  replay(options?: ReplayOptions): Promise<RebuildReport>;
  /**
   * Joins the log of another replica: events that are new here are appended as they are, with their
   * ids, replica and chain, and folded. Whatever order logs are joined in, the state is the same; known
   * events are passed over, and so are those that `compact` dropped here (`domain/newcomers`). What
   * they hold of purged memories is scrubbed, and a tombstone among them purges here too. The caller
   * has checked that each event is sound.
   */
  merge(events: readonly LogEvent[], options?: MergeOptions): Promise<MergeReport>;
  /**
   * Drops all but the latest event of each subject, and notes how far the log is complete
   * (`domain/compaction`). State, versions, positions of what is left and the chains of all replicas
   * stay; where the log is a file it is replaced in one step. Changes nothing when nothing can go.
   */
  compact(actor: string): Promise<CompactReport>;
  /**
   * Deletes memories for good: their text goes from log, state, index, vectors and files, every other
   * event loses what names them (`domain/purge`), and evidence goes that only they had. A tombstone
   * under the hash of each id stays, so that nothing brings them back. When it returns, no file of
   * the store holds a byte of them, unless a warning says so.
   * @param ids of memories as they are stored; an unknown one is passed over
   */
  purge(ids: readonly string[], actor: string): Promise<PurgeReport>;
  /**
   * Keeps a blob under its hash, once. No event: it counts from when a memory names it.
   * @returns its SHA-256 in hex
   * @throws LociError unavailable
   */
  putEvidence(bytes: Uint8Array): Promise<string>;
  /** A blob by its SHA-256; undefined when it is not here. */
  evidence(sha256: string): Promise<Uint8Array | undefined>;
  /** Lets go of files and connections, when what was asked before is done. Closing twice is no error. */
  close(): Promise<void>;
}
