import type {
  CheckpointOptions,
  ContextOptions,
  EntityOptions,
  GcOptions,
  DoctorOptions,
  GetOptions,
  LintOptions,
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
import type {
  EpisodeOptions,
  EpisodeResult,
  EpisodesOptions,
  EpisodesResult,
} from './domain/episodes.ts';
import type { EvalResult, EvaluateOptions } from './domain/evaluation.ts';
import type {
  CitationsOptions,
  ClosureOptions,
  MigrateRelationsOptions,
  RelationsOptions,
  RelinkOptions,
  UnrelateOptions,
  WanderOptions,
} from './domain/graph/inputs.ts';
import type {
  CitationsResult,
  ClosureResult,
  MigrateRelationsResult,
  RelationsResult,
  RelinkResult,
  UnrelateResult,
  WanderResult,
} from './domain/graph/results.ts';
import type {
  AddedGolden,
  AddGoldenOptions,
  GoldenOptions,
  GoldenResult,
} from './domain/golden.ts';
import type {
  BackupOptions,
  BackupResult,
  CopyOptions,
  CopyResult,
  ExportOptions,
  ExportResult,
  ImportOptions,
  ImportResult,
  RestoreBackupOptions,
  RestoreBackupResult,
} from './domain/moving.ts';
import type {
  ChangeResult,
  CheckpointResult,
  ContextResult,
  DoctorResult,
  EntitiesResult,
  GcResult,
  GetResult,
  LintResult,
  RebuildResult,
  RecallResult,
  ReEmbedResult,
  RememberResult,
  SearchResult,
  StatusResult,
  VerifyResult,
} from './domain/results.ts';
import type {
  ConflictsOptions,
  MeditateOptions,
  ReflectOptions,
  ResolveOptions,
  ReviewOptions,
  RunsOptions,
  UndoOptions,
  ViewOptions,
} from './domain/upkeep-inputs.ts';
import type {
  ConflictsResult,
  MeditateResult,
  ReflectResult,
  ResolveResult,
  ReviewResult,
  RunsResult,
  UndoResult,
  ViewResult,
} from './domain/upkeep-results.ts';
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
import type {
  MigrateIsolationOptions,
  MigrateIsolationResult,
  ShareOptions,
  ShareResult,
  UnshareOptions,
  UnshareResult,
} from './domain/sharing.ts';
import type { EvaluateIo } from './evaluation/evaluate.ts';
import type { GoldenIo } from './evaluation/golden/check.ts';
import type { ExportIo } from './exchange/export.ts';
import { citations } from './graph/citations.ts';
import { closure } from './graph/closure.ts';
import { relations } from './graph/relations.ts';
import { wander } from './graph/wander.ts';
import { recallDocs } from './library/recall-docs.ts';
import { reindexDocs } from './library/reindex-docs.ts';
import type { Deps, Scope } from './ports/deps.ts';
import type { Progress } from './ports/log-life.ts';
import { checkpoint } from './recall/checkpoint.ts';
import { context } from './recall/context.ts';
import { entities } from './recall/entities.ts';
import { delta, head } from './recall/delta.ts';
import { diff } from './recall/diff.ts';
import { evidence, readEvidence } from './recall/evidence.ts';
import { episodes } from './recall/episodes.ts';
import { get } from './recall/get.ts';
import { history } from './recall/history.ts';
import { recall } from './recall/recall.ts';
import { search } from './recall/search.ts';
import { status } from './recall/status.ts';
import { changeStatus } from './remember/change-status.ts';
import { entity } from './remember/entity.ts';
import { episode } from './remember/episode.ts';
import { relate } from './remember/relate.ts';
import { remember } from './remember/remember.ts';
import { unrelate } from './remember/unrelate.ts';
import { share, unshare } from './remember/share.ts';
import { update } from './remember/update.ts';
import { conflicts } from './upkeep/conflicts/conflicts.ts';
import { resolve } from './upkeep/conflicts/resolve.ts';
import { gc } from './upkeep/gc.ts';
import { migrateRelations, relink } from './upkeep/relink.ts';
import { doctor } from './upkeep/doctor/doctor.ts';
import { lint } from './upkeep/lint.ts';
import { migrateIsolation } from './upkeep/migrate-isolation.ts';
import { reEmbed, type ReEmbedOptions } from './upkeep/re-embed.ts';
import { meditate } from './upkeep/meditate.ts';
import { view } from './upkeep/pages/view.ts';
import { reflect } from './upkeep/reflect/reflect.ts';
import { review } from './upkeep/review/review.ts';
import { runs } from './upkeep/runs.ts';
import { undo } from './upkeep/undo.ts';
import { bootstrapEvents } from './upkeep/bootstrap.ts';
import { compact } from './upkeep/compact.ts';
import { merge } from './upkeep/merge.ts';
import { purge } from './upkeep/purge.ts';
import { reindex, verify, type ReindexAllOptions } from './upkeep/rebuild.ts';
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

  /** Takes a typed edge away. @throws LociError not_found, conflict (a replacement) */
  unrelate(options: UnrelateOptions): Promise<UnrelateResult> {
    return unrelate(options, this.#deps);
  }

  /** Archives what has outlived its time to live or validity, in the current project, as one run. */
  gc(options: GcOptions = {}): Promise<GcResult> {
    return gc(options, this.#deps);
  }

  /**
   * Consolidates the current project as one run: expires, joins duplicates, promotes, flags conflicts,
   * and brings the view pages up to date.
   */
  reflect(options: ReflectOptions = {}): Promise<ReflectResult> {
    return reflect(options, this.#deps);
  }

  /** A view page of what the caller sees, as Markdown. */
  view(options: ViewOptions): Promise<ViewResult> {
    return view(options, this.#deps);
  }

  /** Archives what is stale by the age of its tier, as one run, and reports duplicates. */
  meditate(options: MeditateOptions = {}): Promise<MeditateResult> {
    return meditate(options, this.#deps);
  }

  /** What does not agree in the current project, with both sides. */
  conflicts(options: ConflictsOptions = {}): Promise<ConflictsResult> {
    return conflicts(options, this.#deps);
  }

  /**
   * Settles a conflict: with the memory or version that holds, a text, or both of them.
   * @throws LociError invalid_input, not_found, conflict (it changed meanwhile)
   */
  resolve(options: ResolveOptions): Promise<ResolveResult> {
    return resolve(options, this.#deps);
  }

  /** Drafts and proposals that wait for a person: lists them, accepts or refuses some. */
  review(options: ReviewOptions = {}): Promise<ReviewResult> {
    return review(options, this.#deps);
  }

  /** What upkeep has done in the current project, run by run; of one run every change. */
  runs(options: RunsOptions = {}): Promise<RunsResult> {
    return runs(options, this.#deps);
  }

  /**
   * Takes a run of upkeep back, or one change of it; that is a run again.
   * @throws LociError not_found, conflict (the log does not reach back that far)
   */
  undo(options: UndoOptions): Promise<UndoResult> {
    return undo(options, this.#deps);
  }

  /**
   * Says what in the current project wants looking at; with `fix`, settles what is sure as one run.
   * No language model is asked.
   */
  lint(options: LintOptions = {}): Promise<LintResult> {
    return lint(options, this.#deps);
  }

  /**
   * Examines the store from the ground up; with `fix`, builds a damaged index again and embeds what is
   * pending. Asks each embedder to embed one word.
   */
  doctor(options: DoctorOptions = {}, progress?: Progress): Promise<DoctorResult> {
    return doctor(options, this.#deps, progress);
  }

  /** Makes an entity known by its names in the current project; recall finds it by any of them. */
  entity(options: EntityOptions): Promise<EntitiesResult> {
    return entity(options, this.#deps);
  }

  /** The entities of the current project and the global ones. */
  entities(): Promise<EntitiesResult> {
    return entities(this.#deps);
  }

  /**
   * Copies a memory of an agent into the shared drawer, or brings the copy up to date.
   * @throws LociError not_found, denied (another agent's), unsupported (agents are not kept apart)
   */
  share(options: ShareOptions): Promise<ShareResult> {
    return share(options, this.#deps);
  }

  /** Takes a copy out of the shared drawer. @throws LociError not_found, invalid_input, unsupported */
  unshare(options: UnshareOptions): Promise<UnshareResult> {
    return unshare(options, this.#deps);
  }

  /**
   * Settles what becomes of what is there when agents begin to be kept apart.
   * @throws LociError invalid_input, unsupported (open it with isolation per-agent)
   */
  migrateIsolation(
    options: MigrateIsolationOptions,
    progress?: Progress,
  ): Promise<MigrateIsolationResult> {
    return migrateIsolation(options, this.#deps, progress);
  }

  /** Edges from and to a memory, and as far beyond as asked. */
  relations(options: RelationsOptions): Promise<RelationsResult> {
    return relations(options, this.#deps);
  }

  /**
   * Reads the links in the bodies of the current project into edges, as one run; names that lead to
   * no memory or to several are told. Without `apply` nothing is written.
   */
  relink(options: RelinkOptions = {}): Promise<RelinkResult> {
    return relink(options, this.#deps);
  }

  /**
   * Notes which memories of the current project name others by title, and says which are named most;
   * `wander` goes by it. Derived: nothing is logged.
   */
  citations(options: CitationsOptions = {}, progress?: Progress): Promise<CitationsResult> {
    return citations(options, this.#deps, progress);
  }

  /**
   * Spreads activation from some memories over tags and edges, and names active pairs that lie far
   * apart. @throws LociError not_found for a seed that is not there
   */
  wander(options: WanderOptions = {}): Promise<WanderResult> {
    return wander(options, this.#deps);
  }

  /** Measures how self-referential the memories are, now and on request day by day. */
  closure(options: ClosureOptions = {}): Promise<ClosureResult> {
    return closure(options, this.#deps);
  }

  /** Takes over edges that another system kept in front matter and in texts, as one run. */
  migrateRelations(options: MigrateRelationsOptions = {}): Promise<MigrateRelationsResult> {
    return migrateRelations(options, this.#deps);
  }

  /** Keeps what a session did: one summary a session. @throws LociError invalid_input, conflict */
  episode(options: EpisodeOptions): Promise<EpisodeResult> {
    return episode(options, this.#deps);
  }

  /** What past sessions did, newest first. */
  episodes(options: EpisodesOptions = {}): Promise<EpisodesResult> {
    return episodes(options, this.#deps);
  }

  /** What a new session needs: constraints, decisions, open questions, conflicts, last episodes … */
  context(options: ContextOptions = {}): Promise<ContextResult> {
    return context(options, this.#deps);
  }

  /** What one session hands over to the next: the text of `context`, and the same in parts. */
  checkpoint(options: CheckpointOptions = {}): Promise<CheckpointResult> {
    return checkpoint(options, this.#deps);
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
  reindex(options: ReindexAllOptions = {}): Promise<RebuildResult> {
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

  /**
   * Writes the store, or one project of it, as JSON lines to a file or to `io.write`.
   * @throws LociError invalid_input, unavailable
   */
  async export(options: ExportOptions = {}, io?: ExportIo): Promise<ExportResult> {
    const { exportStore } = await import('./exchange/export.ts');
    return exportStore(options, this.#deps, io);
  }

  /**
   * Takes the rows of an export; what is there already is passed over, a bad line is named.
   * @throws LociError not_found, invalid_input, unsupported (a newer format), busy, unavailable
   */
  async import(options: ImportOptions, progress?: Progress): Promise<ImportResult> {
    const { importFile } = await import('./exchange/import.ts');
    return importFile(options, this.#deps, progress);
  }

  /**
   * Writes everything into one file that holds the hash of the store.
   * @throws LociError invalid_input, unavailable
   */
  async backup(options: BackupOptions = {}, progress?: Progress): Promise<BackupResult> {
    const { backup } = await import('./exchange/backup.ts');
    return backup(options, this.#deps, progress);
  }

  /**
   * Makes a new store from a backup and compares its hash; this one is left alone.
   * @throws LociError conflict (it holds something), not_found, invalid_input, unsupported
   */
  async restoreBackup(
    options: RestoreBackupOptions,
    progress?: Progress,
  ): Promise<RestoreBackupResult> {
    const { restoreBackup } = await import('./exchange/backup.ts');
    return restoreBackup(options, this.#deps, progress);
  }

  /**
   * Copies everything into another store and proves that both are equal.
   * @throws LociError conflict (it holds what this one lacks), invalid_input, busy, unavailable
   */
  async copy(options: CopyOptions, progress?: Progress): Promise<CopyResult> {
    const { copyStore } = await import('./exchange/copy.ts');
    return copyStore(options, this.#deps, progress);
  }

  close(): Promise<void> {
    return this.#onClose();
  }
}
