import type { Filter, View } from '../../domain/view.ts';
import { isTimed, verdictsOf } from '../shared/doc-state.ts';
import { Turns } from '../shared/turns.ts';
import type { Row, Session } from './driver.ts';
import { Bindings, filterSql, viewSql } from './filter-sql.ts';
import { memoryOf } from './rows.ts';
import { docOf, KEY, SpaceIndex, spaceOf } from './space-index.ts';

export type Snapshot = <T>(work: (session: Session) => Promise<T>) => Promise<T>;

/** Whether a document passes a filter; `key` is `keyOf` of it, `state` its state byte. */
export type Admits = (key: number, state: number) => boolean;

export interface SpaceRow {
  readonly index: SpaceIndex;
  /** The number that the next document will have. */
  readonly nextDoc: number;
  readonly documents: number;
  readonly totalLength: number;
}

/** Spaces kept in memory; past that, those that a search does not need are forgotten. */
const MOST_SPACES = 2000;

/**
 * What a process keeps of the spaces that were searched: it is brought up to date by each search, with
 * what was written since the last.
 */
export class Spaces {
  readonly #known = new Map<number, SpaceIndex>();
  /** Searches of one process share what is kept: it goes forwards only. */
  readonly #turns = new Turns();

  /**
   * One search; it has what is kept to itself until it calls `done`.
   * @param snapshot runs work in a transaction that sees one state; begun when it is its turn
   */
  search<T>(
    snapshot: Snapshot,
    work: (session: Session, done: () => void) => Promise<T>,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const search = async (done: () => void): Promise<void> => {
        try {
          resolve(await snapshot((session) => work(session, done)));
        } catch (error) {
          reject(error);
        }
      };
      void this.#turns.take(
        () => new Promise<void>((next) => void search(next).finally(() => next())),
      );
    });
  }

  /** The spaces of a view as they are now, and who of them passes a filter. */
  async open(
    session: Session,
    view: View,
    filter: Filter,
  ): Promise<{ readonly spaces: readonly SpaceRow[]; readonly admits: Admits }> {
    const { validAtMs } = filter;
    const verdicts = verdictsOf(filter);
    const [spaces, wanted] = await Promise.all([
      this.#refresh(session, view, verdicts !== undefined && validAtMs !== undefined),
      verdicts ? undefined : readSelection(session, view, filter),
    ]);
    const admits: Admits = (key, state) => {
      if (!verdicts) return wanted?.has(key) === true;
      if (verdicts[state] !== 1) return false;
      if (validAtMs === undefined || !isTimed(state)) return true;
      return this.#known.get(spaceOf(key))?.holdsAt(docOf(key), validAtMs) === true;
    };
    return { spaces, admits };
  }

  /** Brings up to date what is kept of the spaces of a view. */
  async #refresh(session: Session, view: View, withWindows: boolean): Promise<SpaceRow[]> {
    const known = [...this.#known.values()];
    const bindings = new Bindings();
    const inView = viewSql(view, bindings);
    const nothing: readonly Row[] = [];
    const [[store], spaces, segments, states, deltas, windows] = await Promise.all([
      session.query('SELECT revision FROM store'),
      session.query(
        `SELECT project, space, next_doc, documents, total_length FROM spaces WHERE ${inView} ORDER BY space`,
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
      const index = this.#known.get(space) ?? new SpaceIndex(row['project'] as string, space);
      this.#known.set(space, index);
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
      return {
        index,
        nextDoc: Number(row['next_doc']),
        documents: Number(row['documents']),
        totalLength: Number(row['total_length']),
      };
    });
  }

  #forget(needed: readonly Row[]): void {
    if (this.#known.size + needed.length <= MOST_SPACES) return;
    const wanted = new Set(needed.map((row) => Number(row['space'])));
    for (const space of this.#known.keys()) if (!wanted.has(space)) this.#known.delete(space);
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
  view: View,
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
  view: View,
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

/** The documents that a filter with wishes beyond the state byte lets through. */
async function readSelection(
  session: Session,
  view: View,
  filter: Filter,
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
