import { eventsOf } from '../../domain/append.ts';
import type { Change } from '../../domain/change.ts';
import { COMPACTION_SUBJECT, horizonOf, planCompaction } from '../../domain/compaction.ts';
import { isMemoryEvent, type LogEvent } from '../../domain/event.ts';
import { newcomers } from '../../domain/newcomers.ts';
import { purgedAmong, purgedSubject, remainsOf, scrub, type Remains } from '../../domain/purge.ts';
import type { MergeReport } from '../../ports/log-life.ts';
import type { CommitContext } from './commit.ts';
import type { Session } from './driver.ts';
import type { Header } from './header.ts';
import { dropNotes } from './notes.ts';
import { list } from './parameters.ts';
import { eventOf, eventPages, readConflicts, readHistory } from './reader.ts';
import { appendEvents, rebuild } from './rebuild.ts';

/** Joins another log; what it holds of purged memories never gets in. */
export async function mergeEvents(
  session: Session,
  header: Header,
  events: readonly LogEvent[],
  { clock }: CommitContext,
): Promise<Omit<MergeReport, 'stateHash'>> {
  const before = new Set(await readConflicts(session));
  const fresh = await newTo(session, events);
  await appendEvents(session, header, fresh, clock);
  await scrubLog(session, header, purgedAmong(fresh));
  const conflicts = await readConflicts(session);
  return {
    events: fresh.length,
    memories: new Set(fresh.filter(isMemoryEvent).map(({ subject }) => subject)).size,
    conflicts: conflicts.filter((id) => !before.has(id)),
  };
}

/** Drops history from the log. Returns the number of events. */
export async function compactLog(
  session: Session,
  header: Header,
  actor: string,
  context: CommitContext,
): Promise<number> {
  const plan = planCompaction(await allEvents(session));
  if (!plan) return 0;
  const { compaction: data } = plan;
  await write(session, header, actor, context, [
    { kind: 'log.compacted', subject: COMPACTION_SUBJECT, data },
  ]);
  session.send('DELETE FROM events WHERE id = ANY($1::text[])', [list(plan.dropped)]);
  replaceEvents(session, plan.changed);
  return plan.dropped.size;
}

/** Deletes memories for good. Returns the ids of those that were there. */
export async function purgeMemories(
  session: Session,
  header: Header,
  ids: readonly string[],
  actor: string,
  context: CommitContext,
): Promise<readonly string[]> {
  const rows = await session.query(
    'SELECT DISTINCT subject FROM events WHERE subject = ANY($1::text[])',
    [list(ids)],
  );
  const known = new Set(rows.map((row) => row['subject'] as string));
  const purged = [...new Set(ids)].filter((id) => known.has(id));
  const changes = purged.map((id): Change => {
    return { kind: 'memory.purged', subject: purgedSubject(id), data: null };
  });
  await write(session, header, actor, context, changes);
  await scrubLog(session, header, new Set(changes.map(({ subject }) => subject)));
  return purged;
}

export async function readHorizon(session: Session): Promise<{ readonly horizon?: string }> {
  const horizon = horizonOf(await readHistory(session, COMPACTION_SUBJECT));
  return horizon === undefined ? {} : { horizon };
}

/** The events of another log that are new here, without what was purged in either. */
async function newTo(session: Session, events: readonly LogEvent[]): Promise<readonly LogEvent[]> {
  const [tombstones, ids, compactions] = await Promise.all([
    session.query("SELECT line FROM events WHERE subject >= 'purged:' AND subject < 'purged;'"),
    session.query('SELECT id FROM events WHERE id = ANY($1::text[])', [
      list(events.map(({ id }) => id)),
    ]),
    readHistory(session, COMPACTION_SUBJECT),
  ]);
  const purged = new Set([...purgedAmong(tombstones.map(eventOf)), ...purgedAmong(events)]);
  const known = new Set(ids.map((row) => row['id'] as string));
  const isCompacted = compactions.length > 0;
  const folded = isCompacted ? await foldedIds(session) : new Set<string>();
  const histories = isCompacted ? await historiesOf(session, events) : new Map();
  return newcomers(
    {
      has: (id) => known.has(id),
      folded,
      of: (subject): readonly LogEvent[] => histories.get(subject) ?? [],
    },
    events.map((event) => scrub(event, purged)),
  );
}

async function foldedIds(session: Session): Promise<ReadonlySet<string>> {
  const rows = await session.query(`SELECT line FROM events WHERE line LIKE '%"folds":[%'`);
  return new Set(rows.map(eventOf).flatMap(({ folds = [] }) => folds));
}

async function historiesOf(
  session: Session,
  events: readonly LogEvent[],
): Promise<ReadonlyMap<string, readonly LogEvent[]>> {
  const rows = await session.query(
    'SELECT line FROM events WHERE subject = ANY($1::text[]) ORDER BY pos',
    [list(new Set(events.map(({ subject }) => subject)))],
  );
  const histories = new Map<string, LogEvent[]>();
  for (const event of rows.map(eventOf)) {
    const history = histories.get(event.subject);
    if (history) history.push(event);
    else histories.set(event.subject, [event]);
  }
  return histories;
}

/** Takes out of log and state whatever was purged, and what only that spoke of. */
async function scrubLog(
  session: Session,
  header: Header,
  purged: ReadonlySet<string>,
): Promise<void> {
  if (purged.size === 0) return;
  const before = await allEvents(session);
  const after = before.map((event) => scrub(event, purged));
  const said = before.filter((event, i) => event !== after[i]);
  if (said.length === 0) return;
  replaceEvents(
    session,
    after.filter((event, i) => event !== before[i]),
  );
  dropNotes(session);
  await rebuild(session, header);
  forget(session, remainsOf(said, after));
}

function forget(session: Session, { blobs, texts }: Remains): void {
  session.send('DELETE FROM evidence WHERE sha256 = ANY($1::text[])', [list(blobs)]);
  for (const table of ['vectors', 'vector_writes']) {
    session.send(`DELETE FROM ${table} WHERE key = ANY($1::text[])`, [list(texts)]);
  }
}

function replaceEvents(session: Session, events: readonly LogEvent[]): void {
  session.send(
    `UPDATE events e SET subject = q.subject, line = q.line
     FROM unnest($1::text[], $2::text[], $3::text[]) AS q (id, subject, line) WHERE e.id = q.id`,
    [
      list(events.map(({ id }) => id)),
      list(events.map(({ subject }) => subject)),
      list(events.map((event) => JSON.stringify(event))),
    ],
  );
}

/** Puts events of this replica on the log. */
async function write(
  session: Session,
  header: Header,
  actor: string,
  { clock, ids }: CommitContext,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  const [row] = await session.query('SELECT rseq, prev FROM tips WHERE replica = $1::text', [
    header.replica,
  ]);
  const tip = {
    replica: header.replica,
    rseq: Number(row?.['rseq'] ?? 0),
    prev: (row?.['prev'] as string | undefined) ?? '',
    hlc: header.hlc,
  };
  const events = eventsOf(changes, tip, {
    nowMs: clock.nowMs(),
    actor,
    ulid: (nowMs) => ids.ulid(nowMs),
    salt: () => ids.salt(),
    headsOf: () => [],
  });
  await appendEvents(session, header, events, clock);
}

async function allEvents(session: Session): Promise<readonly LogEvent[]> {
  const all: LogEvent[] = [];
  for await (const page of eventPages(session, 2000)) all.push(...page);
  return all;
}
