import { advanceClock, eventsOf } from '../../domain/append.ts';
import type { CommitState, Decision } from '../../domain/change.ts';
import type { EmbeddingModel } from '../../domain/embedding.ts';
import {
  compareEvents,
  envelopeHash,
  isMemoryEvent,
  type LogEvent,
  type ProjectName,
} from '../../domain/event.ts';
import { foldSubject } from '../../domain/evolve.ts';
import type { Finding } from '../../domain/finding.ts';
import { contentKeyOf } from '../../domain/identity.ts';
import type { Memory, StoredMemory } from '../../domain/memory.ts';
import { planQuery, scoreEntry } from '../../domain/ranking/bm25.ts';
import { entryOf, type IndexEntry } from '../../domain/ranking/entry.ts';
import {
  foldEntities,
  latestRecords,
  recordKindOf,
  type RecordKind,
  type StoreRecord,
} from '../../domain/record.ts';
import { compareEdges, type Edge } from '../../domain/relation.ts';
import { compareInSession } from '../../domain/session.ts';
import { stateHash } from '../../domain/state-hash.ts';
import { passes, sees, VIEW_ALL, type View } from '../../domain/view.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  CommitRequest,
  Committed,
  Engine,
  Head,
  KeywordHit,
  KeywordRequest,
  KeywordResult,
  NearestRequest,
  NearestResult,
  PendingText,
  RebuildReport,
  ReplayOptions,
  SelectPage,
  SelectRequest,
  Stats,
  TokenCount,
  VectorCounts,
  VectorRow,
  Verification,
} from '../../ports/engine.ts';
import type { Ids } from '../../ports/ids.ts';
import { checkLog } from '../shared/check-log.ts';
import { commitState } from '../shared/commit-state.ts';
import { frequentTags } from '../shared/frequent-tags.ts';
import { termParts } from '../shared/term-parts.ts';
import { InMemoryVectors } from './vectors.ts';

export interface InMemoryOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly isolated?: boolean;
}

interface Current {
  readonly stored: StoredMemory;
  readonly conflictOf?: string;
}

/**
 * The executable specification: a list of events and what they fold to, scanned for every answer.
 * Other engines must answer as this one does.
 */
export class InMemoryEngine implements Engine {
  readonly kind = 'in-memory';
  readonly location = 'memory:';
  readonly isolated: boolean;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #store: string;
  readonly #replica: string;
  readonly #tokens = new Map<string, number>();
  readonly #vectors = new InMemoryVectors();
  #events: LogEvent[] = [];
  #current = new Map<string, Current>();

  constructor({ clock, ids, isolated = false }: InMemoryOptions) {
    this.#clock = clock;
    this.#ids = ids;
    this.isolated = isolated;
    this.#store = ids.ulid(clock.nowMs());
    this.#replica = ids.ulid(clock.nowMs());
  }

  async commit<T>(
    { actor, run }: CommitRequest,
    decide: (state: CommitState) => Decision<T>,
  ): Promise<Committed<T>> {
    const { changes, result } = decide(this.#state());
    const own = this.#events.filter((event) => event.replica === this.#replica);
    const last = own.at(-1);
    const nowMs = this.#clock.nowMs();
    const tip = {
      replica: this.#replica,
      rseq: own.length,
      prev: last ? envelopeHash(last) : '',
      hlc: this.#events.reduce((hlc, event) => advanceClock(hlc, event, nowMs), 0),
    };
    const events = eventsOf(changes, tip, {
      nowMs,
      actor,
      run,
      ulid: (ms) => this.#ids.ulid(ms),
      salt: () => this.#ids.salt(),
      headsOf: (subject) => this.#current.get(subject)?.stored.heads ?? [],
    });
    this.#append(events);
    return { result, events, warnings: [] };
  }

  async get(refs: readonly string[], view: View): Promise<StoredMemory[]> {
    const ids = new Set(refs.flatMap((ref) => [ref, ref.toUpperCase()]));
    return this.#visible(view).filter(
      ({ memory }) => ids.has(memory.id) || memory.external_ids.some((id) => refs.includes(id)),
    );
  }

  async select(request: SelectRequest): Promise<SelectPage> {
    const { view, filter, sort, descending, limit, after } = request;
    const sign = descending ? -1 : 1;
    const compare = (a: Keyed, b: Keyed): number => {
      if (a.value !== b.value) return a.value < b.value ? -sign : sign;
      return a.id === b.id ? 0 : a.id < b.id ? -sign : sign;
    };
    const keyed = ({ memory }: StoredMemory): Keyed => ({ value: memory[sort], id: memory.id });
    const all = this.#visible(view)
      .filter(({ memory }) => passes(filter, memory))
      .sort((a, b) => compare(keyed(a), keyed(b)));
    const rows = after ? all.filter((stored) => compare(keyed(stored), after) > 0) : all;
    return { rows: rows.slice(0, limit), total: all.length };
  }

  async keyword(request: KeywordRequest): Promise<KeywordResult> {
    const { view, filter, query, k, explain, weights } = request;
    const documents = this.#visible(view).map((stored) => ({
      stored,
      entry: entryOf(stored.memory, this.#previous(stored.memory)),
    }));
    const documentFrequency = query.terms.map(
      ({ term }) => documents.filter(({ entry }) => entry.terms.has(term)).length,
    );
    const totalLength = documents.reduce((sum, { entry }) => sum + entry.length, 0);
    const plan = planQuery(
      query,
      documentFrequency,
      { documents: documents.length, totalLength },
      weights,
    );
    const hits: (KeywordHit & { entry: IndexEntry })[] = [];
    for (const { stored, entry } of documents) {
      const raw = scoreEntry(plan, query, entry);
      if (raw === undefined || !passes(filter, stored.memory)) continue;
      const { id, session_id: session } = stored.memory;
      hits.push({ id, session, stored, raw, length: entry.length, entry });
    }
    hits.sort((a, b) => b.raw - a.raw || (a.id < b.id ? -1 : 1));
    const best = hits.slice(0, k).map(({ entry, ...hit }): KeywordHit => {
      return explain ? { ...hit, terms: termParts(plan, query, entry) } : hit;
    });
    return { hits: best, plan, documentFrequency, matched: hits.length };
  }

  async nearest(request: NearestRequest): Promise<NearestResult> {
    return this.#vectors.nearest(request, this.#visible(request.view));
  }

  async pendingVectors(model: string, limit: number): Promise<readonly PendingText[]> {
    return this.#vectors.pending(model, limit, this.#visible(VIEW_ALL));
  }

  async putVectors(model: EmbeddingModel, rows: readonly VectorRow[]): Promise<void> {
    this.#vectors.put(model, rows);
  }

  async vectorCounts(model: string, view = VIEW_ALL): Promise<VectorCounts> {
    return this.#vectors.counts(model, this.#visible(view));
  }

  async vectorsOf(model: string, keys: readonly string[]): Promise<readonly VectorRow[]> {
    return this.#vectors.rowsOf(model, keys);
  }

  async vectorModels(): Promise<readonly EmbeddingModel[]> {
    return this.#vectors.models();
  }

  async dropVectors(models: readonly string[]): Promise<void> {
    this.#vectors.drop(models);
  }

  async edges(ids: readonly string[], view: View): Promise<Edge[]> {
    const visible = this.#visible(view);
    const seen = new Set(visible.map(({ memory }) => memory.id));
    return visible
      .flatMap(({ memory }) => memory.relations.map((edge) => ({ source: memory.id, ...edge })))
      .filter((edge) => ids.includes(edge.source) || ids.includes(edge.target))
      .filter((edge) => seen.has(edge.target))
      .sort(compareEdges);
  }

  async history(id: string): Promise<LogEvent[]> {
    return this.#events.filter((event) => event.subject === id);
  }

  async eventsNamed(ref: string): Promise<LogEvent[]> {
    return this.#events.filter((event) => event.id === ref || event.run === ref);
  }

  async records(kind: RecordKind, view: View): Promise<readonly StoreRecord[]> {
    return [...latestRecords(this.#events).values()]
      .filter((event) => recordKindOf(event) === kind)
      .map((event) => event.data as StoreRecord)
      .filter((record) => sees(view, record))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async events(after: number, limit: number): Promise<LogEvent[]> {
    return this.#events.slice(after, after + limit);
  }

  async append(events: readonly LogEvent[]): Promise<number> {
    const before = this.#events.length;
    this.#append(events);
    return this.#events.length - before;
  }

  async head(): Promise<Head> {
    const position = this.#events.length;
    return { store: this.#store, replica: this.#replica, epoch: this.#replica, position };
  }

  async stats(view: View): Promise<Stats> {
    const visible = this.#visible(view);
    const memories = visible.map(({ memory }) => memory);
    const recorded = visible.filter(({ heads }) => heads.length > 0);
    return {
      byAgent: count(memories.map(({ agent }) => agent ?? '')),
      changes: recorded.reduce((sum, { version }) => sum + version, 0),
      total: memories.length,
      byType: count(memories.map((memory) => memory.type)),
      byTier: count(memories.map((memory) => memory.tier)),
      byStatus: count(memories.map((memory) => memory.status)),
      byProject: count(memories.map((memory) => memory.project)),
      tags: frequentTags(count(memories.flatMap((memory) => memory.tags))),
      events: this.#events.length,
      position: this.#events.length,
      index: 'none: every answer is a scan',
    };
  }

  async projects(): Promise<readonly ProjectName[]> {
    return this.#projects();
  }

  async findings(): Promise<readonly Finding[]> {
    return [];
  }

  async putTokens(counts: readonly TokenCount[]): Promise<void> {
    for (const { id, version, tokens } of counts) {
      if (this.#current.get(id)?.stored.version !== version || this.#tokens.has(id)) continue;
      this.#tokens.set(id, tokens);
    }
  }

  async verify(): Promise<Verification> {
    const problems = checkLog(this.#events);
    const logOk = problems.length === 0;
    return { stateHash: this.#hash(), logOk, filesOk: true, indexOk: true, problems };
  }

  reindex(): Promise<RebuildReport> {
    return this.replay();
  }

  async replay({ events }: ReplayOptions = {}): Promise<RebuildReport> {
    const all = [...this.#events, ...(events ?? [])];
    this.#events = [];
    this.#current = new Map();
    this.#append(all);
    return {
      memories: this.#current.size,
      events: this.#events.length,
      edits: 0,
      written: 0,
      stateHash: this.#hash(),
      problems: [],
    };
  }

  /** Changes what is derived from elsewhere, without an event. */
  derive(removed: Iterable<string>, put: readonly Memory[]): void {
    for (const id of removed) {
      this.#current.delete(id);
      this.#tokens.delete(id);
    }
    for (const memory of put) {
      this.#current.set(memory.id, { stored: { memory, version: 1, heads: [] } });
      this.#tokens.delete(memory.id);
    }
  }

  async close(): Promise<void> {}

  #append(events: readonly LogEvent[]): void {
    const known = new Set(this.#events.map((event) => event.id));
    for (const event of events) {
      if (known.has(event.id)) continue;
      known.add(event.id);
      this.#events.push(event);
    }
    // One pass for all subjects together: a whole log may come at once.
    const histories = new Map(events.map(({ subject }) => [subject, [] as LogEvent[]]));
    for (const event of this.#events) histories.get(event.subject)?.push(event);
    for (const [id, { conflictOf }] of this.#current) {
      if (conflictOf === undefined || !histories.has(conflictOf)) continue;
      this.#current.delete(id);
      this.#tokens.delete(id);
    }
    for (const [subject, history] of histories) this.#fold(subject, history);
  }

  #fold(subject: string, history: readonly LogEvent[]): void {
    const evolved = foldSubject(history.filter(isMemoryEvent));
    this.#tokens.delete(subject);
    if (!evolved) return;
    this.#current.set(subject, { stored: evolved.stored });
    if (!evolved.conflict) return;
    const stored = { memory: evolved.conflict, version: 1, heads: [] };
    this.#current.set(evolved.conflict.id, { stored, conflictOf: subject });
  }

  #state(): CommitState {
    const read = [...this.#current.values()].map((current) => {
      const { memory } = current.stored;
      const key = contentKeyOf(memory, this.isolated);
      return { ...current, contentKey: key };
    });
    const records = [...latestRecords(this.#events)].map(
      ([subject, { data }]) => [subject, data as StoreRecord] as const,
    );
    return commitState(read, this.#projects(), new Map(records));
  }

  #projects(): ProjectName[] {
    const names = new Map<string, ProjectName>();
    const named = this.#events.filter((event) => event.kind === 'project.named');
    for (const event of named.sort(compareEvents)) {
      const project = event.data as ProjectName;
      names.set(project.key, project);
    }
    return [...names.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  #visible(view: View): StoredMemory[] {
    return [...this.#current.values()]
      .map(({ stored }) => this.#withTokens(stored))
      .filter(({ memory }) => sees(view, memory));
  }

  #withTokens(stored: StoredMemory): StoredMemory {
    const tokens = stored.tokens ?? this.#tokens.get(stored.memory.id);
    return tokens === undefined ? stored : { ...stored, tokens };
  }

  /** The memory before this one in its session, in the same project and drawer. */
  #previous(memory: Memory): Memory | undefined {
    if (memory.session_id === undefined) return undefined;
    return [...this.#current.values()]
      .map(({ stored }) => stored.memory)
      .filter((other) => other.session_id === memory.session_id)
      .filter((other) => other.project === memory.project && other.agent === memory.agent)
      .filter((other) => compareInSession(other, memory) < 0)
      .sort(compareInSession)
      .at(-1);
  }

  #hash(): string {
    const memories = [...this.#current.values()].map(({ stored }) => stored.memory);
    return stateHash(memories, foldEntities(this.#events));
  }
}

function count(keys: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Object.fromEntries(counts);
}

interface Keyed {
  readonly value: string | number;
  readonly id: string;
}
