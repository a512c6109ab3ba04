import { createHash } from 'node:crypto';
import { eventsOf } from '../../domain/append.ts';
import type { Change, CommitState, Decision } from '../../domain/change.ts';
import { COMPACTION_SUBJECT, horizonOf, planCompaction } from '../../domain/compaction.ts';
import type { EmbeddingModel } from '../../domain/embedding.ts';
import { isMemoryEvent, type LogEvent, type ProjectName } from '../../domain/event.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Citation } from '../../domain/graph/citations.ts';
import type { Memory, StoredMemory } from '../../domain/memory.ts';
import { newcomers } from '../../domain/newcomers.ts';
import { purgedSubject, remainsOf } from '../../domain/purge.ts';
import { entryOf, type IndexEntry } from '../../domain/ranking/entry.ts';
import {
  latestRecords,
  recordKindOf,
  type RecordKind,
  type StoreRecord,
} from '../../domain/record.ts';
import { compareEdges, type Edge } from '../../domain/relation.ts';
import { passes, sees, VIEW_ALL, type View } from '../../domain/view.ts';
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
  Verification,
} from '../../ports/log-life.ts';
import type { Ids } from '../../ports/ids.ts';
import { checkEvidence } from '../shared/check-evidence.ts';
import { checkLog } from '../shared/check-log.ts';
import { frequentTags } from '../shared/frequent-tags.ts';
import { EventLog } from './event-log.ts';
import { searchAll } from './keyword.ts';
import { projectsIn, State } from './state.ts';
import { InMemoryVectors } from './vectors.ts';

export interface InMemoryOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly isolated?: boolean;
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
  readonly #notes = new Map<string, string>();
  readonly #vectors = new InMemoryVectors();
  #citations: readonly Citation[] = [];
  readonly #evidence = new Map<string, Uint8Array>();
  readonly #entries = new WeakMap<
    Memory,
    { readonly previous: Memory | undefined; readonly entry: IndexEntry }
  >();
  #log = new EventLog();
  #state = new State();

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
    const { changes, result } = decide(this.#state.forCommit(this.#events, this.isolated));
    return { result, events: this.#write(changes, actor, run), warnings: [] };
  }

  async get(refs: readonly string[], view: View): Promise<StoredMemory[]> {
    const ids = new Set(refs.flatMap((ref) => [ref, ref.toUpperCase()]));
    return this.#state
      .visible(view)
      .filter(
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
    const all = this.#state
      .visible(view)
      .filter(({ memory }) => passes(filter, memory))
      .sort((a, b) => compare(keyed(a), keyed(b)));
    const rows = after ? all.filter((stored) => compare(keyed(stored), after) > 0) : all;
    return { rows: rows.slice(0, limit), total: all.length };
  }

  async keyword(request: KeywordRequest): Promise<KeywordResult> {
    const previous = this.#state.previous();
    const documents = this.#state.visible(request.view).map((stored) => {
      return { stored, entry: this.#entryOf(stored.memory, previous.get(stored.memory.id)) };
    });
    return searchAll(request, documents);
  }

  /** A recall asks several times for what it asks of all memories. */
  #entryOf(memory: Memory, previous: Memory | undefined): IndexEntry {
    const known = this.#entries.get(memory);
    if (known && known.previous === previous) return known.entry;
    const entry = entryOf(memory, previous);
    this.#entries.set(memory, { previous, entry });
    return entry;
  }

  async nearest(request: NearestRequest): Promise<NearestResult> {
    return this.#vectors.nearest(request, this.#state.visible(request.view));
  }

  async pendingVectors(model: string, limit: number): Promise<readonly PendingText[]> {
    return this.#vectors.pending(model, limit, this.#state.visible(VIEW_ALL));
  }

  async putVectors(model: EmbeddingModel, rows: readonly VectorRow[]): Promise<void> {
    this.#vectors.put(model, rows);
  }

  async vectorCounts(model: string, view = VIEW_ALL): Promise<VectorCounts> {
    return this.#vectors.counts(model, this.#state.visible(view));
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
    const visible = this.#state.visible(view);
    const seen = new Set(visible.map(({ memory }) => memory.id));
    return visible
      .flatMap(({ memory }) => memory.relations.map((edge) => ({ source: memory.id, ...edge })))
      .filter((edge) => ids.includes(edge.source) || ids.includes(edge.target))
      .filter((edge) => seen.has(edge.target))
      .sort(compareEdges);
  }

  async tagged({
    view,
    filter,
    tags,
    most,
  }: TaggedRequest): Promise<ReadonlyMap<string, readonly TaggedMemory[]>> {
    const memories = this.#state
      .visible(view)
      .map(({ memory }) => memory)
      .filter((memory) => passes(filter, memory))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    const bearers = new Map<string, readonly TaggedMemory[]>();
    for (const tag of tags) {
      const all = memories.filter((memory) => memory.tags.includes(tag));
      if (all.length === 0 || all.length > most) continue;
      bearers.set(
        tag,
        all.map(({ id, created_at }) => ({ id, created_at })),
      );
    }
    return bearers;
  }

  async putCitations(view: View, citations: readonly Citation[]): Promise<void> {
    const replaced = this.#state.idsIn(view);
    const kept = this.#citations.filter(({ source }) => !replaced.has(source));
    this.#citations = [...kept, ...citations];
  }

  async citationCounts(ids: readonly string[], view: View): Promise<ReadonlyMap<string, number>> {
    const seen = this.#state.idsIn(view);
    const counts = new Map<string, number>();
    for (const { source, target } of this.#citations) {
      if (!ids.includes(target) || !seen.has(source)) continue;
      counts.set(target, (counts.get(target) ?? 0) + 1);
    }
    return counts;
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
    return [...this.#log.page(after, limit).events];
  }

  async feed(after: number, limit: number): Promise<FeedPage> {
    return this.#log.page(after, limit);
  }

  async head(): Promise<Head> {
    const [replica, position] = [this.#replica, this.#log.end];
    return { store: this.#store, replica, epoch: replica, position, ...this.#horizon() };
  }

  async stats(view: View): Promise<Stats> {
    const memories = this.#state.visible(view).map(({ memory }) => memory);
    return {
      total: memories.length,
      byType: count(memories.map((memory) => memory.type)),
      byTier: count(memories.map((memory) => memory.tier)),
      byStatus: count(memories.map((memory) => memory.status)),
      byProject: count(memories.map((memory) => memory.project)),
      byAgent: count(memories.map((memory) => memory.agent ?? '')),
      changes: this.#changesIn(view),
      tags: frequentTags(count(memories.flatMap((memory) => memory.tags))),
      events: this.#events.length,
      position: this.#log.end,
      index: 'none: every answer is a scan',
    };
  }

  async about(): Promise<EngineAbout> {
    return { driver: null, schema: null, place: null };
  }

  async projects(): Promise<readonly ProjectName[]> {
    return projectsIn(this.#events);
  }

  async findings(): Promise<readonly Finding[]> {
    return [];
  }

  async putTokens(counts: readonly TokenCount[]): Promise<void> {
    for (const one of counts) this.#state.putTokens(one);
  }

  async putPage(): Promise<PageOutcome> {
    return 'nowhere';
  }

  async note(name: string): Promise<string | undefined> {
    return this.#notes.get(name);
  }

  async putNote(name: string, text: string): Promise<void> {
    this.#notes.set(name, text);
  }

  async verify(): Promise<Verification> {
    const log = checkLog(this.#events);
    const logOk = log.length === 0;
    const { memories } = this.#state;
    const problems = [...log, ...checkEvidence(memories, (hash) => this.#evidence.has(hash))];
    return { stateHash: this.#hash(), logOk, filesOk: true, indexOk: true, problems };
  }

  reindex(): Promise<RebuildReport> {
    return this.replay();
  }

  async replay(): Promise<RebuildReport> {
    this.#foldAll();
    return {
      memories: this.#state.size,
      events: this.#events.length,
      edits: 0,
      written: 0,
      stateHash: this.#hash(),
      problems: [],
    };
  }

  async merge(
    events: readonly LogEvent[],
    { dryRun = false }: MergeOptions = {},
  ): Promise<MergeReport> {
    const [log, state] = [this.#log, this.#state];
    const before = new Set(state.conflicts());
    const fresh = newcomers(log, events);
    this.#log = new EventLog(log);
    this.#state = new State(state);
    this.#append(fresh);
    const said = this.#scrub();
    const report = {
      events: fresh.length,
      memories: new Set(fresh.filter(isMemoryEvent).map(({ subject }) => subject)).size,
      conflicts: this.#state.conflicts().filter((id) => !before.has(id)),
      stateHash: this.#hash(),
    };
    if (dryRun) [this.#log, this.#state] = [log, state];
    else this.#forget(said);
    return report;
  }

  async compact(actor: string): Promise<CompactReport> {
    const plan = planCompaction(this.#events);
    if (plan) {
      const { compaction: data } = plan;
      this.#write([{ kind: 'log.compacted', subject: COMPACTION_SUBJECT, data }], actor);
      this.#log.compact(plan);
    }
    const [dropped, events] = [plan?.dropped.size ?? 0, this.#events.length];
    return { dropped, events, ...this.#horizon(), stateHash: this.#hash() };
  }

  async purge(ids: readonly string[], actor: string): Promise<PurgeReport> {
    const known = new Set(this.#events.filter(isMemoryEvent).map(({ subject }) => subject));
    const purged = [...new Set(ids)].filter((id) => known.has(id));
    const changes = purged.map((id): Change => {
      return { kind: 'memory.purged', subject: purgedSubject(id), data: null };
    });
    if (changes.length > 0) this.#write(changes, actor);
    this.#forget(this.#scrub());
    return { purged, warnings: [] };
  }

  async putEvidence(bytes: Uint8Array): Promise<string> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.#evidence.set(sha256, Uint8Array.from(bytes));
    return sha256;
  }

  async evidence(sha256: string): Promise<Uint8Array | undefined> {
    return this.#evidence.get(sha256);
  }

  /** Changes what is derived from elsewhere, without an event. */
  derive(removed: Iterable<string>, put: readonly Memory[]): void {
    for (const id of removed) this.#state.remove(id);
    for (const memory of put) this.#state.put(memory);
  }

  async close(): Promise<void> {}

  get #events(): readonly LogEvent[] {
    return this.#log.events;
  }

  #horizon(): { horizon?: string } {
    const horizon = horizonOf(this.#events);
    return horizon === undefined ? {} : { horizon };
  }

  #write(changes: readonly Change[], actor: string, run?: string): LogEvent[] {
    const nowMs = this.#clock.nowMs();
    const events = eventsOf(changes, this.#log.tip(this.#replica, nowMs), {
      nowMs,
      actor,
      run,
      ulid: (ms) => this.#ids.ulid(ms),
      salt: () => this.#ids.salt(),
      headsOf: (subject) => this.#state.headsOf(subject),
    });
    this.#append(events);
    return events;
  }

  #append(events: readonly LogEvent[]): void {
    this.#log.add(events);
    this.#fold(events);
  }

  #foldAll(): void {
    this.#citations = [];
    this.#state = new State();
    this.#fold(this.#events);
  }

  /** Brings the state up to what the log says of the subjects of some events. */
  #fold(events: readonly LogEvent[]): void {
    this.#state.fold(this.#events, new Set(events.map(({ subject }) => subject)));
  }

  #scrub(): readonly LogEvent[] {
    const said = this.#log.scrub();
    if (said.length > 0) {
      this.#notes.clear();
      this.#foldAll();
    }
    return said;
  }

  /** Drops blobs and vectors that only these events spoke of. */
  #forget(said: readonly LogEvent[]): void {
    const { blobs, texts } = remainsOf(said, this.#events);
    for (const blob of blobs) this.#evidence.delete(blob);
    this.#vectors.forget(texts);
  }

  #changesIn(view: View): number {
    if (view.projects === 'all' && view.agents === 'all') return this.#events.length;
    const subjects = this.#state.idsIn(view);
    for (const [subject, { data }] of latestRecords(this.#events)) {
      if (sees(view, data as StoreRecord)) subjects.add(subject);
    }
    for (const { key, name } of projectsIn(this.#events)) {
      if (view.projects === 'all' || view.projects.includes(name)) subjects.add(`project:${key}`);
    }
    return this.#events.filter(({ subject }) => subjects.has(subject)).length;
  }

  #hash(): string {
    return this.#state.hash(this.#events);
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
