import { createHash } from 'node:crypto';
import type { CommitState, Decision } from '../../domain/change.ts';
import type { EmbeddingModel } from '../../domain/embedding.ts';
import type { LogEvent, ProjectName } from '../../domain/event.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Citation } from '../../domain/graph/citations.ts';
import type { StoredMemory } from '../../domain/memory.ts';
import type { RecordKind, StoreRecord } from '../../domain/record.ts';
import type { Remains } from '../../domain/purge.ts';
import type { Edge } from '../../domain/relation.ts';
import type { View } from '../../domain/view.ts';
import type { Clock } from '../../ports/clock.ts';
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
import type { Ids } from '../../ports/ids.ts';
import { checkEvidence } from '../shared/check-evidence.ts';
import { CommitQueue, type Waiting } from '../shared/commit-queue.ts';
import { placeOfFile } from '../shared/place.ts';
import { storeError } from '../shared/store-error.ts';
import { Turns } from '../shared/turns.ts';
import { dropBackupsOf } from './backup.ts';
import type { Database, Driver } from './drivers/driver.ts';
import { sqliteDriver } from './drivers/index.ts';
import { readCitationCounts, readTagged, writeCitations } from './graph.ts';
import { KeywordIndex } from './keyword-index.ts';
import {
  inSnapshot,
  inTransaction,
  inTransactionIfFree,
  withinTransaction,
  withoutEffect,
} from './lock.ts';
import { noteKey, writeMeta } from './meta.ts';
import { SCHEMA_VERSION, schemaVersion } from './migrations.ts';
import { compactLog, horizonOfLog, mergeEvents, purgeMemories, type Merged } from './log-life.ts';
import {
  readByRefs,
  readEdges,
  readFeed,
  readHistory,
  readMemories,
  readNamed,
  readProjects,
  readRecords,
  readSelection,
  readStats,
} from './reader.ts';
import type { SqliteStore, WriterStamp } from './store.ts';
import { openVectors } from './vectors/open.ts';
import { VectorIndex } from './vectors/vector-index.ts';
import { wipe } from './wipe.ts';

export interface SqliteOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly isolated?: boolean;
  /** Milliseconds a write waits for other processes. */
  readonly lockDeadlineMs?: number;
  readonly driver?: Driver;
  /** Whether a store is copied before it is migrated. Default true; false for what is derived. */
  readonly backUp?: boolean;
  /** Called with what its user should know about opening it. */
  readonly onNotice?: ((text: string) => void) | undefined;
}

interface Commit {
  readonly request: CommitRequest;
  readonly decide: (state: CommitState) => Decision<unknown>;
}

export class SqliteEngine implements Engine {
  readonly kind = 'sqlite';
  readonly location: string;
  readonly isolated: boolean;
  readonly #store: SqliteStore;
  readonly #replica: string;
  readonly #options: SqliteOptions;
  readonly #keywords: KeywordIndex;
  readonly #vectors: VectorIndex;
  readonly #turns = new Turns();
  readonly #queue = new CommitQueue<Commit, Committed<unknown>>((batch) => this.#run(batch));

  constructor(store: SqliteStore, path: string, replica: string, options: SqliteOptions) {
    this.#store = store;
    this.location = path;
    this.isolated = store.isolated;
    this.#replica = replica;
    this.#options = options;
    this.#keywords = new KeywordIndex(store.database);
    const { driver = sqliteDriver() } = options;
    this.#vectors = new VectorIndex({
      index: store.database,
      keywords: this.#keywords,
      location: path,
      open: () => openVectors(driver, path),
    });
  }

  commit<T>(
    request: CommitRequest,
    decide: (state: CommitState) => Decision<T>,
  ): Promise<Committed<T>> {
    return this.#queue.add({ request, decide }) as Promise<Committed<T>>;
  }

  async get(refs: readonly string[], view: View): Promise<StoredMemory[]> {
    return readByRefs(this.#store.database, refs, view);
  }

  async select(request: SelectRequest): Promise<SelectPage> {
    return readSelection(this.#store.database, request);
  }

  async keyword(request: KeywordRequest): Promise<KeywordResult> {
    return this.#keywords.search(request);
  }

  async nearest(request: NearestRequest): Promise<NearestResult> {
    return this.#vectors.nearest(request);
  }

  async pendingVectors(model: string, limit: number): Promise<readonly PendingText[]> {
    return this.#vectors.pending(model, limit);
  }

  putVectors(model: EmbeddingModel, rows: readonly VectorRow[]): Promise<void> {
    return this.#vectors.put(model, rows);
  }

  async vectorCounts(model: string, view?: View): Promise<VectorCounts> {
    return this.#vectors.counts(model, view);
  }

  async vectorsOf(model: string, keys: readonly string[]): Promise<readonly VectorRow[]> {
    return this.#vectors.rowsOf(model, keys);
  }

  async vectorModels(): Promise<readonly EmbeddingModel[]> {
    return this.#vectors.models();
  }

  dropVectors(models: readonly string[]): Promise<void> {
    return this.#vectors.drop(models);
  }

  async edges(ids: readonly string[], view: View): Promise<Edge[]> {
    return readEdges(this.#store.database, ids, view);
  }

  async tagged(request: TaggedRequest): Promise<ReadonlyMap<string, readonly TaggedMemory[]>> {
    return readTagged(this.#store.database, request);
  }

  putCitations(view: View, citations: readonly Citation[]): Promise<void> {
    return this.#write(() => writeCitations(this.#store.database, view, citations));
  }

  async citationCounts(ids: readonly string[], view: View): Promise<ReadonlyMap<string, number>> {
    return readCitationCounts(this.#store.database, ids, view);
  }

  async history(id: string): Promise<LogEvent[]> {
    return readHistory(this.#store.database, id);
  }

  async eventsNamed(ref: string): Promise<LogEvent[]> {
    return readNamed(this.#store.database, ref);
  }

  async records(kind: RecordKind, view: View): Promise<readonly StoreRecord[]> {
    return readRecords(this.#store.database, kind, view);
  }

  async events(after: number, limit: number): Promise<LogEvent[]> {
    return [...readFeed(this.#store.database, after, limit).events];
  }

  async feed(after: number, limit: number): Promise<FeedPage> {
    return readFeed(this.#store.database, after, limit);
  }

  async head(): Promise<Head> {
    const { position } = readStats(this.#store.database, { projects: [], agents: [] });
    return {
      store: this.#store.meta('store') as string,
      replica: this.#replica,
      epoch: this.#store.meta('epoch') as string,
      position,
      ...horizonOfLog(this.#store.database),
    };
  }

  async stats(view: View): Promise<Stats> {
    return { ...readStats(this.#store.database, view), index: 'in the store' };
  }

  async about(): Promise<EngineAbout> {
    const { driver = sqliteDriver() } = this.#options;
    return {
      driver: driver.name,
      schema: { version: schemaVersion(this.#store.database), current: SCHEMA_VERSION },
      place: placeOfFile(this.location),
    };
  }

  async projects(): Promise<readonly ProjectName[]> {
    return readProjects(this.#store.database);
  }

  async findings(): Promise<readonly Finding[]> {
    return this.#vectors.findings();
  }

  putTokens(counts: readonly TokenCount[]): Promise<void> {
    return this.#writeIfFree((database) => {
      const update = database.prepare(
        'UPDATE memories SET tokens = ? WHERE id = ? AND version = ? AND tokens IS NULL',
      );
      for (const { id, version, tokens } of counts) update.run(tokens, id, version);
    });
  }

  async putPage(): Promise<PageOutcome> {
    return 'nowhere';
  }

  async note(name: string): Promise<string | undefined> {
    return this.#store.meta(noteKey(name));
  }

  putNote(name: string, text: string): Promise<void> {
    return this.#writeIfFree((database) => writeMeta(database, noteKey(name), text));
  }

  async verify(): Promise<Verification> {
    const { database } = this.#store;
    const has = database.prepare('SELECT 1 FROM evidence WHERE sha256 = ?');
    const evidence = checkEvidence(readMemories(database), (hash) => has.get(hash) !== undefined);
    const problems = [...this.#store.check(), ...evidence, ...this.#vectors.check()];
    const of = (check: string): boolean => !problems.some((problem) => problem.check === check);
    return {
      stateHash: this.#store.stateHash(),
      logOk: of('log'),
      filesOk: true,
      indexOk: of('index'),
      problems,
    };
  }

  async reindex({ progress }: ReindexOptions = {}): Promise<RebuildReport> {
    const report = await this.#write(() => {
      this.#store.rebuild(progress);
      return this.#report();
    });
    await this.#vectors.repair();
    return report;
  }

  replay({ progress }: ReplayOptions = {}): Promise<RebuildReport> {
    return this.reindex(progress ? { progress } : {});
  }

  async merge(
    events: readonly LogEvent[],
    { dryRun = false }: MergeOptions = {},
  ): Promise<MergeReport> {
    const nowMs = this.#options.clock.nowMs();
    const { report, remains } = await this.#write(() => {
      const work = (): Merged => mergeEvents(this.#store, events, nowMs);
      return dryRun ? withoutEffect(this.#store.database, work) : work();
    });
    if (!dryRun) await this.#forget(remains);
    return report;
  }

  async compact(actor: string): Promise<CompactReport> {
    const dropped = await this.#write(() => compactLog(this.#store, this.#stamp(actor)));
    if (dropped > 0) await this.#wipe();
    const { database } = this.#store;
    const { events } = readStats(database, { projects: [], agents: [] });
    return { dropped, events, ...horizonOfLog(database), stateHash: this.#store.stateHash() };
  }

  async purge(ids: readonly string[], actor: string): Promise<PurgeReport> {
    const { purged, remains } = await this.#write(() => {
      return purgeMemories(this.#store, ids, this.#stamp(actor));
    });
    const { driver = sqliteDriver() } = this.#options;
    const warnings = await this.#forget(remains);
    return { purged, warnings: [...warnings, ...dropBackupsOf(driver, this.location, purged)] };
  }

  async putEvidence(bytes: Uint8Array): Promise<string> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await this.#write(() => {
      this.#store.database
        .prepare('INSERT OR IGNORE INTO evidence (sha256, bytes) VALUES (?, ?)')
        .run(sha256, bytes);
    });
    return sha256;
  }

  async evidence(sha256: string): Promise<Uint8Array | undefined> {
    const row = this.#store.database
      .prepare('SELECT bytes FROM evidence WHERE sha256 = ?')
      .get(sha256);
    return row && new Uint8Array(row['bytes'] as Uint8Array);
  }

  /** Several reads of tables beside the engine's own, as one. */
  inspect<T>(work: (database: Database) => T): T {
    return inSnapshot(this.#store.database, () => work(this.#store.database));
  }

  /**
   * Writes what is derived from elsewhere, in one transaction and without an event.
   * @throws LociError busy, unavailable
   */
  derive<T>(work: (database: Database) => T): Promise<T> {
    return this.#write(() => work(this.#store.database));
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    this.#vectors.close();
    this.#store.database.close();
  }

  #stamp(actor: string): WriterStamp {
    const { clock, ids } = this.#options;
    return { replica: this.#replica, actor, clock, ids };
  }

  /** Drops what nothing speaks of any more, and then the bytes of all that was deleted. */
  async #forget({ isEmpty, blobs, texts }: Remains): Promise<readonly string[]> {
    if (isEmpty) return [];
    await this.#write(() => {
      const drop = this.#store.database.prepare('DELETE FROM evidence WHERE sha256 = ?');
      for (const blob of blobs) drop.run(blob);
    });
    await this.#vectors.forget(texts);
    return this.#wipe();
  }

  /** @returns a warning when others were at the store all the time */
  async #wipe(): Promise<readonly string[]> {
    try {
      await this.#turns.take(() => wipe(this.#store.database, this.location));
      return [];
    } catch (error) {
      return [`${(error as Error).message}; bytes of what was deleted may still be there`];
    } finally {
      this.#keywords.invalidate();
    }
  }

  #report(): RebuildReport {
    const { total, events } = readStats(this.#store.database, { projects: 'all', agents: 'all' });
    const stateHash = this.#store.stateHash();
    return { memories: total, events, edits: 0, written: 0, stateHash, problems: [] };
  }

  /** One transaction for all that wait; one that fails changes nothing and stops nobody. */
  async #run(batch: readonly Waiting<Commit, Committed<unknown>>[]): Promise<void> {
    const settle = await this.#write(() =>
      batch.map((waiting) => {
        try {
          const committed = withinTransaction(this.#store.database, () => {
            return this.#commit(waiting.request);
          });
          return () => waiting.resolve(committed);
        } catch (error) {
          return () => waiting.reject(error);
        }
      }),
    );
    for (const answer of settle) answer();
  }

  #commit({ request, decide }: Commit): Committed<unknown> {
    const state = this.#store.stateFor(request);
    const { changes, result } = decide(state);
    const stamp = { ...this.#stamp(request.actor), run: request.run };
    try {
      const { events, lines } = this.#store.prepare(changes, state, stamp);
      this.#store.append(events, lines, stamp.clock.nowMs());
      return { result, events, warnings: [] };
    } catch (error) {
      throw storeError(error, this.location);
    }
  }

  /** Writes what is derived and can be written another time. */
  async #writeIfFree(work: (database: Database) => void): Promise<void> {
    if (!this.#turns.idle) return;
    const { database } = this.#store;
    await this.#turns.take(async () => {
      inTransactionIfFree(database, () => work(database));
    });
  }

  #write<T>(work: () => T): Promise<T> {
    return this.#turns.take(async () => {
      try {
        return await inTransaction(this.#store.database, this.location, work, this.#options);
      } catch (error) {
        throw storeError(error, this.location);
      } finally {
        this.#keywords.invalidate();
      }
    });
  }
}
