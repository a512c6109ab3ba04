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
  MigrateIsolationOptions,
  MigrateIsolationResult,
  ShareOptions,
  ShareResult,
  UnshareOptions,
  UnshareResult,
} from './domain/sharing.ts';
import type { EvaluateIo } from './evaluation/evaluate.ts';
import type { GoldenIo } from './evaluation/golden/check.ts';
import { backup, restoreBackup } from './exchange/backup.ts';
import { copyStore } from './exchange/copy.ts';
import { exportStore, type ExportIo } from './exchange/export.ts';
import { importFile } from './exchange/import.ts';
import { recallDocs } from './library/recall-docs.ts';
import { reindexDocs } from './library/reindex-docs.ts';
import type { Deps, Scope } from './ports/deps.ts';
import type { Progress, ReindexOptions } from './ports/engine.ts';
import { context } from './recall/context.ts';
import { entities } from './recall/entities.ts';
import { get } from './recall/get.ts';
import { recall } from './recall/recall.ts';
import { relations } from './recall/relations.ts';
import { search } from './recall/search.ts';
import { status } from './recall/status.ts';
import { changeStatus } from './remember/change-status.ts';
import { entity } from './remember/entity.ts';
import { relate } from './remember/relate.ts';
import { remember } from './remember/remember.ts';
import { share, unshare } from './remember/share.ts';
import { update } from './remember/update.ts';
import { gc } from './upkeep/gc.ts';
import { migrateIsolation } from './upkeep/migrate-isolation.ts';
import { reEmbed, type ReEmbedOptions } from './upkeep/re-embed.ts';
import { reindex, replay, verify } from './upkeep/rebuild.ts';

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

  /** Rebuilds state and files from the log alone. */
  replay(options: { progress?: Progress } = {}): Promise<RebuildResult> {
    return replay(options, this.#deps);
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
  export(options: ExportOptions = {}, io?: ExportIo): Promise<ExportResult> {
    return exportStore(options, this.#deps, io);
  }

  /**
   * Takes the rows of an export; what is there already is passed over, a bad line is named.
   * @throws LociError not_found, invalid_input, unsupported (a newer format), busy, unavailable
   */
  import(options: ImportOptions, progress?: Progress): Promise<ImportResult> {
    return importFile(options, this.#deps, progress);
  }

  /**
   * Writes everything into one file that holds the hash of the store.
   * @throws LociError invalid_input, unavailable
   */
  backup(options: BackupOptions = {}, progress?: Progress): Promise<BackupResult> {
    return backup(options, this.#deps, progress);
  }

  /**
   * Makes a new store from a backup and compares its hash; this one is left alone.
   * @throws LociError conflict (it holds something), not_found, invalid_input, unsupported
   */
  restoreBackup(options: RestoreBackupOptions, progress?: Progress): Promise<RestoreBackupResult> {
    return restoreBackup(options, this.#deps, progress);
  }

  /**
   * Copies everything into another store and proves that both are equal.
   * @throws LociError conflict (it holds what this one lacks), invalid_input, busy, unavailable
   */
  copy(options: CopyOptions, progress?: Progress): Promise<CopyResult> {
    return copyStore(options, this.#deps, progress);
  }

  close(): Promise<void> {
    return this.#onClose();
  }
}
