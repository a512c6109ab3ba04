import type { CommitState } from '../../domain/change.ts';
import type { LogEvent, ProjectName } from '../../domain/event.ts';
import type { Memory, StoredMemory } from '../../domain/memory.ts';
import type { RecordKind, StoreRecord } from '../../domain/record.ts';
import { purgedAmong, purgedSubject } from '../../domain/purge.ts';
import { compareEdges, type Edge } from '../../domain/relation.ts';
import { sees, type View } from '../../domain/view.ts';
import type {
  CommitRequest,
  FeedPage,
  SelectPage,
  SelectRequest,
  Stats,
} from '../../ports/engine.ts';
import { commitState } from '../shared/commit-state.ts';
import { frequentTags } from '../shared/frequent-tags.ts';
import type { Database, Row, Value } from './drivers/driver.ts';
import { filterSql } from './filter-sql.ts';
import { readAlike } from './likeness-table.ts';
import { inSnapshot } from './lock.ts';
import { STORED_COLUMNS, storedOf } from './rows.ts';

const COMMIT_COLUMNS = `${STORED_COLUMNS}, content_key, conflict_of`;

/** Everything a commit asked for, read at once; `decide` then works without the database. */
export function readForCommit(database: Database, request: CommitRequest): CommitState {
  const named = rowsByRefs(database, request.ids);
  const keys = [...request.contentKeys, ...named.map((row) => row['content_key'] as string)];
  const holders = database
    .prepare(
      `SELECT ${COMMIT_COLUMNS} FROM memories
       WHERE content_key IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(keys));
  const alike = readAlike(database, request.likenessKeys ?? []);
  const like = [...alike.values()].some((ids) => ids.length > 0) ? rowsByIds(database, alike) : [];
  const rows = [...named, ...holders, ...like];
  const read = rows.map((row) => ({
    stored: storedOf(row),
    contentKey: row['content_key'] as string,
    ...(row['conflict_of'] === null ? {} : { conflictOf: row['conflict_of'] as string }),
  }));
  const subjects = new Map(
    (request.records ?? []).flatMap((subject) => {
      const row = database.prepare('SELECT line FROM records WHERE subject = ?').get(subject);
      return row ? [[subject, recordOf(row)] as const] : [];
    }),
  );
  const purged = new Set(purgedIds(database, request.ids));
  return commitState(read, {
    alike: (key) => alike.get(key) ?? [],
    projects: readProjects(database),
    records: subjects,
    purged: (id) => purged.has(id.toUpperCase()),
  });
}

function rowsByIds(database: Database, alike: ReadonlyMap<number, readonly string[]>): Row[] {
  return database
    .prepare(`SELECT ${COMMIT_COLUMNS} FROM memories WHERE id IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify([...new Set([...alike.values()].flat())]));
}

/** Those of some ids that were deleted for good, in upper case. */
function purgedIds(database: Database, ids: readonly string[]): string[] {
  const known = readTombstones(database);
  if (known.size === 0) return [];
  return ids.map((id) => id.toUpperCase()).filter((id) => known.has(purgedSubject(id)));
}

/** Subjects of the memories that were purged. */
export function readTombstones(database: Database): ReadonlySet<string> {
  const rows = database
    .prepare("SELECT subject, line FROM events WHERE subject >= 'purged:' AND subject < 'purged;'")
    .all();
  return purgedAmong(rows.map((row) => JSON.parse(row['line'] as string) as LogEvent));
}

/** Ids of the conflicts that are derived from concurrent edits, in order. */
export function readConflicts(database: Database): string[] {
  return database
    .prepare('SELECT id FROM memories WHERE conflict_of IS NOT NULL ORDER BY id')
    .all()
    .map((row) => row['id'] as string);
}

export function readProjects(database: Database): readonly ProjectName[] {
  return database
    .prepare('SELECT key, name FROM projects ORDER BY key')
    .all()
    .map((row) => ({ key: row['key'] as string, name: row['name'] as string }));
}

export function readRecords(database: Database, kind: RecordKind, view: View): StoreRecord[] {
  return database
    .prepare('SELECT line FROM records WHERE kind = ?')
    .all(kind)
    .map(recordOf)
    .filter((record) => sees(view, record))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function recordOf(row: Row): StoreRecord {
  return (JSON.parse(row['line'] as string) as LogEvent).data as StoreRecord;
}

export function readByRefs(
  database: Database,
  refs: readonly string[],
  view: View,
): StoredMemory[] {
  const rows = inSnapshot(database, () => rowsByRefs(database, refs));
  const found = new Map<string, StoredMemory>();
  for (const row of rows) {
    const stored = storedOf(row);
    if (sees(view, stored.memory)) found.set(stored.memory.id, stored);
  }
  return [...found.values()];
}

/** Memories by id in any case, or by the exact id that another system gave them; some twice. */
function rowsByRefs(database: Database, refs: readonly string[]): Row[] {
  const ids = JSON.stringify([...new Set([...refs, ...refs.map((ref) => ref.toUpperCase())])]);
  const byId = database
    .prepare(`SELECT ${COMMIT_COLUMNS} FROM memories WHERE id IN (SELECT value FROM json_each(?))`)
    .all(ids);
  const byExternalId = database
    .prepare(
      `SELECT ${COMMIT_COLUMNS} FROM memories WHERE doc IN (SELECT doc FROM external_ids
       WHERE external_id IN (SELECT value FROM json_each(?)))`,
    )
    .all(JSON.stringify(refs));
  return [...byId, ...byExternalId];
}

export function readSelection(database: Database, request: SelectRequest): SelectPage {
  return inSnapshot(database, () => selection(database, request));
}

function selection(database: Database, request: SelectRequest): SelectPage {
  const { view, filter, sort, descending, limit, after } = request;
  const { where, values, residual } = filterSql(view, filter);
  const order = descending ? 'DESC' : 'ASC';
  const orderBy = sort === 'id' ? `m.id ${order}` : `m.${sort} ${order}, m.id ${order}`;
  const cursor = cursorSql(request);
  if (residual) {
    const rows = database
      .prepare(`SELECT ${STORED_COLUMNS} FROM memories m WHERE ${where} ORDER BY ${orderBy}`)
      .all(...values)
      .map(storedOf)
      .filter(({ memory }) => residual(memory));
    const start = after ? rows.findIndex(({ memory }) => follows(memory, request)) : 0;
    const page = start < 0 ? [] : rows.slice(start, start + limit);
    return { rows: page, total: rows.length };
  }
  const total = Number(
    database.prepare(`SELECT count(*) AS n FROM memories m WHERE ${where}`).get(...values)?.['n'],
  );
  const rows = database
    .prepare(
      `SELECT ${STORED_COLUMNS} FROM memories m WHERE ${where} AND ${cursor.where} ORDER BY ${orderBy} LIMIT ?`,
    )
    .all(...values, ...cursor.values, limit)
    .map(storedOf);
  return { rows, total };
}

function cursorSql({ sort, descending, after }: SelectRequest): {
  where: string;
  values: Value[];
} {
  if (!after) return { where: '1', values: [] };
  const than = descending ? '<' : '>';
  if (sort === 'id') return { where: `m.id ${than} ?`, values: [after.id] };
  return { where: `(m.${sort}, m.id) ${than} (?, ?)`, values: [after.value, after.id] };
}

function follows(memory: Memory, { sort, descending, after }: SelectRequest): boolean {
  if (!after) return true;
  const value = memory[sort];
  const sign = descending ? -1 : 1;
  if (value !== after.value) return (value > after.value ? 1 : -1) === sign;
  return memory.id !== after.id && (memory.id > after.id ? 1 : -1) === sign;
}

export function readEdges(database: Database, ids: readonly string[], view: View): Edge[] {
  const list = JSON.stringify(ids);
  const ends = new Map<string, boolean>();
  const visible = (id: string): boolean => {
    let seen = ends.get(id);
    if (seen === undefined) {
      const row = database.prepare('SELECT project, agent FROM memories WHERE id = ?').get(id);
      seen = row !== undefined && sees(view, placeOf(row));
      ends.set(id, seen);
    }
    return seen;
  };
  return database
    .prepare(
      `SELECT source, type, target, confidence, origin FROM relations
       WHERE source IN (SELECT value FROM json_each(?))
          OR target IN (SELECT value FROM json_each(?))`,
    )
    .all(list, list)
    .map((row) => ({
      source: row['source'] as string,
      type: row['type'] as string,
      target: row['target'] as string,
      confidence: Number(row['confidence']),
      origin: row['origin'] as string,
    }))
    .filter(({ source, target }) => visible(source) && visible(target))
    .sort(compareEdges);
}

function placeOf(row: Row): { project: string; agent?: string } {
  const agent = row['agent'] as string;
  return { project: row['project'] as string, ...(agent === '' ? {} : { agent }) };
}

export function readFeed(database: Database, after: number, limit: number): FeedPage {
  const rows = database
    .prepare('SELECT pos, line FROM events WHERE pos > ? ORDER BY pos LIMIT ?')
    .all(after, limit);
  const events = rows.map((row) => JSON.parse(row['line'] as string) as LogEvent);
  return { events, position: Number(rows.at(-1)?.['pos'] ?? after) };
}

/** Id of the event at each position. */
export function readPositions(database: Database): ReadonlyMap<number, string> {
  const rows = database.prepare('SELECT pos, id FROM events').all();
  return new Map(rows.map((row) => [Number(row['pos']), row['id'] as string]));
}

export function readHistory(database: Database, subject: string): LogEvent[] {
  return database
    .prepare('SELECT line FROM events WHERE subject = ? ORDER BY pos')
    .all(subject)
    .map((row) => JSON.parse(row['line'] as string) as LogEvent);
}

export function readNamed(database: Database, ref: string): LogEvent[] {
  return database
    .prepare('SELECT line FROM events WHERE run = ? OR id = ? ORDER BY pos')
    .all(ref, ref)
    .map((row) => JSON.parse(row['line'] as string) as LogEvent);
}

export function readStats(database: Database, view: View): Omit<Stats, 'index'> {
  return inSnapshot(database, () => stats(database, view));
}

function stats(database: Database, view: View): Omit<Stats, 'index'> {
  const { where, values } = filterSql(view, {});
  const counts = (column: string): Record<string, number> => {
    const rows = database
      .prepare(
        `SELECT m.${column} AS name, count(*) AS n FROM memories m WHERE ${where}
         GROUP BY 1 ORDER BY 2 DESC, 1`,
      )
      .all(...values);
    return Object.fromEntries(rows.map((row) => [row['name'] as string, Number(row['n'])]));
  };
  const tags = database
    .prepare(
      `SELECT t.tag AS name, count(*) AS n FROM tags t JOIN memories m ON m.doc = t.doc
       WHERE ${where} GROUP BY 1`,
    )
    .all(...values);
  const byStatus = counts('status');
  const log = database.prepare('SELECT count(*) AS n, max(pos) AS last FROM events').get();
  const events = Number(log?.['n'] ?? 0);
  return {
    total: Object.values(byStatus).reduce((sum, n) => sum + n, 0),
    byType: counts('type'),
    byTier: counts('tier'),
    byStatus,
    byProject: counts('project'),
    byAgent: counts('agent'),
    changes: isAll(view) ? events : changesIn(database, view),
    tags: frequentTags(
      Object.fromEntries(tags.map((row) => [row['name'] as string, Number(row['n'])])),
    ),
    events,
    position: Number(log?.['last'] ?? 0),
  };
}

function isAll({ projects, agents }: View): boolean {
  return projects === 'all' && agents === 'all';
}

/** Events of the memories, records and project names that a view sees. */
function changesIn(database: Database, view: View): number {
  const { where, values } = filterSql(view, {});
  const records = where.replaceAll('m.', 'r.');
  const names = view.projects === 'all' ? '1' : 'p.name IN (SELECT value FROM json_each(?))';
  const row = database
    .prepare(
      `SELECT
         (SELECT count(*) FROM events e JOIN memories m ON m.id = e.subject WHERE ${where})
         + (SELECT count(*) FROM events e JOIN records r ON r.subject = e.subject WHERE ${records})
         + (SELECT count(*) FROM events e JOIN projects p ON 'project:' || p.key = e.subject
            WHERE ${names}) AS n`,
    )
    .get(...values, ...values, ...(view.projects === 'all' ? [] : [JSON.stringify(view.projects)]));
  return Number(row?.['n']);
}

export function readIds(database: Database): string[] {
  return database
    .prepare('SELECT id FROM memories')
    .all()
    .map((row) => row['id'] as string);
}

/** Everything that is current, in no order. */
export function* readAll(database: Database): Iterable<StoredMemory> {
  for (const row of pagesOf(database, '*')) yield storedOf(row);
}

export function* readMemories(database: Database): Iterable<Memory> {
  for (const row of pagesOf(database, 'doc, data')) {
    yield JSON.parse(row['data'] as string) as Memory;
  }
}

function* pagesOf(database: Database, columns: string): Iterable<Row> {
  const page = database.prepare(
    `SELECT ${columns} FROM memories WHERE doc > ? ORDER BY doc LIMIT 500`,
  );
  for (let last = -1; ;) {
    const rows = page.all(last);
    if (rows.length === 0) return;
    yield* rows;
    last = Number(rows.at(-1)?.['doc']);
  }
}
