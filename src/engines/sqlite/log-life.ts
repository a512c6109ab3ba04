import type { Change } from '../../domain/change.ts';
import { COMPACTION_SUBJECT, horizonOf, planCompaction } from '../../domain/compaction.ts';
import { isMemoryEvent, type LogEvent } from '../../domain/event.ts';
import { newcomers, type KnownLog } from '../../domain/newcomers.ts';
import { purgedAmong, purgedSubject, remainsOf, scrub, type Remains } from '../../domain/purge.ts';
import type { MergeReport } from '../../ports/log-life.ts';
import type { Database } from './drivers/driver.ts';
import { dropNotes } from './meta.ts';
import { readConflicts, readHistory, readTombstones } from './reader.ts';
import type { SqliteStore, WriterStamp } from './store.ts';

export interface Merged {
  readonly report: MergeReport;
  readonly remains: Remains;
}

/** The events of another log that are new to a store, without what was purged in either. */
export function newTo(
  { database }: SqliteStore,
  events: readonly LogEvent[],
): { readonly fresh: readonly LogEvent[]; readonly purged: ReadonlySet<string> } {
  const purged = new Set([...readTombstones(database), ...purgedAmong(events)]);
  const ids = database.prepare('SELECT id FROM events').all();
  const all = new Set(ids.map((row) => row['id'] as string));
  const known: KnownLog = {
    has: (id) => all.has(id),
    folded: foldedIds(database),
    of: (subject) => readHistory(database, subject),
  };
  return {
    fresh: newcomers(
      known,
      events.map((event) => scrub(event, purged)),
    ),
    purged,
  };
}

/** Joins another log. The caller holds a transaction. */
export function mergeEvents(
  store: SqliteStore,
  events: readonly LogEvent[],
  nowMs: number,
): Merged {
  const { database } = store;
  const before = new Set(readConflicts(database));
  const { fresh } = newTo(store, events);
  const lines = fresh.map((event) => JSON.stringify(event));
  store.append(fresh, lines, nowMs);
  const remains = scrubLog(store, purgedAmong(fresh));
  const report = {
    events: fresh.length,
    memories: new Set(fresh.filter(isMemoryEvent).map(({ subject }) => subject)).size,
    conflicts: readConflicts(database).filter((id) => !before.has(id)),
    stateHash: store.stateHash(),
  };
  return { report, remains };
}

/** Drops history from the log. The caller holds a transaction. Returns the number of events. */
export function compactLog(store: SqliteStore, stamp: WriterStamp): number {
  const events = [...store.eventPages()].flat();
  const plan = planCompaction(events);
  if (!plan) return 0;
  // First, so that no position is given twice.
  write(
    store,
    [{ kind: 'log.compacted', subject: COMPACTION_SUBJECT, data: plan.compaction }],
    stamp,
  );
  const drop = store.database.prepare('DELETE FROM events WHERE subject = ? AND id = ?');
  for (const { subject, id } of events) if (plan.dropped.has(id)) drop.run(subject, id);
  for (const event of plan.changed) replaceEvent(store.database, event.subject, event);
  return plan.dropped.size;
}

/** Deletes memories for good. The caller holds a transaction. */
export function purgeMemories(
  store: SqliteStore,
  ids: readonly string[],
  stamp: WriterStamp,
): { readonly purged: readonly string[]; readonly remains: Remains } {
  const { purged, changes } = tombstones(store, ids);
  write(store, changes, stamp);
  return { purged, remains: scrubLog(store, new Set(changes.map(({ subject }) => subject))) };
}

/** What says of memories that they are gone; those that are not there are passed over. */
export function tombstones(
  { database }: SqliteStore,
  ids: readonly string[],
): { readonly purged: readonly string[]; readonly changes: readonly Change[] } {
  const known = database.prepare('SELECT 1 FROM events WHERE subject = ? LIMIT 1');
  const purged = [...new Set(ids)].filter((id) => known.get(id) !== undefined);
  const changes = purged.map((id): Change => {
    return { kind: 'memory.purged', subject: purgedSubject(id), data: null };
  });
  return { purged, changes };
}

/** Takes out of log and state whatever was purged. */
function scrubLog(store: SqliteStore, purged: ReadonlySet<string>): Remains {
  const said: LogEvent[] = [];
  if (purged.size === 0) return remainsOf(said, []);
  for (const event of [...store.eventPages()].flat()) {
    const scrubbed = scrub(event, purged);
    if (scrubbed === event) continue;
    said.push(event);
    replaceEvent(store.database, event.subject, scrubbed);
  }
  if (said.length > 0) {
    dropNotes(store.database);
    store.rebuild();
  }
  return remainsOf(said, [...store.eventPages()].flat());
}

export function horizonOfLog(database: Database): { horizon?: string } {
  const horizon = horizonOf(readHistory(database, COMPACTION_SUBJECT));
  return horizon === undefined ? {} : { horizon };
}

function foldedIds(database: Database): ReadonlySet<string> {
  if (readHistory(database, COMPACTION_SUBJECT).length === 0) return new Set();
  const rows = database.prepare(`SELECT line FROM events WHERE line LIKE '%"folds":[%'`).all();
  const events = rows.map((row) => JSON.parse(row['line'] as string) as LogEvent);
  return new Set(events.flatMap(({ folds = [] }) => folds));
}

function write(store: SqliteStore, changes: readonly Change[], stamp: WriterStamp): void {
  const state = store.stateFor({ ids: [], contentKeys: [], actor: stamp.actor });
  const { events, lines } = store.prepare(changes, state, stamp);
  store.append(events, lines, stamp.clock.nowMs());
}

/** @param subject as it was */
function replaceEvent(database: Database, subject: string, event: LogEvent): void {
  database
    .prepare('UPDATE events SET subject = ?, line = ? WHERE subject = ? AND id = ?')
    .run(event.subject, JSON.stringify(event), subject, event.id);
}
