import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommitState, Decision } from '../../domain/change.ts';
import type { EmbeddingModel } from '../../domain/embedding.ts';
import { LociError } from '../../domain/errors.ts';
import type { LogEvent, ProjectName } from '../../domain/event.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Citation } from '../../domain/graph/citations.ts';
import type { StoredMemory } from '../../domain/memory.ts';
import type { RecordKind, StoreRecord } from '../../domain/record.ts';
import type { Edge } from '../../domain/relation.ts';
import type { View } from '../../domain/view.ts';
import type {
  CommitRequest,
  Committed,
  Engine,
  EngineAbout,
  FeedPage,
  Head,
  KeywordRequest,
  KeywordResult,
  NearestRequest,
  NearestResult,
  PageOutcome,
  PendingText,
  SelectPage,
  SelectRequest,
  Stats,
  TaggedMemory,
  TaggedRequest,
  TokenCount,
  VectorCounts,
  VectorRow,
} from '../../ports/engine.ts';
import type {
  CompactReport,
  MergeOptions,
  MergeReport,
  PurgeReport,
  RebuildReport,
  ReindexOptions,
  ReplayOptions,
  Verification,
} from '../../ports/log-life.ts';
import { CommitQueue, type Waiting } from '../shared/commit-queue.ts';
import { placeOf } from '../shared/place.ts';
import { storeError } from '../shared/store-error.ts';
import type { Database } from '../sqlite/drivers/driver.ts';
import { sqliteDriver } from '../sqlite/drivers/index.ts';
import { readCitationCounts, readTagged, writeCitations } from '../sqlite/graph.ts';
import { noteKey, readMeta, writeMeta } from '../sqlite/meta.ts';
import { SCHEMA_VERSION, schemaVersion } from '../sqlite/migrations.ts';
import { horizonOfLog } from '../sqlite/log-life.ts';
import {
  readByRefs,
  readEdges,
  readFeed,
  readHistory,
  readNamed,
  readProjects,
  readRecords,
  readSelection,
  readStats,
} from '../sqlite/reader.ts';
import { fileNamed } from './catch-up.ts';
import { checkVault } from './check.ts';
import { putEvidence, readEvidence } from './evidence.ts';
import { filesOfRefs } from './files-table.ts';
import { inVault, LOG } from './layout.ts';
import { writePage } from './pages.ts';
import { compactVault, mergeIntoVault, purgeFromVault } from './log-life.ts';
import { rebuildVault, replayVault } from './rebuild.ts';
import { QUIET_MS, scan } from './scan.ts';
import { INDEX_DAMAGED } from './vault-index.ts';
import { isIndexDamage, Vault, type VaultOptions } from './vault.ts';
import { VaultWatcher } from './watcher.ts';

export type { VaultOptions };

/** Waiting this long after a change lets an editor finish what it writes in several steps. */
const EDITOR_QUIET_MS = 100;

/** Opens, and makes if need be, a vault: a folder of Markdown files with their log. */
export async function openVault(options: VaultOptions): Promise<Engine> {
  const path = resolve(options.path);
  let vault: Vault | undefined;
  try {
    vault = new Vault({ ...options, path }, options.driver ?? sqliteDriver());
    await openSound(vault);
    return new VaultEngine(vault);
  } catch (error) {
    await vault?.close();
    throw storeError(error, path);
  }
}

function openSound(vault: Vault): Promise<void> {
  return withSoundIndex(vault, async () => {
    await vault.open();
    await scan(vault);
  });
}

/** An index that turns out to be damaged is built again, once, and the work repeated. */
async function withSoundIndex<T>(vault: Vault, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isIndexDamage(error)) throw error;
    await vault.locked(async () => {
      await vault.rebuildIndex();
    });
    vault.findings.set('index', INDEX_DAMAGED);
    return work();
  }
}

interface Commit {
  readonly request: CommitRequest;
  readonly decide: (state: CommitState) => Decision<unknown>;
}

class VaultEngine implements Engine {
  readonly kind = 'vault';
  readonly location: string;
  readonly isolated: boolean;
  readonly #vault: Vault;
  readonly #watcher: VaultWatcher | undefined;
  readonly #queue = new CommitQueue<Commit, Committed<unknown>>((batch) => this.#run(batch));

  constructor(vault: Vault) {
    this.#vault = vault;
    this.location = vault.root;
    this.isolated = vault.isolated;
    if (!vault.options.watch) return;
    const quietMs = vault.git ? QUIET_MS : EDITOR_QUIET_MS;
    this.#watcher = new VaultWatcher(
      vault.root,
      quietMs,
      this.isolated,
      () => void this.#noticeEdits(),
    );
  }

  commit<T>(
    request: CommitRequest,
    decide: (state: CommitState) => Decision<T>,
  ): Promise<Committed<T>> {
    return this.#queue.add({ request, decide }) as Promise<Committed<T>>;
  }

  get(refs: readonly string[], view: View): Promise<StoredMemory[]> {
    return this.#read((reader) => readByRefs(reader, refs, view));
  }

  select(request: SelectRequest): Promise<SelectPage> {
    return this.#read((reader) => readSelection(reader, request));
  }

  keyword(request: KeywordRequest): Promise<KeywordResult> {
    return this.#read(() => this.#vault.index.keywords.search(request));
  }

  nearest(request: NearestRequest): Promise<NearestResult> {
    return this.#read(() => this.#vault.index.vectors.nearest(request));
  }

  pendingVectors(model: string, limit: number): Promise<readonly PendingText[]> {
    return this.#read(() => this.#vault.index.vectors.pending(model, limit));
  }

  putVectors(model: EmbeddingModel, rows: readonly VectorRow[]): Promise<void> {
    return this.#vault.index.vectors.put(model, rows);
  }

  vectorCounts(model: string, view?: View): Promise<VectorCounts> {
    return this.#read(() => this.#vault.index.vectors.counts(model, view));
  }

  async vectorsOf(model: string, keys: readonly string[]): Promise<readonly VectorRow[]> {
    return this.#vault.index.vectors.rowsOf(model, keys);
  }

  async vectorModels(): Promise<readonly EmbeddingModel[]> {
    return this.#vault.index.vectors.models();
  }

  dropVectors(models: readonly string[]): Promise<void> {
    return this.#vault.index.vectors.drop(models);
  }

  edges(ids: readonly string[], view: View): Promise<Edge[]> {
    return this.#read((reader) => readEdges(reader, ids, view));
  }

  tagged(request: TaggedRequest): Promise<ReadonlyMap<string, readonly TaggedMemory[]>> {
    return this.#read((reader) => readTagged(reader, request));
  }

  async putCitations(view: View, citations: readonly Citation[]): Promise<void> {
    const vault = this.#vault;
    await this.#guard(() =>
      vault.locked(async () => {
        await vault.catchUp();
        await vault.transact(async () =>
          writeCitations(vault.index.store.database, view, citations),
        );
      }),
    );
  }

  citationCounts(ids: readonly string[], view: View): Promise<ReadonlyMap<string, number>> {
    return this.#read((reader) => readCitationCounts(reader, ids, view));
  }

  history(id: string): Promise<LogEvent[]> {
    return this.#read((reader) => readHistory(reader, id));
  }

  eventsNamed(ref: string): Promise<LogEvent[]> {
    return this.#read((reader) => readNamed(reader, ref));
  }

  records(kind: RecordKind, view: View): Promise<readonly StoreRecord[]> {
    return this.#read((reader) => readRecords(reader, kind, view));
  }

  events(after: number, limit: number): Promise<LogEvent[]> {
    return this.#read((reader) => [...readFeed(reader, after, limit).events]);
  }

  feed(after: number, limit: number): Promise<FeedPage> {
    return this.#read((reader) => readFeed(reader, after, limit));
  }

  head(): Promise<Head> {
    return this.#read((reader) => {
      const { replica, epoch } = this.#vault.local;
      const { position } = readStats(reader, { projects: [], agents: [] });
      return { store: this.location, replica, epoch, position, ...horizonOfLog(reader) };
    });
  }

  stats(view: View): Promise<Stats> {
    return this.#read((reader) => ({ ...readStats(reader, view), index: 'ready' }));
  }

  about(): Promise<EngineAbout> {
    return this.#read((reader) => ({
      driver: (this.#vault.options.driver ?? sqliteDriver()).name,
      schema: { version: schemaVersion(reader), current: SCHEMA_VERSION },
      place: placeOf(this.location, inVault(this.location, LOG)),
    }));
  }

  projects(): Promise<readonly ProjectName[]> {
    return this.#read(readProjects);
  }

  findings(): Promise<readonly Finding[]> {
    return this.#read(() => {
      const { findings, index } = this.#vault;
      return [...findings.values(), ...index.vectors.findings()];
    });
  }

  putTokens(counts: readonly TokenCount[]): Promise<void> {
    return this.#writeIfFree((database) => {
      const update = database.prepare(
        'UPDATE memories SET tokens = ? WHERE id = ? AND version = ? AND tokens IS NULL',
      );
      for (const { id, version, tokens } of counts) update.run(tokens, id, version);
    });
  }

  putPage(name: string, text: string): Promise<PageOutcome> {
    return this.#guard(() => this.#vault.locked(async () => writePage(this.#vault, name, text)));
  }

  note(name: string): Promise<string | undefined> {
    return this.#read((reader) => {
      const value = readMeta(reader, noteKey(name));
      return value === undefined ? undefined : String(value);
    });
  }

  putNote(name: string, text: string): Promise<void> {
    return this.#writeIfFree((database) => writeMeta(database, noteKey(name), text));
  }

  async verify(): Promise<Verification> {
    return this.#alone(checkVault);
  }

  reindex(options: ReindexOptions = {}): Promise<RebuildReport> {
    return this.#guard(async () => {
      const report = await rebuildVault(this.#vault, options);
      await this.#vault.index.vectors.repair();
      return report;
    });
  }

  replay(options: ReplayOptions = {}): Promise<RebuildReport> {
    return this.#guard(() => replayVault(this.#vault, options));
  }

  merge(events: readonly LogEvent[], { dryRun = false }: MergeOptions = {}): Promise<MergeReport> {
    return this.#alone((vault) => mergeIntoVault(vault, events, dryRun));
  }

  compact(actor: string): Promise<CompactReport> {
    return this.#alone((vault) => compactVault(vault, actor));
  }

  purge(ids: readonly string[], actor: string): Promise<PurgeReport> {
    return this.#alone((vault) => purgeFromVault(vault, ids, actor));
  }

  async putEvidence(bytes: Uint8Array): Promise<string> {
    const { clock, ids } = this.#vault.options;
    return this.#guard(async () => putEvidence(this.location, bytes, ids.ulid(clock.nowMs())));
  }

  async evidence(sha256: string): Promise<Uint8Array | undefined> {
    return readEvidence(this.location, sha256);
  }

  async close(): Promise<void> {
    this.#watcher?.close();
    await this.#queue.idle();
    await this.#vault.close();
  }

  async #alone<T>(work: (vault: Vault) => Promise<T>): Promise<T> {
    await this.#queue.idle();
    return this.#guard(() => this.#vault.locked(() => work(this.#vault)));
  }

  /** One lock, one append and one sync for all that wait. */
  async #run(batch: readonly Waiting<Commit, Committed<unknown>>[]): Promise<void> {
    const vault = this.#vault;
    await this.#guard(() =>
      vault.locked(async () => {
        vault.options.onStep?.('locked');
        await vault.catchUp();
        vault.requireLog();
        const refused = await this.#lookAt(batch);
        const { result: answers, warnings } = await vault.transact(async (transaction) =>
          batch.map(({ request: { request, decide }, resolve: settle, reject }) => {
            const state = transaction.stateFor(request);
            try {
              const { changes, result } = decide(state);
              for (const { subject } of changes) {
                const finding = refused.get(subject);
                if (finding) throw new LociError('conflict', finding.message, finding.hint);
              }
              const events = transaction.write(changes, state, request);
              return (late: readonly string[]) => settle({ result, events, warnings: late });
            } catch (error) {
              return () => reject(storeError(error, vault.root));
            }
          }),
        );
        for (const answer of answers) answer(warnings);
      }),
    );
  }

  /**
   * Takes up what people did to the files of the memories that a batch names.
   * @returns by id: what keeps a file from being read, and so its memory from being changed
   */
  async #lookAt(
    batch: readonly Waiting<Commit, Committed<unknown>>[],
  ): Promise<Map<string, Finding>> {
    const vault = this.#vault;
    const { database } = vault.index.store;
    const refs = batch.flatMap(({ request }) => request.request.ids);
    const paths = new Map<string, string>();
    for (const { id, record } of filesOfRefs(database, refs)) {
      const path = record?.path ?? fileNamed(vault, id);
      if (path === undefined) continue;
      const stat = statSync(inVault(this.location, path), { throwIfNoEntry: false });
      if (stat?.size !== record?.size || stat?.mtimeMs !== record?.mtimeMs) paths.set(id, path);
    }
    await vault.takeUp([...paths.values()]);
    const refused = new Map<string, Finding>();
    for (const [id, path] of paths) {
      const finding = vault.findings.get(path);
      if (finding) refused.set(id, finding);
    }
    return refused;
  }

  /** Reads from the index, after a look whether somebody else has written meanwhile. */
  async #read<T>(work: (reader: Database) => T): Promise<T> {
    return this.#guard(async () => {
      if (!this.#vault.isFresh()) await this.#catchUpIfPossible();
      await this.#noticeEdits();
      return work(this.#vault.index.reader);
    });
  }

  /** Writes what is derived and can be written another time. */
  async #writeIfFree(work: (database: Database) => void): Promise<void> {
    const vault = this.#vault;
    await vault.lockedIfFree(async () => {
      await vault.transact(async () => work(vault.index.store.database));
    });
  }

  /** Where nothing can be written, reading goes on from what there is. */
  async #catchUpIfPossible(): Promise<void> {
    try {
      await this.#vault.lockedIfFree(() => this.#vault.catchUp());
    } catch (error) {
      if (storeError(error, this.location).code !== 'unavailable' || !this.#vault.isOpen)
        throw error;
    }
  }

  async #noticeEdits(): Promise<void> {
    const watcher = this.#watcher;
    const paths = watcher?.take();
    if (!watcher || !paths) return;
    try {
      const events = await scan(this.#vault, paths === 'all' ? {} : { paths });
      if (events === undefined) watcher.putBack(paths);
    } catch {
      // Whatever it was, the next look or the next write will meet it and say so.
    }
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await withSoundIndex(this.#vault, work);
    } catch (error) {
      throw storeError(error, this.location);
    }
  }
}
