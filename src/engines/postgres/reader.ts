import type { LogEvent, ProjectName } from '../../domain/event.ts';
import type { Memory, StoredMemory } from '../../domain/memory.ts';
import { latestRecords, type RecordKind, type StoreRecord } from '../../domain/record.ts';
import { compareEdges, type Edge } from '../../domain/relation.ts';
import { sees, type View } from '../../domain/view.ts';
import type { FeedPage, SelectPage, SelectRequest, Stats } from '../../ports/engine.ts';
import { frequentTags } from '../shared/frequent-tags.ts';
import type { Row, Session } from './driver.ts';
import { Bindings, filterSql, viewSql } from './filter-sql.ts';
import { list, plain } from './parameters.ts';
import { externalKey, memoryOf, storedOf } from './rows.ts';

/** Memories by id in any case, or by the exact id that another system gave them. */
export async function readByRefs(
  session: Session,
  refs: readonly string[],
  view: View,
): Promise<StoredMemory[]> {
  const rows = await session.query(
    'SELECT * FROM memories WHERE id = ANY($1::text[]) OR external_keys && $2::text[]',
    [list(anyCase(refs)), list(refs.map(externalKey))],
  );
  return rows.map(storedOf).filter(({ memory }) => sees(view, memory));
}

export function anyCase(ids: readonly string[]): readonly string[] {
  return [...new Set([...ids, ...ids.map((id) => id.toUpperCase())])];
}

export async function readProjects(session: Session): Promise<readonly ProjectName[]> {
  const rows = await session.query('SELECT key, name FROM projects ORDER BY key');
  return rows.map((row) => ({ key: row['key'] as string, name: row['name'] as string }));
}

export async function readSelection(session: Session, request: SelectRequest): Promise<SelectPage> {
  const { view, filter, sort, descending, limit, after } = request;
  const order = descending ? 'DESC' : 'ASC';
  const orderBy = sort === 'id' ? `m.id ${order}` : `m.${sort} ${order}, m.id ${order}`;
  const bindings = new Bindings();
  const { where, residual } = filterSql(view, filter, bindings);
  if (residual) {
    const all = await session.query(
      `SELECT m.* FROM memories m WHERE ${where} ORDER BY ${orderBy}`,
      bindings.parameters,
    );
    const rows = all.map(storedOf).filter(({ memory }) => residual(memory));
    const start = after ? rows.findIndex(({ memory }) => follows(memory, request)) : 0;
    return { rows: start < 0 ? [] : rows.slice(start, start + limit), total: rows.length };
  }
  const counted = session.query(`SELECT count(*) AS n FROM memories m WHERE ${where}`, [
    ...bindings.parameters,
  ]);
  const cursor = cursorSql(request, bindings);
  const page = session.query(
    `SELECT m.* FROM memories m WHERE ${where} AND ${cursor}
     ORDER BY ${orderBy} LIMIT ${bindings.bind(limit, 'bigint')}`,
    bindings.parameters,
  );
  const [[total], rows] = await Promise.all([counted, page]);
  return { rows: rows.map(storedOf), total: Number(total?.['n']) };
}

function cursorSql({ sort, descending, after }: SelectRequest, bindings: Bindings): string {
  if (!after) return 'true';
  const than = descending ? '<' : '>';
  if (sort === 'id') return `m.id ${than} ${bindings.bind(after.id, 'text')}`;
  const type = sort === 'confidence' ? 'float8' : 'text';
  const value = bindings.bind(after.value, type);
  return `(m.${sort}, m.id) ${than} (${value}, ${bindings.bind(after.id, 'text')})`;
}

function follows(memory: Memory, { sort, descending, after }: SelectRequest): boolean {
  if (!after) return true;
  const value = memory[sort];
  const sign = descending ? -1 : 1;
  if (value !== after.value) return (value > after.value ? 1 : -1) === sign;
  return memory.id !== after.id && (memory.id > after.id ? 1 : -1) === sign;
}

export async function readEdges(
  session: Session,
  ids: readonly string[],
  view: View,
): Promise<Edge[]> {
  const bindings = new Bindings();
  const wanted = bindings.list(ids);
  const visible = viewSql(view, bindings);
  const rows = await session.query(
    `SELECT source, type, target, r.confidence, origin FROM relations r
     WHERE (source = ANY(${wanted})
         OR left(target, 200) IN (SELECT left(id, 200) FROM unnest(${wanted}) AS w (id))
            AND target = ANY(${wanted}))
       AND EXISTS (SELECT 1 FROM memories WHERE id = r.source AND ${visible})
       AND EXISTS (SELECT 1 FROM memories WHERE id = r.target AND ${visible})`,
    bindings.parameters,
  );
  const edges = rows.map((row) => ({
    source: row['source'] as string,
    type: row['type'] as string,
    target: row['target'] as string,
    confidence: Number(row['confidence']),
    origin: row['origin'] as string,
  }));
  return edges.sort(compareEdges);
}

export async function readFeed(session: Session, after: number, limit: number): Promise<FeedPage> {
  const rows = await session.query(
    'SELECT pos, line FROM events WHERE pos > $1::bigint ORDER BY pos LIMIT $2::bigint',
    [after, limit],
  );
  return { events: rows.map(eventOf), position: Number(rows.at(-1)?.['pos'] ?? after) };
}

/** Ids of the conflicts that are derived from concurrent edits, in order. */
export async function readConflicts(session: Session): Promise<string[]> {
  const rows = await session.query(
    'SELECT id FROM memories WHERE conflict_of IS NOT NULL ORDER BY id',
  );
  return rows.map((row) => row['id'] as string);
}

export async function readHistory(session: Session, subject: string): Promise<LogEvent[]> {
  const rows = await session.query(
    'SELECT line FROM events WHERE subject = $1::text ORDER BY pos',
    [plain(subject)],
  );
  return rows.map(eventOf);
}

/** The events of a run, or the one of this id. */
export async function readNamed(session: Session, ref: string): Promise<LogEvent[]> {
  const rows = await session.query(
    'SELECT line FROM events WHERE run = $1::text OR id = $1::text ORDER BY pos',
    [plain(ref)],
  );
  return rows.map(eventOf);
}

export async function readRecords(
  session: Session,
  kind: RecordKind,
  view: View,
): Promise<StoreRecord[]> {
  const bindings = new Bindings();
  const inView = viewSql(view, bindings);
  const rows = await session.query(
    `SELECT line FROM records WHERE kind = ${bindings.bind(kind, 'text')} AND ${inView}`,
    bindings.parameters,
  );
  const records = rows.map((row) => eventOf(row).data as StoreRecord);
  return records.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The events that hold of these records, by subject. */
export async function readRecordEvents(
  session: Session,
  subjects: readonly string[],
): Promise<Map<string, LogEvent>> {
  if (subjects.length === 0) return new Map();
  const rows = await session.query('SELECT line FROM records WHERE subject = ANY($1::text[])', [
    list(subjects),
  ]);
  return latestRecords(rows.map(eventOf));
}

export function eventOf(row: Row): LogEvent {
  return JSON.parse(row['line'] as string) as LogEvent;
}

export async function readStats(session: Session, view: View): Promise<Omit<Stats, 'index'>> {
  const where = (): [string, Bindings] => {
    const bindings = new Bindings();
    return [filterSql(view, {}, bindings).where, bindings];
  };
  const counts = async (column: string, from = 'memories m'): Promise<Record<string, number>> => {
    const [condition, { parameters }] = where();
    const rows = await session.query(
      `SELECT ${column} AS name, count(*) AS n FROM ${from} WHERE ${condition}
       GROUP BY 1 ORDER BY 2 DESC, 1`,
      parameters,
    );
    return Object.fromEntries(rows.map((row) => [row['name'] as string, Number(row['n'])]));
  };
  const [byType, byTier, byStatus, byProject, byAgent, tags, changes, [log]] = await Promise.all([
    counts('m.type'),
    counts('m.tier'),
    counts('m.status'),
    counts('m.project'),
    counts('m.agent'),
    counts('t.tag', 'memories m CROSS JOIN unnest(m.tags) AS t (tag)'),
    countChanges(session, view),
    session.query('SELECT position, (SELECT count(*) FROM events) AS events FROM store'),
  ]);
  return {
    total: Object.values(byStatus).reduce((sum, n) => sum + n, 0),
    byType,
    byTier,
    byStatus,
    byProject,
    byAgent,
    changes,
    tags: frequentTags(tags),
    events: Number(log?.['events'] ?? 0),
    position: Number(log?.['position'] ?? 0),
  };
}

/** Events that speak of what the view sees. */
async function countChanges(session: Session, view: View): Promise<number> {
  if (view.projects === 'all' && view.agents === 'all') return countEvents(session);
  const bindings = new Bindings();
  const inView = viewSql(view, bindings);
  const named = view.projects === 'all' ? 'true' : `name = ANY(${bindings.list(view.projects)})`;
  const [row] = await session.query(
    `SELECT count(*) AS n FROM events WHERE subject IN (
       SELECT id FROM memories WHERE ${inView}
       UNION ALL SELECT subject FROM records WHERE ${inView}
       UNION ALL SELECT 'project:' || key FROM projects WHERE ${named})`,
    bindings.parameters,
  );
  return Number(row?.['n']);
}

/** Memories read at a time. */
const PAGE = 2000;

/** Everything that is current, in no order. */
export async function* memoryPages(session: Session): AsyncIterable<readonly Memory[]> {
  for (let after = ['', '']; ;) {
    const rows = await session.query(
      `SELECT project, id, data FROM memories WHERE (project, id) > ($1::text, $2::text)
       ORDER BY project, id LIMIT ${PAGE}`,
      after,
    );
    if (rows.length === 0) return;
    yield rows.map(memoryOf);
    const last = rows.at(-1) as Row;
    after = [last['project'] as string, last['id'] as string];
  }
}

/** All events in order of local arrival, some at a time. */
export async function* eventPages(session: Session, size: number): AsyncIterable<LogEvent[]> {
  for (let after = 0; ;) {
    const rows = await session.query(
      'SELECT pos, line FROM events WHERE pos > $1::bigint ORDER BY pos LIMIT $2::bigint',
      [after, size],
    );
    if (rows.length === 0) return;
    yield rows.map(eventOf);
    after = Number(rows.at(-1)?.['pos']);
  }
}

export async function countEvents(session: Session): Promise<number> {
  const [row] = await session.query('SELECT count(*) AS n FROM events');
  return Number(row?.['n']);
}

export async function countMemories(session: Session): Promise<number> {
  const [row] = await session.query('SELECT count(*) AS n FROM memories');
  return Number(row?.['n']);
}
