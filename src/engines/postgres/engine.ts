import { createHash } from 'node:crypto';
import type { CommitState, Decision } from '../../domain/change.ts';
import type { EmbeddingModel } from '../../domain/embedding.ts';
import { LociError } from '../../domain/errors.ts';
import type { LogEvent, ProjectName } from '../../domain/event.ts';
import { foldAll } from '../../domain/evolve.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Memory, StoredMemory } from '../../domain/memory.ts';
import { foldEntities, type RecordKind, type StoreRecord } from '../../domain/record.ts';
import type { Edge } from '../../domain/relation.ts';
import { StateHasher, stateHash } from '../../domain/state-hash.ts';
import { VIEW_ALL, type View } from '../../domain/view.ts';
import type {
  CommitRequest,
  Committed,
  CompactReport,
  Engine,
  FeedPage,
  Head,
  KeywordRequest,
  KeywordResult,
  MergeOptions,
  MergeReport,
  NearestRequest,
  NearestResult,
  PendingText,
  PurgeReport,
  RebuildReport,
  ReindexOptions,
  ReplayOptions,
  SelectPage,
  SelectRequest,
  Stats,
  TokenCount,
  VectorCounts,
  VectorRow,
  Verification,
} from '../../ports/engine.ts';
import { checkEvidence } from '../shared/check-evidence.ts';
import { checkLog } from '../shared/check-log.ts';
import { CommitQueue } from '../shared/commit-queue.ts';
import {
  commitBatch,
  requireHeader,
  type Commit,
  type CommitContext,
  type WaitingCommit,
} from './commit.ts';
import { LostConnection, type Driver, type Session } from './driver.ts';
import { PostgresDocuments } from './documents.ts';
import { readHeader, writeHeader, type Header } from './header.ts';
import { KeywordIndex } from './keyword-index.ts';
import { beginCommit, beginDerived, beginSnapshot, lockOf, type Schemas } from './names.ts';
import { compactLog, mergeEvents, purgeMemories, readHorizon } from './log-life.ts';
import { list, plain } from './parameters.ts';
import { databaseError, isAway, isContention } from './postgres-error.ts';
import {
  countEvents,
  countMemories,
  eventPages,
  memoryPages,
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
import { documentSchema } from './set-up.ts';
import { readModels } from './vector-tables.ts';
import {
  countVectors,
  dropModels,
  putVectorRows,
  readNearest,
  readPending,
  VECTOR_LIMITS,
  vectorFindings,
  type VectorLimits,
} from './vectors.ts';
import { WorkingSet } from './working-set.ts';
import { writeMemories } from './write.ts';

export interface EngineParts extends CommitContext {
  readonly kind: string;
  readonly driver: Driver;
  readonly schemas: Schemas;
  /** Milliseconds a write waits for other processes, and for a server that is away. */
  readonly deadlineMs: number;
  readonly vectorLimits?: VectorLimits;
}

/** Between attempts to reach a server that is away, milliseconds. */
const PAUSE_MS = 100;
/** Waiting for a lock on derived rows, milliseconds: vectors and counts can wait. */
const DERIVED_WAIT_MS = 2000;

/** Log, state and index as tables of one schema of a PostgreSQL database. */
export class PostgresEngine implements Engine {
  readonly kind: string;
  readonly location: string;
  readonly isolated: boolean;
  readonly #parts: EngineParts;
  readonly #limits: VectorLimits;
  readonly #keywords = new KeywordIndex();
  readonly #queue = new CommitQueue<Commit, Committed<unknown>>((batch) => this.#run(batch));

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#limits = parts.vectorLimits ?? VECTOR_LIMITS;
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
    return this.#read((session) => readByRefs(session, refs, view));
  }

  select(request: SelectRequest): Promise<SelectPage> {
    return this.#read((session) => readSelection(session, request));
  }

  keyword(request: KeywordRequest): Promise<KeywordResult> {
    return this.#keywords.search((work) => this.#read(work), request);
  }

  nearest(request: NearestRequest): Promise<NearestResult> {
    return this.#read((session) => readNearest(session, request, this.#limits));
  }

  pendingVectors(model: string, limit: number): Promise<readonly PendingText[]> {
    return this.#derive((session) => readPending(session, model, limit));
  }

  putVectors(model: EmbeddingModel, rows: readonly VectorRow[]): Promise<void> {
    return this.#derive((session) => putVectorRows(session, model, rows, this.#limits));
  }

  vectorCounts(model: string): Promise<VectorCounts> {
    return this.#read((session) => countVectors(session, model));
  }

  vectorModels(): Promise<readonly EmbeddingModel[]> {
    return this.#read(readModels);
  }

  dropVectors(models: readonly string[]): Promise<void> {
    return this.#derive((session) => dropModels(session, models));
  }

  edges(ids: readonly string[], view: View): Promise<Edge[]> {
    return this.#read((session) => readEdges(session, ids, view));
  }

  history(id: string): Promise<LogEvent[]> {
    return this.#read((session) => readHistory(session, id));
  }

  eventsNamed(ref: string): Promise<LogEvent[]> {
    return this.#read((session) => readNamed(session, ref));
  }

  records(kind: RecordKind, view: View): Promise<readonly StoreRecord[]> {
    return this.#read((session) => readRecords(session, kind, view));
  }

  async events(after: number, limit: number): Promise<LogEvent[]> {
    return [...(await this.feed(after, limit)).events];
  }

  feed(after: number, limit: number): Promise<FeedPage> {
    return this.#read((session) => readFeed(session, after, limit));
  }

  async head(): Promise<Head> {
    const [header, horizon] = await this.#read((session) =>
      Promise.all([readHeader(session), readHorizon(session)]),
    );
    if (!header) {
      throw new LociError('corrupt', `${this.location}: the row about the store is missing`);
    }
    const { store, replica, epoch, position } = header;
    return { store, replica, epoch, position, ...horizon };
  }

  async stats(view: View): Promise<Stats> {
    const stats = await this.#read((session) => readStats(session, view));
    return { ...stats, index: 'in the database' };
  }

  projects(): Promise<readonly ProjectName[]> {
    return this.#read(readProjects);
  }

  findings(): Promise<readonly Finding[]> {
    return this.#read(vectorFindings);
  }

  async putTokens(counts: readonly TokenCount[]): Promise<void> {
    if (counts.length === 0) return;
    await this.#derive(async (session) => {
      session.send(
        `WITH free AS MATERIALIZED (
           SELECT pg_try_advisory_xact_lock(${lockOf(this.#parts.schemas)}) AS ok)
         UPDATE memories m SET tokens = q.tokens
         FROM free, unnest($1::text[], $2::integer[], $3::integer[]) AS q (id, version, tokens)
         WHERE free.ok AND m.id = q.id AND m.version = q.version AND m.tokens IS NULL`,
        [
          list(counts.map(({ id }) => id)),
          list(counts.map(({ version }) => version)),
          list(counts.map(({ tokens }) => tokens)),
        ],
      );
    });
  }

  async verify(): Promise<Verification> {
    const { problems, hash } = await this.#read(async (session) => {
      const events: LogEvent[] = [];
      for await (const page of eventPages(session, 2000)) events.push(...page);
      const memories: Memory[] = [];
      for await (const page of memoryPages(session)) memories.push(...page);
      const blobs = await session.query('SELECT sha256 FROM evidence');
      const known = new Set(blobs.map((row) => row['sha256'] as string));
      const problems = [...checkLog(events), ...checkEvidence(memories, (one) => known.has(one))];
      const hash = stateHash(memories, await readRecords(session, 'entity', VIEW_ALL));
      if (stateHash(foldAll(events), foldEntities(events)) !== hash) problems.push(DIFFERS);
      return { problems, hash };
    });
    const of = (check: string): boolean => !problems.some((problem) => problem.check === check);
    return {
      stateHash: hash,
      logOk: of('log'),
      filesOk: true,
      indexOk: of('index'),
      problems,
    };
  }

  reindex({ progress }: ReindexOptions = {}): Promise<RebuildReport> {
    return this.#write(async (session, header) => {
      await rebuild(session, header, progress);
      return report(session);
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
    await this.#derive(async (session) => {
      session.send(
        'INSERT INTO evidence (sha256, bytes) VALUES ($1::text, $2::bytea) ON CONFLICT DO NOTHING',
        [sha256, bytes],
      );
    });
    return sha256;
  }

  evidence(sha256: string): Promise<Uint8Array | undefined> {
    return this.#read(async (session) => {
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
    return this.#read(work);
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
    const decided = async (session: Session): Promise<void> => {
      ({ events, answers } = await commitBatch(session, batch, this.#parts));
    };
    await this.#patiently(async (leftMs) => {
      const begin = beginCommit(this.#parts.schemas, leftMs);
      try {
        await this.#parts.driver.transaction({ begin }, decided);
      } catch (error) {
        if (!(error instanceof LostConnection)) throw error;
        if (!(await this.#landed(events))) throw error.cause;
      }
    });
    for (const answer of answers) answer();
  }

  /** Whether the events of a commit are on the log, when its answer was lost. */
  async #landed(events: readonly LogEvent[]): Promise<boolean> {
    const [event] = events;
    if (!event) return true;
    try {
      return await this.#patiently((leftMs) => {
        // Whoever has the lock knows that the lost transaction is over.
        const begin = beginCommit(this.#parts.schemas, leftMs);
        return this.#parts.driver.transaction({ begin }, async (session) => {
          const rows = await session.query(
            'SELECT 1 FROM events WHERE subject = $1::text AND id = $2::text',
            [event.subject, event.id],
          );
          return rows.length > 0;
        });
      });
    } catch (error) {
      throw new LociError(
        'unavailable',
        `${this.location}: the connection was lost, and it is not known whether the change was stored`,
        'Look for it before you store it again.',
        { cause: error },
      );
    }
  }

  #write<T>(work: (session: Session, header: Header) => Promise<T>): Promise<T> {
    return this.#patiently((leftMs) => {
      const begin = beginCommit(this.#parts.schemas, leftMs);
      return this.#parts.driver.transaction({ begin }, async (session) => {
        return work(session, await requireHeader(session, this.location, this.isolated));
      });
    });
  }

  /** Writes of what is derived, without the commit lock. */
  async #derive<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const begin = beginDerived(this.#parts.schemas, DERIVED_WAIT_MS);
    try {
      return await this.#parts.driver.transaction({ begin }, work);
    } catch (error) {
      throw databaseError(error, this.location);
    }
  }

  /** A connection may have been lost long before anybody noticed: the second one is new. */
  async #read<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const options = { begin: beginSnapshot(this.#parts.schemas), readOnly: true };
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#parts.driver.transaction(options, work);
      } catch (error) {
        if (attempt === 2 || !isAway(error)) throw databaseError(error, this.location);
      }
    }
  }

  /** Tries again while the server is away or others are in the way, until the deadline. */
  async #patiently<T>(work: (leftMs: number) => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + this.#parts.deadlineMs;
    for (;;) {
      try {
        return await work(Math.max(1, giveUpAt - performance.now()));
      } catch (error) {
        const mayPass = isAway(error) || isContention(error);
        if (!mayPass || performance.now() + PAUSE_MS > giveUpAt) {
          throw databaseError(error, this.location);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (0.5 + Math.random())));
    }
  }
}

const DIFFERS: Finding = {
  check: 'index',
  severity: 'error',
  message: 'the state differs from what the log says',
  hint: 'Run: loci reindex',
};

async function hashOf(session: Session): Promise<string> {
  const hasher = new StateHasher();
  for await (const page of memoryPages(session)) {
    for (const memory of page as readonly Memory[]) hasher.add(memory);
  }
  for (const entity of await readRecords(session, 'entity', VIEW_ALL)) hasher.addEntity(entity);
  return hasher.digest();
}

async function report(session: Session): Promise<RebuildReport> {
  const [memories, events, hash] = await Promise.all([
    countMemories(session),
    countEvents(session),
    hashOf(session),
  ]);
  return { memories, events, edits: 0, written: 0, stateHash: hash, problems: [] };
}

/** Undoes the transaction of a merge that was only to say what it would do. */
class Foretold extends Error {
  readonly report: MergeReport;

  constructor(report: MergeReport) {
    super('a dry run changes nothing');
    this.report = report;
  }
}
