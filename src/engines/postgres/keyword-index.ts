import { entryOf } from '../../domain/ranking/entry.ts';
import { NO_TURN } from '../../domain/session.ts';
import type { Memory, StoredMemory } from '../../domain/memory.ts';
import type { KeywordHit, KeywordRequest, KeywordResult } from '../../ports/engine.ts';
import { isTimed, verdictsOf } from '../shared/doc-state.ts';
import { decodePostings } from '../shared/postings/codec.ts';
import { searchSegments } from '../shared/postings/search.ts';
import type { PostingList } from '../shared/postings/segment.ts';
import { termParts } from '../shared/term-parts.ts';
import { Turns } from '../shared/turns.ts';
import type { Row, Session } from './driver.ts';
import { Bindings, filterSql, viewSql } from './filter-sql.ts';
import { list } from './parameters.ts';
import { memoryOf, storedOf } from './rows.ts';
import { docOf, SpaceIndex, spaceOf } from './space-index.ts';

export type Snapshot = <T>(work: (session: Session) => Promise<T>) => Promise<T>;

/** Spaces kept in memory; past that, those that a search does not need are forgotten. */
const MOST_SPACES = 2000;

interface SpaceRow {
  readonly index: SpaceIndex;
  readonly documents: number;
  readonly totalLength: number;
}

/**
 * Keyword search over the postings tables. What changes little is kept in memory and brought up to
 * date by each search, with what was written since the last; posting lists are read for each query.
 */
export class KeywordIndex {
  readonly #spaces = new Map<number, SpaceIndex>();
  /** Searches of one process share what is kept: it goes forwards only. */
  readonly #turns = new Turns();

  /** @param snapshot runs work in a transaction that sees one state; begun when it is its turn */
  search(snapshot: Snapshot, request: KeywordRequest): Promise<KeywordResult> {
    return new Promise((resolve, reject) => {
      const search = async (found: () => void): Promise<void> => {
        try {
          resolve(await snapshot((session) => this.#search(session, request, found)));
        } catch (error) {
          reject(error);
        }
      };
      void this.#turns.take(
        () => new Promise<void>((next) => void search(next).finally(() => next())),
      );
    });
  }

  /** @param done called when what is kept is not needed any more */
  async #search(
    session: Session,
    request: KeywordRequest,
    done: () => void,
  ): Promise<KeywordResult> {
    const { query, k, explain } = request;
    const found = await this.#find(session, request);
    done();
    const raws = new Map(found.best.map(({ doc, raw }) => [doc, raw]));
    const rows = await readDocs(session, [...raws.keys()]);
    const hits = rows.map((row) => new RowHit(row, raws.get(Number(row['key'])) as number));
    hits.sort((a, b) => b.raw - a.raw || (a.id < b.id ? -1 : 1));
    const best = hits.slice(0, k);
    if (explain) {
      const previous = await readPrevious(session, best);
      for (const hit of best) {
        const entry = entryOf(hit.stored.memory, previous.get(hit.id));
        hit.terms = termParts(found.plan, query, entry);
      }
    }
    const { plan, documentFrequency, matched } = found;
    return { hits: best, plan, documentFrequency, matched };
  }

  async #find(session: Session, { view, filter, query, k, weights }: KeywordRequest) {
    const terms = query.terms.map(({ term }) => term);
    const verdicts = verdictsOf(filter);
    const needsWindows = verdicts !== undefined && filter.validAtMs !== undefined;
    const [spaces, lists, wanted] = await Promise.all([
      this.#refresh(session, view, needsWindows),
      readPostings(session, view, terms),
      verdicts ? undefined : readSelection(session, view, filter),
    ]);
    const stats = { documents: 0, totalLength: 0 };
    for (const { documents, totalLength } of spaces) {
      stats.documents += documents;
      stats.totalLength += totalLength;
    }
    const segments = spaces.flatMap(({ index }) => index.searchable(terms, lists));
    const { validAtMs } = filter;
    const admits = (key: number, state: number): boolean => {
      if (!verdicts) return wanted?.has(key) === true;
      if (verdicts[state] !== 1) return false;
      if (validAtMs === undefined || !isTimed(state)) return true;
      return this.#spaces.get(spaceOf(key))?.holdsAt(docOf(key), validAtMs) === true;
    };
    return searchSegments({ query, stats, weights, segments, admits, k });
  }

  /** Brings up to date what is kept of the spaces of a view. */
  async #refresh(
    session: Session,
    view: KeywordRequest['view'],
    withWindows: boolean,
  ): Promise<SpaceRow[]> {
    const known = [...this.#spaces.values()];
    const bindings = new Bindings();
    const inView = viewSql(view, bindings);
    const nothing: readonly Row[] = [];
    const [[store], spaces, segments, states, deltas, windows] = await Promise.all([
      session.query('SELECT revision FROM store'),
      session.query(
        `SELECT space, documents, total_length FROM spaces WHERE ${inView} ORDER BY space`,
        bindings.parameters,
      ),
      readSegments(session, view, known),
      readNewer(session, view, known, STATES, ({ revision }) => revision),
      readNewer(session, view, known, DELTAS, ({ lastLive }) => lastLive),
      withWindows
        ? readNewer(session, view, known, WINDOWS, ({ windowsRevision }) => windowsRevision)
        : nothing,
    ]);
    const revision = Number(store?.['revision'] ?? 0);
    const grouped = [segments, states, deltas, windows].map(bySpace);
    const [segmentsOf, statesOf, deltasOf, windowsOf] = grouped as [Rows, Rows, Rows, Rows];
    this.#forget(spaces);
    return spaces.map((row) => {
      const space = Number(row['space']);
      const index = this.#spaces.get(space) ?? new SpaceIndex(space);
      this.#spaces.set(space, index);
      if (index.revision < revision) {
        index.update(
          segmentsOf.get(space) ?? [],
          statesOf.get(space) ?? [],
          deltasOf.get(space) ?? [],
        );
        index.revision = revision;
      }
      if (withWindows && index.windowsRevision < revision) {
        index.updateWindows(windowsOf.get(space) ?? []);
        index.windowsRevision = revision;
      }
      const documents = Number(row['documents']);
      return { index, documents, totalLength: Number(row['total_length']) };
    });
  }

  #forget(needed: readonly Row[]): void {
    if (this.#spaces.size + needed.length <= MOST_SPACES) return;
    const wanted = new Set(needed.map((row) => Number(row['space'])));
    for (const space of this.#spaces.keys()) if (!wanted.has(space)) this.#spaces.delete(space);
  }
}

type Rows = ReadonlyMap<number, readonly Row[]>;

function bySpace(rows: readonly Row[]): Rows {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const space = Number(row['space']);
    const group = groups.get(space);
    if (group) group.push(row);
    else groups.set(space, [row]);
  }
  return groups;
}

/** The segments of a view, with their columns where they are not known yet. */
function readSegments(
  session: Session,
  view: KeywordRequest['view'],
  known: readonly SpaceIndex[],
): Promise<readonly Row[]> {
  const bindings = new Bindings();
  const numbers = bindings.list(
    known.flatMap(({ segments }) => segments),
    'bigint',
  );
  const inView = viewSql(view, bindings);
  return session.query(
    `SELECT g.space, g.segment, n.docs, n.lengths
     FROM (SELECT project, space FROM spaces WHERE ${inView}) AS s
     JOIN segments g USING (project, space)
     LEFT JOIN segments n ON n.project = g.project AND n.space = g.space
       AND n.segment = g.segment AND NOT n.segment = ANY(${numbers})
     ORDER BY g.segment`,
    bindings.parameters,
  );
}

interface Newer {
  readonly columns: string;
  readonly from: string;
  readonly number: string;
}

const STATES: Newer = { columns: 't.chunk, t.states', from: 'doc_states t', number: 't.revision' };
const DELTAS: Newer = { columns: 't.doc, t.entry', from: 'deltas t', number: 't.doc' };
const WINDOWS: Newer = {
  columns: 't.doc, t.starts_ms, t.ends_ms',
  from: '(SELECT * FROM memories WHERE starts_ms IS NOT NULL OR ends_ms IS NOT NULL) AS t',
  number: 't.revision',
};

/** Rows of the spaces of a view beyond the number up to which each space is known. */
function readNewer(
  session: Session,
  view: KeywordRequest['view'],
  known: readonly SpaceIndex[],
  { columns, from, number }: Newer,
  knownUpTo: (index: SpaceIndex) => number,
): Promise<readonly Row[]> {
  const bindings = new Bindings();
  const spaces = bindings.list(
    known.map(({ space }) => space),
    'bigint',
  );
  const numbers = bindings.list(known.map(knownUpTo), 'bigint');
  const inView = viewSql(view, bindings);
  return session.query(
    `SELECT t.space, ${columns}
     FROM (SELECT project, space FROM spaces WHERE ${inView}) AS s
     LEFT JOIN unnest(${spaces}, ${numbers}) AS k (space, number) ON k.space = s.space
     JOIN ${from} ON t.project = s.project AND t.space = s.space
       AND ${number} > coalesce(k.number, -1)
     ORDER BY ${number}`,
    bindings.parameters,
  );
}

/** The posting lists of terms in all segments of a view, in one statement. */
async function readPostings(
  session: Session,
  view: KeywordRequest['view'],
  terms: readonly string[],
): Promise<ReadonlyMap<number, readonly (PostingList | undefined)[]>> {
  const lists = new Map<number, (PostingList | undefined)[]>();
  if (terms.length === 0) return lists;
  const bindings = new Bindings();
  const wanted = bindings.list(terms);
  const inView = viewSql(view, bindings);
  const rows = await session.query(
    `SELECT p.segment, q.n, p.list
     FROM (SELECT project, space FROM spaces WHERE ${inView}) AS s
     JOIN segments g USING (project, space)
     CROSS JOIN unnest(${wanted}) WITH ORDINALITY AS q (term, n)
     JOIN postings p ON p.project = g.project AND p.segment = g.segment AND p.term = q.term`,
    bindings.parameters,
  );
  for (const row of rows) {
    const segment = Number(row['segment']);
    const found = lists.get(segment) ?? terms.map(() => undefined);
    found[Number(row['n']) - 1] = decodePostings(row['list'] as Uint8Array);
    lists.set(segment, found);
  }
  return lists;
}

/** The documents that a filter with wishes beyond the state byte lets through. */
async function readSelection(
  session: Session,
  view: KeywordRequest['view'],
  filter: KeywordRequest['filter'],
): Promise<ReadonlySet<number>> {
  const bindings = new Bindings();
  const { where, residual } = filterSql(view, filter, bindings);
  const rows = await session.query(
    `SELECT ${KEY} AS key ${residual ? ', m.data' : ''} FROM memories m WHERE ${where}`,
    bindings.parameters,
  );
  const wanted = residual ? rows.filter((row) => residual(memoryOf(row))) : rows;
  return new Set(wanted.map((row) => Number(row['key'])));
}

/** `keyOf` in SQL. */
const KEY = 'm.space * 4294967296 + m.doc';

function readDocs(session: Session, keys: readonly number[]): Promise<readonly Row[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return session.query(
    `SELECT m.*, ${KEY} AS key FROM unnest($1::integer[], $2::integer[]) AS q (space, doc)
     JOIN spaces s ON s.space = q.space
     JOIN memories m ON m.project = s.project AND m.space = q.space AND m.doc = q.doc`,
    [list(keys.map(spaceOf)), list(keys.map(docOf))],
  );
}

/** What stands before these hits in their sessions, by the id of the hit. */
async function readPrevious(
  session: Session,
  hits: readonly RowHit[],
): Promise<ReadonlyMap<string, Memory>> {
  const inSession = hits.filter((hit) => hit.session !== undefined);
  if (inSession.length === 0) return new Map();
  const rows = await session.query(
    `SELECT h.id, p.data FROM unnest($1::text[], $2::text[], $3::bigint[]) AS q (project, id, turn)
     JOIN memories h ON h.project = q.project AND h.id = q.id
     CROSS JOIN LATERAL (
       SELECT m.data FROM memories m
       WHERE m.project = h.project AND m.space = h.space
         AND left(m.session_id, 200) = left(h.session_id, 200) AND m.session_id = h.session_id
         AND (m.turn, m.created_at, m.id) < (q.turn, h.created_at, h.id)
       ORDER BY m.turn DESC, m.created_at DESC, m.id DESC LIMIT 1
     ) AS p`,
    [
      list(inSession.map(({ stored }) => stored.memory.project)),
      list(inSession.map(({ id }) => id)),
      list(inSession.map(({ stored }) => stored.memory.turn ?? NO_TURN)),
    ],
  );
  return new Map(rows.map((row) => [row['id'] as string, memoryOf(row)]));
}

/** A hit over a row of `memories`; its memory is parsed when somebody looks at it. */
export class RowHit implements KeywordHit {
  readonly id: string;
  readonly session: string | undefined;
  readonly raw: number;
  readonly length: number;
  terms?: readonly number[];
  readonly #row: Row;
  #stored: StoredMemory | undefined;

  constructor(row: Row, raw: number) {
    this.#row = row;
    this.id = row['id'] as string;
    this.session = (row['session_id'] as string | null) ?? undefined;
    this.raw = raw;
    this.length = Number(row['length']);
  }

  get stored(): StoredMemory {
    return (this.#stored ??= storedOf(this.#row));
  }
}
