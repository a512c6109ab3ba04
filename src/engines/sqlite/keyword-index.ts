import { entryOf } from '../../domain/ranking/entry.ts';
import { NO_TURN } from '../../domain/session.ts';
import { type Filter, type View } from '../../domain/view.ts';
import type { Memory } from '../../domain/memory.ts';
import type { KeywordRequest, KeywordResult } from '../../ports/engine.ts';
import { decodeIntegers, decodePostings } from '../shared/postings/codec.ts';
import { isTimed, verdictsOf } from '../shared/doc-state.ts';
import { termParts } from '../shared/term-parts.ts';
import { settled, tiesOf } from '../shared/ties.ts';
import { searchSegments, type SearchableSegment } from '../shared/postings/search.ts';
import { LiveSegment, type PostingList } from '../shared/postings/segment.ts';
import { readDocStates } from './doc-states.ts';
import type { Database, Value } from './drivers/driver.ts';
import { filterSql } from './filter-sql.ts';
import { inSnapshot } from './lock.ts';
import { readDeltas } from './postings-table.ts';
import { firstById, hitsOf } from './hits.ts';

interface LoadedSegment {
  readonly docs: Uint32Array;
  readonly lengths: Uint32Array;
  states: Uint8Array;
  whole: boolean;
}

interface SpaceIndex {
  readonly segments: Map<number, LoadedSegment>;
  live: LiveSegment;
  /** State of the store at which it was last brought up to date. */
  freshness: number;
}

/**
 * Keyword search over the postings tables. Document numbers, lengths and states are kept in
 * memory between searches and brought up to date when the database has changed; posting lists are
 * read for each query.
 */
export class KeywordIndex {
  readonly #database: Database;
  readonly #spaces = new Map<number, SpaceIndex>();
  #states: Uint8Array = new Uint8Array(0);
  #windows: Map<number, [number, number]> | undefined;
  #dataVersion = -1;
  /** Counts the rebuilds of the store: each gives out document numbers anew. */
  #generation: Value = null;
  #freshness = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Must be called after every change through this connection. */
  invalidate(): void {
    this.#dataVersion = -1;
  }

  search(request: KeywordRequest): KeywordResult {
    return inSnapshot(this.#database, () => this.#search(request));
  }

  /** What a view and a filter let through, as the database stands now. Call it inside a snapshot. */
  admission(view: View, filter: Filter): Admission {
    this.#refresh();
    const inView = new Uint8Array(this.#states.length);
    for (const { space } of this.#spacesOf(view)) {
      const { segments, live } = this.#space(space);
      for (const { docs } of segments.values()) markAll(inView, docs);
      markAll(inView, live.docs);
    }
    const states = this.#states;
    const admits = this.#admission(view, filter);
    return {
      generation: Number(this.#generation),
      wants: (doc) => inView[doc] === 1 && states[doc] !== 0 && admits(doc, states[doc] as number),
    };
  }

  /** Which documents are current (state not 0), as the database stands now. */
  living(): Living {
    this.#refresh();
    const [generation, freshness] = [Number(this.#generation), this.#freshness];
    return { generation, freshness, states: this.#states };
  }

  #search(request: KeywordRequest): KeywordResult {
    const { query, view, filter, k, explain, weights } = request;
    this.#refresh();
    const spaces = this.#spacesOf(view);
    const stats = { documents: 0, totalLength: 0 };
    for (const space of spaces) {
      stats.documents += space.documents;
      stats.totalLength += space.totalLength;
    }
    const terms = query.terms.map((term) => term.term);
    const segments = this.#segments(
      spaces.map(({ space }) => space),
      terms,
    );
    const admits = this.#admission(view, filter);
    const outcome = searchSegments({ query, stats, weights, segments, admits, k });
    const ties = tiesOf(outcome.best, k);
    const first = firstById(this.#database, ties.tied, ties.places, this.#states.length);
    const best = hitsOf(this.#database, settled(ties, first));
    if (explain) {
      for (const hit of best) {
        const { memory } = hit.stored;
        const entry = entryOf(memory, this.#previous(memory, Number(hit.row['space'])));
        hit.terms = termParts(outcome.plan, query, entry);
      }
    }
    return {
      hits: best,
      plan: outcome.plan,
      documentFrequency: outcome.documentFrequency,
      matched: outcome.matched,
    };
  }

  #refresh(): void {
    const version = Number(this.#database.prepare('PRAGMA data_version').get()?.['data_version']);
    if (version === this.#dataVersion) return;
    this.#dataVersion = version;
    this.#freshness += 1;
    const row = this.#database.prepare("SELECT value FROM meta WHERE key = 'generation'").get();
    const generation = row?.['value'] ?? null;
    if (generation !== this.#generation) this.#spaces.clear();
    this.#generation = generation;
    this.#states = readDocStates(this.#database);
    this.#windows = undefined;
  }

  #spacesOf(view: View): { space: number; documents: number; totalLength: number }[] {
    const projects = view.projects === 'all' ? null : JSON.stringify(view.projects);
    const agents = view.agents === 'all' ? null : JSON.stringify(view.agents);
    // Not ?1: better-sqlite3 takes numbered parameters for named ones.
    return this.#database
      .prepare(
        `SELECT space, documents, total_length FROM spaces
         WHERE (? IS NULL OR project IN (SELECT value FROM json_each(?)))
           AND (? IS NULL OR agent IN (SELECT value FROM json_each(?)))
         ORDER BY space`,
      )
      .all(projects, projects, agents, agents)
      .map((row) => ({
        space: Number(row['space']),
        documents: Number(row['documents']),
        totalLength: Number(row['total_length']),
      }));
  }

  #segments(spaces: readonly number[], terms: readonly string[]): SearchableSegment[] {
    const stored: number[] = [];
    const loaded: LoadedSegment[] = [];
    const searchable: SearchableSegment[] = [];
    for (const space of spaces) {
      const index = this.#space(space);
      for (const [segment, data] of index.segments) {
        stored.push(segment);
        loaded.push(data);
      }
      const { live } = index;
      if (live.docs.length === 0) continue;
      const states = this.#statesOf(live.docs);
      const postings = terms.map((term) => live.terms.get(term));
      searchable.push({ docs: live.docs, lengths: live.lengths, states, whole: false, postings });
    }
    const lists = this.#postings(stored, terms);
    for (const [i, { docs, lengths, states, whole }] of loaded.entries()) {
      const postings = lists[i] as (PostingList | undefined)[];
      searchable.push({ docs, lengths, states, whole, postings });
    }
    return searchable;
  }

  /** The posting lists of all terms in all segments, in one statement. */
  #postings(
    segments: readonly number[],
    terms: readonly string[],
  ): readonly (PostingList | undefined)[][] {
    const lists = segments.map(() => terms.map((): PostingList | undefined => undefined));
    if (segments.length === 0 || terms.length === 0) return lists;
    const rows = this.#database
      .prepare(
        `SELECT s.key AS s, t.key AS t, p.list AS list
         FROM json_each(?) s CROSS JOIN json_each(?) t
         CROSS JOIN postings p ON p.segment = s.value AND p.term = t.value`,
      )
      .all(JSON.stringify(segments), JSON.stringify(terms));
    for (const row of rows) {
      const list = lists[Number(row['s'])] as (PostingList | undefined)[];
      list[Number(row['t'])] = decodePostings(row['list'] as Uint8Array);
    }
    return lists;
  }

  /** What is kept of a space, brought up to date: segments never change, they come and go. */
  #space(space: number): SpaceIndex {
    let index = this.#spaces.get(space);
    if (index?.freshness === this.#freshness) return index;
    const ids = this.#database
      .prepare('SELECT segment FROM segments WHERE space = ? ORDER BY segment')
      .all(space)
      .map((row) => Number(row['segment']));
    const sameSegments =
      index !== undefined &&
      index.segments.size === ids.length &&
      ids.every((id) => index?.segments.has(id));
    const previous = index;
    index = {
      segments: new Map(),
      live: sameSegments && previous ? previous.live : new LiveSegment(),
      freshness: this.#freshness,
    };
    for (const id of ids) {
      const { docs, lengths } = previous?.segments.get(id) ?? this.#load(id);
      const states = this.#statesOf(docs);
      index.segments.set(id, { docs, lengths, states, whole: !states.includes(0) });
    }
    const known = index.live.docs.at(-1) ?? -1;
    for (const { doc, entry } of readDeltas(this.#database, space, known)) {
      index.live.add(doc, entry);
    }
    this.#spaces.set(space, index);
    return index;
  }

  #load(segment: number): { docs: Uint32Array; lengths: Uint32Array } {
    const row = this.#database
      .prepare('SELECT docs, lengths FROM segments WHERE segment = ?')
      .get(segment) as { docs: Uint8Array; lengths: Uint8Array };
    return { docs: decodeIntegers(row.docs), lengths: decodeIntegers(row.lengths) };
  }

  #statesOf(docs: ArrayLike<number>): Uint8Array {
    const states = new Uint8Array(docs.length);
    for (let i = 0; i < docs.length; i++) states[i] = this.#states[docs[i] as number] ?? 0;
    return states;
  }

  /** Whether a document passes the filter: from its state byte where that is enough. */
  #admission(view: View, filter: Filter): (doc: number, state: number) => boolean {
    const verdicts = verdictsOf(filter);
    if (!verdicts) return this.#selection(view, filter);
    const { validAtMs } = filter;
    if (validAtMs === undefined) return (_doc, state) => verdicts[state] === 1;
    return (doc, state) => {
      if (verdicts[state] !== 1) return false;
      return !isTimed(state) || this.#holdsAt(doc, validAtMs);
    };
  }

  #holdsAt(doc: number, instantMs: number): boolean {
    this.#windows ??= new Map(
      this.#database
        .prepare(
          `SELECT doc, starts_ms, ends_ms FROM memories
           WHERE starts_ms IS NOT NULL OR ends_ms IS NOT NULL`,
        )
        .all()
        .map((row) => [
          Number(row['doc']),
          [Number(row['starts_ms'] ?? -Infinity), Number(row['ends_ms'] ?? Infinity)],
        ]),
    );
    const [starts, ends] = this.#windows.get(doc) ?? [-Infinity, Infinity];
    return starts <= instantMs && instantMs < ends;
  }

  /** The documents that a filter with wishes beyond the state byte lets through. */
  #selection(view: View, filter: Filter): (doc: number) => boolean {
    const { where, values, residual } = filterSql(view, filter);
    const columns = residual ? 'm.doc, m.data' : 'm.doc';
    const rows = this.#database
      .prepare(`SELECT ${columns} FROM memories m WHERE ${where}`)
      .all(...values);
    const wanted = new Uint8Array(this.#states.length);
    for (const row of rows) {
      if (residual && !residual(JSON.parse(row['data'] as string) as Memory)) continue;
      wanted[Number(row['doc'])] = 1;
    }
    return (doc) => wanted[doc] === 1;
  }

  #previous(memory: Memory, space: number): Memory | undefined {
    if (memory.session_id === undefined) return undefined;
    const row = this.#database
      .prepare(
        `SELECT data FROM memories WHERE session_id = ? AND space = ?
         AND (turn, created_at, id) < (?, ?, ?)
         ORDER BY turn DESC, created_at DESC, id DESC LIMIT 1`,
      )
      .get(memory.session_id, space, memory.turn ?? NO_TURN, memory.created_at, memory.id);
    return row && (JSON.parse(row['data'] as string) as Memory);
  }
}

/** What may be found, by document number. */
export interface Admission {
  /** Document numbers of another generation mean other memories. */
  readonly generation: number;
  readonly wants: (doc: number) => boolean;
}

/** State bytes by document number. */
export interface Living {
  readonly generation: number;
  /** Grows with every change that was seen. */
  readonly freshness: number;
  readonly states: Uint8Array;
}

function markAll(marks: Uint8Array, docs: ArrayLike<number>): void {
  for (let i = 0; i < docs.length; i++) marks[docs[i] as number] = 1;
}
