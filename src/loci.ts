import type {
  ContextOptions,
  EntityOptions,
  GcOptions,
  GetOptions,
  MemoryInput,
  RecallOptions,
  RelateOptions,
  SearchOptions,
  StatusChangeOptions,
  StatusOptions,
  UpdateOptions,
} from './domain/inputs.ts';
import type {
  RecallDocsOptions,
  RecallDocsResult,
  ReindexDocsOptions,
  ReindexDocsResult,
} from './domain/documents.ts';
import type { EvalResult, EvaluateOptions } from './domain/evaluation.ts';
import type {
  AddedGolden,
  AddGoldenOptions,
  GoldenOptions,
  GoldenResult,
} from './domain/golden.ts';
import type {
  ChangeResult,
  ContextResult,
  EntitiesResult,
  GcResult,
  GetResult,
  RebuildResult,
  RecallResult,
  ReEmbedResult,
  RelationsResult,
  RememberResult,
  SearchResult,
  StatusResult,
  VerifyResult,
} from './domain/results.ts';
import type {
  BootstrapResult,
  CompactResult,
  DeltaOptions,
  DeltaResult,
  DiffOptions,
  DiffResult,
  EvidenceOptions,
  EvidenceResult,
  FeedHead,
  HistoryResult,
  MergeLogOptions,
  MergeResult,
  PurgeOptions,
  PurgeResult,
  ReplayLogOptions,
  ReplayResult,
} from './domain/log-verbs.ts';
import type { EvaluateIo } from './evaluation/evaluate.ts';
import type { GoldenIo } from './evaluation/golden/check.ts';
import { recallDocs } from './library/recall-docs.ts';
import { reindexDocs } from './library/reindex-docs.ts';
import type { Deps, Scope } from './ports/deps.ts';
import type { Progress, ReindexOptions } from './ports/engine.ts';
import { context } from './recall/context.ts';
import { entities } from './recall/entities.ts';
import { delta, head } from './recall/delta.ts';
import { diff } from './recall/diff.ts';
import { evidence, readEvidence } from './recall/evidence.ts';
import { get } from './recall/get.ts';
import { history } from './recall/history.ts';
import { recall } from './recall/recall.ts';
import { relations } from './recall/relations.ts';
import { search } from './recall/search.ts';
import { status } from './recall/status.ts';
import { changeStatus } from './remember/change-status.ts';
import { entity } from './remember/entity.ts';
import { relate } from './remember/relate.ts';
import { remember } from './remember/remember.ts';
import { update } from './remember/update.ts';
import { gc } from './upkeep/gc.ts';
import { reEmbed, type ReEmbedOptions } from './upkeep/re-embed.ts';
import { bootstrapEvents } from './upkeep/bootstrap.ts';
import { compact } from './upkeep/compact.ts';
import { merge } from './upkeep/merge.ts';
import { purge } from './upkeep/purge.ts';
import { reindex, verify } from './upkeep/rebuild.ts';
import { replay } from './upkeep/replay.ts';

/**
 * An open store: one method a verb. Results are the JSON of every surface; options are the same
 * names in camelCase. Errors are `LociError`s with a code and a hint.
 */
export class Loci {
  readonly #deps: Deps;
  readonly #onClose: () => Promise<void>;

  constructor(deps: Deps, onClose: () => Promise<void> = () => deps.engine.close()) {
    this.#deps = deps;
    this.#onClose = onClose;
  }

  /** Absolute path or URL of the store. */
  get location(): string {
    return this.#deps.engine.location;
  }

  /** The same store on behalf of another project or agent. Closing either closes both. */
  scoped(scope: Partial<Pick<Scope, 'project' | 'agent' | 'actor' | 'source' | 'zone'>>): Loci {
    const { repository, ...current } = this.#deps.scope;
    const kept = scope.project === undefined && repository ? { repository } : {};
    const deps = { ...this.#deps, scope: { ...current, ...kept, ...scope } };
    return new Loci(deps, this.#onClose);
  }

  /**
   * Stores one memory, or a batch as one commit. A bad item of a batch is refused with its reason
   * and the others are stored; a single bad memory is an error.
   * @throws LociError invalid_input, not_found (an id it names), conflict, busy, unavailable
   */
  remember(
    input: MemoryInput | readonly MemoryInput[],
    progress?: Progress,
  ): Promise<RememberResult> {
    return remember(input, this.#deps, progress);
  }

  /** Finds the memories that answer a question. */
  recall(options: RecallOptions = {}): Promise<RecallResult> {
    return recall(options, this.#deps);
  }

  /** Lists memories by filter or keywords, page by page. */
  search(options: SearchOptions = {}): Promise<SearchResult> {
    return search(options, this.#deps);
  }

  /** Memories by id, whole, with history and edges on request. */
  get(options: GetOptions): Promise<GetResult> {
    return get(options, this.#deps);
  }

  /** Changes fields of a memory. @throws LociError not_found, conflict (version or content) */
  update(options: UpdateOptions): Promise<ChangeResult> {
    return update(options, this.#deps);
  }

  /** Takes a memory out of recall; `restore` brings it back. */
  archive(options: StatusChangeOptions): Promise<ChangeResult> {
    return changeStatus('archived', options, this.#deps);
  }

  /** Makes an archived or rejected memory active again. */
  restore(options: StatusChangeOptions): Promise<ChangeResult> {
    return changeStatus('active', options, this.#deps);
  }

  /** Keeps a memory, and any later text equal to it, out of recall for good. */
  reject(options: StatusChangeOptions): Promise<ChangeResult> {
    return changeStatus('rejected', options, this.#deps);
  }

  /** Adds a typed edge between two memories. */
  relate(options: RelateOptions): Promise<RelationsResult> {
    return relate(options, this.#deps);
  }

  /** Archives what has outlived its time to live or validity, in the current project, as one run. */
  gc(options: GcOptions = {}): Promise<GcResult> {
    return gc(options, this.#deps);
  }

  /** Makes an entity known by its names in the current project; recall finds it by any of them. */
  entity(options: EntityOptions): Promise<EntitiesResult> {
    return entity(options, this.#deps);
  }

  /** The entities of the current project and the global ones. */
  entities(): Promise<EntitiesResult> {
    return entities(this.#deps);
  }

  /** Edges from and to a memory. */
  relations(options: { id: string }): Promise<RelationsResult> {
    return relations(options, this.#deps);
  }

  /** What a new session needs: constraints, decisions, open questions, recent memories. */
  context(options: ContextOptions = {}): Promise<ContextResult> {
    return context(options, this.#deps);
  }

  /** Counts, index and log state of the store. */
  status(options: StatusOptions = {}): Promise<StatusResult> {
    return status(options, this.#deps);
  }

  /** Checks log, files and index against each other. */
  verify(): Promise<VerifyResult> {
    return verify(this.#deps);
  }

  /** Takes up hand edits and rebuilds everything derived. */
  reindex(options: ReindexOptions = {}): Promise<RebuildResult> {
    return reindex(options, this.#deps);
  }

  /** Embeds what has no vectors of the configured models yet. */
  reEmbed(options: ReEmbedOptions = {}): Promise<ReEmbedResult> {
    return reEmbed(options, this.#deps);
  }

  /**
   * Rebuilds state and files from the log alone; with `to`, builds a new store and only reads this
   * one; with `from`, out of another log.
   */
  replay(options: ReplayLogOptions = {}, progress?: Progress): Promise<ReplayResult> {
    return replay(options, this.#deps, progress);
  }

  /** Gives each memory that is there as a file alone the event that its history begins with. */
  bootstrapEvents(): Promise<BootstrapResult> {
    return bootstrapEvents(this.#deps);
  }

  /**
   * Joins the log of another replica. Concurrent edits are merged field by field; where both changed
   * one, a conflict says so.
   */
  merge(options: MergeLogOptions): Promise<MergeResult> {
    return merge(options, this.#deps);
  }

  /** Drops history from the log: all but the latest event of each memory. */
  compact(): Promise<CompactResult> {
    return compact(this.#deps);
  }

  /** Deletes memories of the current project for good. No agent is offered this. */
  purge(options: PurgeOptions): Promise<PurgeResult> {
    return purge(options, this.#deps);
  }

  /** The blobs that prove a memory, or one by its SHA-256. */
  evidence(options: EvidenceOptions): Promise<EvidenceResult> {
    return evidence(options, this.#deps);
  }

  /** The bytes of a blob. @throws LociError not_found */
  readEvidence(sha256: string): Promise<Uint8Array> {
    return readEvidence(sha256, this.#deps);
  }

  /** What happened to a memory: when, by whom, which fields. */
  history(options: { id: string }): Promise<HistoryResult> {
    return history(options, this.#deps);
  }

  /** What changed of a memory between two events or times, or in the whole store since a time. */
  diff(options: DiffOptions): Promise<DiffResult> {
    return diff(options, this.#deps);
  }

  /** Identity of the store and the end of its feed, for readers that keep a cursor. */
  head(): Promise<FeedHead> {
    return head(this.#deps);
  }

  /** The changes after a cursor, in order of local arrival. */
  delta(options: DeltaOptions = {}): Promise<DeltaResult> {
    return delta(options, this.#deps);
  }

  /**
   * Brings the index of a folder of Markdown documents up to date, or takes the folder out of it.
   * Documents are no memories: `recallDocs` finds them.
   * @throws LociError invalid_input (no such folder), not_found (nothing to forget), busy, unavailable
   */
  reindexDocs(options: ReindexDocsOptions, progress?: Progress): Promise<ReindexDocsResult> {
    return reindexDocs(options, this.#deps, progress);
  }

  /** Finds the sections of indexed documents that answer a question. */
  recallDocs(options: RecallDocsOptions): Promise<RecallDocsResult> {
    return recallDocs(options, this.#deps);
  }

  /** Stores the memories of a data set here, asks its questions and scores what comes back. */
  async evaluate(options: EvaluateOptions, io?: EvaluateIo): Promise<EvalResult> {
    const { evaluate } = await import('./evaluation/evaluate.ts');
    return evaluate(options, this, this.#deps, io);
  }

  /** Asks the golden queries of this store and says what changed since the baseline. */
  async checkGolden(options: GoldenOptions, io?: GoldenIo): Promise<GoldenResult> {
    const { checkGolden } = await import('./evaluation/golden/check.ts');
    return checkGolden(options, this, this.#deps, io);
  }

  /** Keeps a question as golden, with the memories that answer it. */
  async addGolden(options: AddGoldenOptions): Promise<AddedGolden> {
    const { addGolden } = await import('./evaluation/golden/add.ts');
    return addGolden(options, this, this.#deps);
  }

  close(): Promise<void> {
    return this.#onClose();
  }
}
