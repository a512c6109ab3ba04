import { createHash } from 'node:crypto';
import type { CommitState, Decision } from '../../domain/change.ts';
import { fingerprintOf, type EmbeddingModel } from '../../domain/embedding.ts';
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
import { CommitQueue } from '../shared/commit-queue.ts';
import { placeOf } from '../shared/place.ts';
import {
  commitBatch,
  requireHeader,
  type Commit,
  type CommitContext,
  type WaitingCommit,
} from './commit.ts';
import { Backlog } from './backlog.ts';
import type { Driver, Session } from './driver.ts';
import { PostgresDocuments } from './documents.ts';
import { readHeader, writeHeader, type Header } from './header.ts';
import { readCitationCounts, readTagged, writeCitations } from './graph.ts';
import { KeywordIndex } from './keyword-index.ts';
import { compactLog, mergeEvents, purgeMemories, readHorizon } from './log-life.ts';
import { readNote, writeNote } from './notes.ts';
import { SCHEMA_VERSION } from './migrations.ts';
import { plain } from './parameters.ts';
import {
  countEvents,
  readByRefs,
  readEdges,
  readFeed,
  readHistory,
  readNamed,
  readProjects,
  readRecords,
  readSelection,
  readStats,
} from './reader.ts';
import { rebuild } from './rebuild.ts';
import { documentSchema, readGround } from './set-up.ts';
import { VectorIndex } from './vector-index.ts';
import { readModels, readVectorRows } from './vector-tables.ts';
import {
  countVectors,
  dropModels,
  putVectorRows,
  VECTOR_LIMITS,
  vectorFindings,
  type VectorLimits,
} from './vectors.ts';
import { LikelySpaces } from './space-rows.ts';
import { Spaces } from './spaces.ts';
import { Transactions, type TransactionParts } from './transactions.ts';
import { hashOf, rebuildReport, verifyStore } from './verify.ts';
import { WorkingSet } from './working-set.ts';
import { writeMemories, writeTokens } from './write.ts';

export interface EngineParts extends CommitContext, TransactionParts {
  readonly kind: string;
  readonly location: string;
  /** The folder that it lies in, if it is on this machine. */
  readonly place?: string;
  readonly vectorLimits?: VectorLimits;
}

/** Log, state and index as tables of one schema of a PostgreSQL database. */
export class PostgresEngine implements Engine {
  readonly kind: string;
  readonly location: string;
  readonly isolated: boolean;
  readonly #parts: EngineParts;
  readonly #transactions: Transactions;
  readonly #spaces = new Spaces();
  readonly #keywords = new KeywordIndex(this.#spaces);
  readonly #vectors: VectorIndex;
  readonly #backlog = new Backlog();
  readonly #likely = new LikelySpaces();
  readonly #queue = new CommitQueue<Commit, Committed<unknown>>((batch) => this.#run(batch));

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#vectors = new VectorIndex(this.#spaces, parts.vectorLimits ?? VECTOR_LIMITS);
    this.#transactions = new Transactions(parts);
    this.kind = parts.kind;
    this.location = parts.location;
    this.isolated = parts.isolated;
  }

  commit<T>(
    request: CommitRequest,
    decide: (state: CommitState) => Decision<T>,
  ): Promise<Committed<T>> {
    return this.#queue.add({ request, decide }) as Promise<Committed<T>>;
  }

  get(refs: readonly string[], view: View): Promise<StoredMemory[]> {
    return this.#transactions.read((session) => readByRefs(session, refs, view));
  }

  select(request: SelectRequest): Promise<SelectPage> {
    return this.#transactions.read((session) => readSelection(session, request));
  }

  keyword(request: KeywordRequest): Promise<KeywordResult> {
    return this.#keywords.search((work) => this.#transactions.read(work), request);
  }

  nearest(request: NearestRequest): Promise<NearestResult> {
    return this.#vectors.nearest((work) => this.#transactions.read(work), request);
  }

  pendingVectors(model: string, limit: number): Promise<readonly PendingText[]> {
    return this.#transactions.derive((session) => this.#backlog.read(session, model, limit));
  }

  async putVectors(model: EmbeddingModel, rows: readonly VectorRow[]): Promise<void> {
    await this.#transactions.derive((session) => putVectorRows(session, model, rows));
    this.#backlog.kept(fingerprintOf(model));
  }

  vectorCounts(model: string, view?: View): Promise<VectorCounts> {
    return this.#transactions.read((session) => countVectors(session, model, view));
  }

  vectorsOf(model: string, keys: readonly string[]): Promise<readonly VectorRow[]> {
    return this.#transactions.read((session) => readVectorRows(session, model, keys));
  }

  vectorModels(): Promise<readonly EmbeddingModel[]> {
    return this.#transactions.read(readModels);
  }

  dropVectors(models: readonly string[]): Promise<void> {
    return this.#transactions.derive((session) => dropModels(session, models));
  }

  edges(ids: readonly string[], view: View): Promise<Edge[]> {
    return this.#transactions.read((session) => readEdges(session, ids, view));
  }

  tagged(request: TaggedRequest): Promise<ReadonlyMap<string, readonly TaggedMemory[]>> {
    return this.#transactions.read((session) => readTagged(session, request));
  }

  putCitations(view: View, citations: readonly Citation[]): Promise<void> {
    return this.#write(async (session) => writeCitations(session, view, citations));
  }

  citationCounts(ids: readonly string[], view: View): Promise<ReadonlyMap<string, number>> {
    return this.#transactions.read((session) => readCitationCounts(session, ids, view));
  }

  history(id: string): Promise<LogEvent[]> {
    return this.#transactions.read((session) => readHistory(session, id));
  }

  eventsNamed(ref: string): Promise<LogEvent[]> {
    return this.#transactions.read((session) => readNamed(session, ref));
  }

  records(kind: RecordKind, view: View): Promise<readonly StoreRecord[]> {
    return this.#transactions.read((session) => readRecords(session, kind, view));
  }

  async events(after: number, limit: number): Promise<LogEvent[]> {
    return [...(await this.feed(after, limit)).events];
  }

  feed(after: number, limit: number): Promise<FeedPage> {
    return this.#transactions.read((session) => readFeed(session, after, limit));
  }

  async head(): Promise<Head> {
    const [header, horizon] = await this.#transactions.read((session) =>
      Promise.all([readHeader(session), readHorizon(session)]),
    );
    if (!header) {
      throw new LociError('corrupt', `${this.location}: the row about the store is missing`);
    }
    const { store, replica, epoch, position } = header;
    return { store, replica, epoch, position, ...horizon };
  }

  async stats(view: View): Promise<Stats> {
    const stats = await this.#transactions.read((session) => readStats(session, view));
    return { ...stats, index: 'in the database' };
  }

  async about(): Promise<EngineAbout> {
    const { driver, version } = await this.#transactions.read(readGround);
    const { place } = this.#parts;
    return {
      driver,
      schema: { version, current: SCHEMA_VERSION },
      place: place === undefined ? null : placeOf(place),
    };
  }

  projects(): Promise<readonly ProjectName[]> {
    return this.#transactions.read(readProjects);
  }

  findings(): Promise<readonly Finding[]> {
    const isOnServer = this.#parts.place === undefined;
    return this.#transactions.read((session) => vectorFindings(session, isOnServer));
  }

  async putTokens(counts: readonly TokenCount[]): Promise<void> {
    if (counts.length === 0) return;
    await this.#transactions.deriveIfFree((session) => writeTokens(session, counts));
  }

  async putPage(): Promise<PageOutcome> {
    return 'nowhere';
  }

  note(name: string): Promise<string | undefined> {
    return this.#transactions.read((session) => readNote(session, name));
  }

  putNote(name: string, text: string): Promise<void> {
    return this.#transactions.deriveIfFree((session) => writeNote(session, name, text));
  }

  verify(): Promise<Verification> {
    return this.#transactions.read(verifyStore);
  }

  reindex({ progress }: ReindexOptions = {}): Promise<RebuildReport> {
    return this.#write(async (session, header) => {
      await rebuild(session, header, progress);
      return rebuildReport(session);
    });
  }

  replay({ progress }: ReplayOptions = {}): Promise<RebuildReport> {
    return this.reindex(progress ? { progress } : {});
  }

  async merge(
    events: readonly LogEvent[],
    { dryRun = false }: MergeOptions = {},
  ): Promise<MergeReport> {
    const work = async (session: Session, header: Header): Promise<MergeReport> => {
      const merged = await mergeEvents(session, header, events, this.#parts);
      writeHeader(session, header);
      const done = { ...merged, stateHash: await hashOf(session) };
      if (dryRun) throw new Foretold(done);
      return done;
    };
    try {
      return await this.#write(work);
    } catch (error) {
      const { cause } = error as LociError;
      if (cause instanceof Foretold) return cause.report;
      throw error;
    }
  }

  compact(actor: string): Promise<CompactReport> {
    return this.#write(async (session, header) => {
      const dropped = await compactLog(session, header, actor, this.#parts);
      writeHeader(session, header);
      const [events, horizon, hash] = [
        await countEvents(session),
        await readHorizon(session),
        await hashOf(session),
      ];
      return { dropped, events, ...horizon, stateHash: hash };
    });
  }

  purge(ids: readonly string[], actor: string): Promise<PurgeReport> {
    return this.#write(async (session, header) => {
      const purged = await purgeMemories(session, header, ids, actor, this.#parts);
      writeHeader(session, header);
      return { purged, warnings: [] };
    });
  }

  async putEvidence(bytes: Uint8Array): Promise<string> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await this.#transactions.derive(async (session) => {
      session.send(
        'INSERT INTO evidence (sha256, bytes) VALUES ($1::text, $2::bytea) ON CONFLICT DO NOTHING',
        [sha256, bytes],
      );
    });
    return sha256;
  }

  evidence(sha256: string): Promise<Uint8Array | undefined> {
    return this.#transactions.read(async (session) => {
      const [row] = await session.query('SELECT bytes FROM evidence WHERE sha256 = $1::text', [
        plain(sha256),
      ]);
      return row && new Uint8Array(row['bytes'] as Uint8Array);
    });
  }

  /** The documents of this store; they use its connections. */
  documents(): PostgresDocuments {
    const { driver, schemas } = this.#parts;
    const lent = {
      transaction: driver.transaction.bind(driver),
      close: async () => undefined,
    } satisfies Driver;
    const own = { ...schemas, own: documentSchema(schemas.own) };
    return new PostgresDocuments(
      new PostgresEngine({ ...this.#parts, driver: lent, schemas: own, isolated: false }),
    );
  }

  /** Several reads of tables beside the engine's own, as one. */
  inspect<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#transactions.read(work);
  }

  /** Changes memories that no event stands for, in one transaction. */
  change<T>(work: (session: Session, working: WorkingSet) => Promise<T>): Promise<T> {
    return this.#write(async (session, header) => {
      const working = new WorkingSet(session, header.isolated);
      const result = await work(session, working);
      header.revision += 1;
      await writeMemories(session, header, working.touched());
      writeHeader(session, header);
      return result;
    });
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#parts.driver.close();
  }

  async #run(batch: readonly WaitingCommit[]): Promise<void> {
    let events: readonly LogEvent[] = [];
    let answers: readonly (() => void)[] = [];
    await this.#transactions.commit(
      async (session) => {
        ({ events, answers } = await commitBatch(session, batch, this.#parts, this.#likely));
      },
      () => events,
    );
    for (const answer of answers) answer();
  }

  #write<T>(work: (session: Session, header: Header) => Promise<T>): Promise<T> {
    const { location, isolated } = this;
    return this.#transactions.write(async (session) =>
      work(session, await requireHeader(session, location, isolated)),
    );
  }
}

/** Undoes the transaction of a merge that was only to say what it would do. */
class Foretold extends Error {
  readonly report: MergeReport;

  constructor(report: MergeReport) {
    super('a dry run changes nothing');
    this.report = report;
  }
}
