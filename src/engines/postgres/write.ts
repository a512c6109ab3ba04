import { coversOf } from '../../domain/compaction.ts';
import {
  chainHash,
  compareEvents,
  isMemoryEvent,
  type LogEvent,
  type ProjectName,
} from '../../domain/event.ts';
import type { Memory } from '../../domain/memory.ts';
import { latestRecords, outranks, recordKindOf, type StoreRecord } from '../../domain/record.ts';
import type { TokenCount } from '../../ports/engine.ts';
import { DocStateChunks } from './doc-states.ts';
import type { Session } from './driver.ts';
import type { Header } from './header.ts';
import { list } from './parameters.ts';
import { writeLikeness } from './likeness-table.ts';
import { addToPostings } from './postings-table.ts';
import { eventOf, readRecordEvents } from './reader.ts';
import { cellsOf } from './rows.ts';
import { changedContexts } from './sessions.ts';
import { settle, type Moved } from './settle.ts';
import { SpaceRows, writeSpaces } from './space-rows.ts';
import type { Touched } from './working-set.ts';

/** Puts events on the log, in order of local arrival. They must not be there yet. */
export function writeLog(
  session: Session,
  header: Header,
  events: readonly LogEvent[],
  lines: readonly string[],
): void {
  if (events.length === 0) return;
  session.call('put_events', [
    header.position,
    list(events.map(projectOf)),
    list(events.map(({ id }) => id)),
    list(events.map(({ subject }) => subject)),
    list(events.map(({ run = null }) => run)),
    list(lines),
  ]);
  header.position += events.length;
}

function projectOf(event: LogEvent): string {
  if (isMemoryEvent(event)) return event.data.project;
  return recordKindOf(event) ? ((event.data as StoreRecord | null)?.project ?? '') : '';
}

/** Of two snapshots of one record the later event's holds, whatever order they arrived in. */
export async function writeRecords(session: Session, events: readonly LogEvent[]): Promise<void> {
  const latest = latestRecords(events);
  if (latest.size === 0) return;
  const known = await readRecordEvents(session, [...latest.keys()]);
  const records = [...latest.values()].filter((event) => outranks(event, known.get(event.subject)));
  session.send(
    `INSERT INTO records (subject, kind, project, agent, line)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
     ON CONFLICT (subject) DO UPDATE SET kind = excluded.kind, project = excluded.project,
       agent = excluded.agent, line = excluded.line`,
    [
      list(records.map(({ subject }) => subject)),
      list(records.map((event) => recordKindOf(event) as string)),
      list(records.map(projectOf)),
      list(records.map(({ data }) => (data as StoreRecord).agent ?? '')),
      list(records.map((event) => JSON.stringify(event))),
    ],
  );
}

/** Where each replica's chain of events has come to. */
export function writeTips(session: Session, events: readonly LogEvent[]): void {
  const tips = new Map(Object.entries(coversOf(events)));
  for (const event of events) {
    const { replica, rseq } = event;
    if ((tips.get(replica)?.rseq ?? 0) < rseq) tips.set(replica, { rseq, prev: chainHash(event) });
  }
  if (tips.size === 0) return;
  const last = [...tips.values()];
  session.call('put_tips', [
    list(tips.keys()),
    list(last.map(({ rseq }) => rseq)),
    list(last.map(({ prev }) => prev)),
  ]);
}

/** Of two names for one key the later event's holds, whatever order they arrived in. */
export async function writeProjects(session: Session, events: readonly LogEvent[]): Promise<void> {
  const named = events.filter(({ kind }) => kind === 'project.named');
  if (named.length === 0) return;
  const rows = await session.query('SELECT line FROM projects WHERE key = ANY($1::text[])', [
    list(named.map(projectKeyOf)),
  ]);
  const latest = new Map<string, LogEvent>();
  for (const event of [...rows.map(eventOf), ...named]) {
    const known = latest.get(projectKeyOf(event));
    if (!known || compareEvents(known, event) <= 0) latest.set(projectKeyOf(event), event);
  }
  const projects = [...latest.values()];
  session.send(
    `INSERT INTO projects (key, name, line) SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
     ON CONFLICT (key) DO UPDATE SET name = excluded.name, line = excluded.line`,
    [
      list(projects.map(projectKeyOf)),
      list(projects.map((event) => (event.data as ProjectName).name)),
      list(projects.map((event) => JSON.stringify(event))),
    ],
  );
}

function projectKeyOf(event: LogEvent): string {
  return (event.data as ProjectName).key;
}

/**
 * Brings rows and postings up to what a transaction made of its memories.
 * @param spaces what has been read of the rows of spaces, in this transaction
 */
export async function writeMemories(
  session: Session,
  header: Header,
  touched: ReadonlyMap<string, Touched>,
  spaces = new SpaceRows(session),
): Promise<void> {
  if (touched.size === 0) return;
  const [, contexts] = await Promise.all([
    spaces.read(memoriesOf(touched)),
    changedContexts(session, touched),
  ]);
  for (const memory of memoriesOf(touched)) spaces.make(memory, header);
  const {
    removed,
    rows,
    moved,
    spaces: changes,
  } = settle(touched, contexts, spaces.byKey, () => {
    header.sequence += 1;
    return header.sequence;
  });
  header.revision += 1;
  const states = new DocStateChunks();
  const statesLoaded = states.load(session, changes, spaces.ends);
  removeRows(session, removed);
  if (rows.length > 0) session.call('put_memories', cellsOf(rows, header));
  writeLikeness(session, touched, header.isolated);
  writeRelations(
    session,
    rows.map(({ stored }) => stored.memory),
  );
  moveRows(session, header, moved);
  for (const change of changes) {
    await addToPostings(session, change, () => {
      header.sequence += 1;
      return header.sequence;
    });
  }
  writeSpaces(
    session,
    changes.map(({ space }) => space),
  );
  await statesLoaded;
  states.write(session, header.revision);
}

function* memoriesOf(touched: ReadonlyMap<string, Touched>): Iterable<Memory> {
  for (const { before, after } of touched.values()) {
    if (before) yield before.stored.memory;
    if (after) yield after.stored.memory;
  }
}

function removeRows(session: Session, memories: readonly Memory[]): void {
  if (memories.length === 0) return;
  const keys = [list(memories.map(({ project }) => project)), list(memories.map(({ id }) => id))];
  session.send(
    `DELETE FROM memories m USING unnest($1::text[], $2::text[]) AS q (project, id)
     WHERE m.project = q.project AND m.id = q.id`,
    keys,
  );
  if (!memories.some(({ relations }) => relations.length > 0)) return;
  session.send(
    `DELETE FROM relations r USING unnest($1::text[], $2::text[]) AS q (project, id)
     WHERE r.project = q.project AND r.source = q.id`,
    keys,
  );
}

function writeRelations(session: Session, memories: readonly Memory[]): void {
  const edges = memories.flatMap(({ project, id, relations }) =>
    relations.map((relation, place) => ({ project, source: id, place, ...relation })),
  );
  if (edges.length === 0) return;
  session.send(
    `INSERT INTO relations (project, source, place, type, target, confidence, origin)
     SELECT * FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[],
       $6::float8[], $7::text[])`,
    [
      list(edges.map(({ project }) => project)),
      list(edges.map(({ source }) => source)),
      list(edges.map(({ place }) => place)),
      list(edges.map(({ type }) => type)),
      list(edges.map(({ target }) => target)),
      list(edges.map(({ confidence }) => confidence)),
      list(edges.map(({ origin }) => origin)),
    ],
  );
}

/** Counts of memories that have none, of the version that is there. */
export function writeTokens(session: Session, counts: readonly TokenCount[]): void {
  session.send(
    `UPDATE memories m SET tokens = q.tokens
     FROM unnest($1::text[], $2::integer[], $3::integer[]) AS q (id, version, tokens)
     WHERE m.id = q.id AND m.version = q.version AND m.tokens IS NULL`,
    [
      list(counts.map(({ id }) => id)),
      list(counts.map(({ version }) => version)),
      list(counts.map(({ tokens }) => tokens)),
    ],
  );
}

function moveRows(session: Session, header: Header, moved: readonly Moved[]): void {
  if (moved.length === 0) return;
  session.send(
    `UPDATE memories m SET doc = q.doc, length = q.length, revision = $5::bigint
     FROM unnest($1::text[], $2::text[], $3::integer[], $4::integer[]) AS q (project, id, doc, length)
     WHERE m.project = q.project AND m.id = q.id`,
    [
      list(moved.map(({ project }) => project)),
      list(moved.map(({ id }) => id)),
      list(moved.map(({ doc }) => doc)),
      list(moved.map(({ length }) => length)),
      header.revision,
    ],
  );
}
