import { entryOf } from '../../domain/ranking/entry.ts';
import { NO_TURN } from '../../domain/session.ts';
import type { Memory } from '../../domain/memory.ts';
import type { KeywordRequest, KeywordResult } from '../../ports/engine.ts';
import { decodePostings } from '../shared/postings/codec.ts';
import { RowHit } from '../shared/row-hit.ts';
import { searchSegments } from '../shared/postings/search.ts';
import type { PostingList } from '../shared/postings/segment.ts';
import { termParts } from '../shared/term-parts.ts';
import { settled, tiesOf } from '../shared/ties.ts';
import type { Row, Session } from './driver.ts';
import { Bindings, viewSql } from './filter-sql.ts';
import { list } from './parameters.ts';
import { memoriesAt, placesOf, type DocPlace } from './places.ts';
import { HIT_COLUMNS, memoryOf, storedOf } from './rows.ts';
import { docOf, KEY, spaceOf } from './space-index.ts';
import type { Snapshot, SpaceRow, Spaces } from './spaces.ts';

/** Keyword search over the postings tables: posting lists are read for each query. */
export class KeywordIndex {
  readonly #spaces: Spaces;

  constructor(spaces: Spaces) {
    this.#spaces = spaces;
  }

  search(snapshot: Snapshot, request: KeywordRequest): Promise<KeywordResult> {
    return this.#spaces.search(snapshot, (session, done) => this.#search(session, request, done));
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
    const ties = tiesOf(found.best, k);
    const first = await firstById(session, ties.tied, ties.places, found.spaces);
    const raws = settled(ties, first);
    const rows = await readDocs(session, [...raws.keys()], found.spaces);
    const best = rows.map(
      (row) => new RowHit(row, raws.get(Number(row['key'])) as number, storedOf),
    );
    best.sort((a, b) => b.raw - a.raw || (a.id < b.id ? -1 : 1));
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
    const [{ spaces, admits }, lists] = await Promise.all([
      this.#spaces.open(session, view, filter),
      readPostings(session, view, terms),
    ]);
    const stats = { documents: 0, totalLength: 0 };
    for (const { documents, totalLength } of spaces) {
      stats.documents += documents;
      stats.totalLength += totalLength;
    }
    const segments = spaces.flatMap(({ index }) => index.searchable(terms, lists));
    return { ...searchSegments({ query, stats, weights, segments, admits, k }), spaces };
  }
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

function readDocs(
  session: Session,
  keys: readonly number[],
  spaces: readonly SpaceRow[],
): Promise<readonly Row[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return session.query(
    `SELECT ${HIT_COLUMNS}, ${KEY} AS key FROM ${memoriesAt(1)}`,
    placesOf(placesAt(keys, spaces)),
  );
}

/** The first of some documents by their ids. */
async function firstById(
  session: Session,
  keys: readonly number[],
  wanted: number,
  spaces: readonly SpaceRow[],
): Promise<readonly number[]> {
  if (keys.length <= wanted) return keys;
  const rows = await session.query(
    `SELECT ${KEY} AS key FROM ${memoriesAt(1)} ORDER BY m.id LIMIT $4::integer`,
    [...placesOf(placesAt(keys, spaces)), wanted],
  );
  return rows.map((row) => Number(row['key']));
}

function placesAt(keys: readonly number[], spaces: readonly SpaceRow[]): DocPlace[] {
  const projects = new Map(spaces.map(({ index }) => [index.space, index.project]));
  return keys.map((key) => {
    const space = spaceOf(key);
    return { project: projects.get(space) as string, space, doc: docOf(key) };
  });
}

/** What stands before these hits in their sessions, by the id of the hit. */
async function readPrevious(
  session: Session,
  hits: readonly RowHit<Row>[],
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
