import { COMPACTION_SUBJECT, planCompaction } from '../../domain/compaction.ts';
import type { Change } from '../../domain/change.ts';
import { isMemoryEvent, type LogEvent } from '../../domain/event.ts';
import { VIEW_ALL } from '../../domain/view.ts';
import type { CompactReport, MergeReport, PurgeReport } from '../../ports/log-life.ts';
import { beginImmediate, rollBack } from '../sqlite/lock.ts';
import { horizonOfLog, mergeEvents, newTo, tombstones } from '../sqlite/log-life.ts';
import { readConflicts, readStats, readTombstones } from '../sqlite/reader.ts';
import { scrubbedLine } from './clean-log.ts';
import { NOTHING_READ } from './log-file.ts';
import type { Vault } from './vault.ts';

/** Appends what is new of another log; index and files follow as after a commit of somebody else. */
export async function mergeIntoVault(
  vault: Vault,
  events: readonly LogEvent[],
  dryRun: boolean,
): Promise<MergeReport> {
  await vault.catchUp();
  vault.requireLog();
  if (dryRun) return foretell(vault, events);
  const before = new Set(readConflicts(vault.index.store.database));
  const { fresh } = newTo(vault.index.store, events);
  if (fresh.length > 0) {
    await vault.log.append(
      fresh.map((event) => JSON.stringify(event)),
      vault.index.mark,
    );
    await vault.catchUp();
  }
  const { store } = vault.index;
  return {
    events: fresh.length,
    memories: new Set(fresh.filter(isMemoryEvent).map(({ subject }) => subject)).size,
    conflicts: readConflicts(store.database).filter((id) => !before.has(id)),
    stateHash: store.stateHash(),
  };
}

async function foretell(vault: Vault, events: readonly LogEvent[]): Promise<MergeReport> {
  const { store } = vault.index;
  const { clock, lockDeadlineMs } = vault.options;
  await beginImmediate(store.database, vault.root, lockDeadlineMs);
  try {
    return mergeEvents(store, events, clock.nowMs()).report;
  } finally {
    rollBack(store.database);
  }
}

/** Writes the log anew without its history, and takes it over as one that somebody else rewrote. */
export async function compactVault(vault: Vault, actor: string): Promise<CompactReport> {
  await vault.catchUp();
  vault.requireLog();
  const plan = planCompaction(vault.log.readFrom(NOTHING_READ).events);
  if (plan) {
    const { compaction: data, dropped } = plan;
    const kept = new Map(plan.changed.map((event) => [event.id, JSON.stringify(event)]));
    const note = linesOf(
      vault,
      [{ kind: 'log.compacted', subject: COMPACTION_SUBJECT, data }],
      actor,
    );
    const change = (line: string, event: LogEvent | undefined): string | undefined => {
      if (!event) return line;
      return dropped.has(event.id) ? undefined : (kept.get(event.id) ?? line);
    };
    vault.log.rewrite(change, note);
    vault.step('rewritten');
    await vault.catchUp();
  }
  const { store } = vault.index;
  const { events } = readStats(store.database, VIEW_ALL);
  return {
    dropped: plan?.dropped.size ?? 0,
    events,
    ...horizonOfLog(store.database),
    stateHash: store.stateHash(),
  };
}

/** Writes the log anew without what it says of some memories; all else follows from their tombstones. */
export async function purgeFromVault(
  vault: Vault,
  ids: readonly string[],
  actor: string,
): Promise<PurgeReport> {
  await vault.catchUp();
  vault.requireLog();
  const { purged, changes } = tombstones(vault.index.store, ids);
  if (purged.length === 0) return { purged, warnings: [] };
  const gone = new Set([
    ...readTombstones(vault.index.store.database),
    ...changes.map(({ subject }) => subject),
  ]);
  vault.log.rewrite(
    (line, event) => scrubbedLine(line, event, gone),
    linesOf(vault, changes, actor),
  );
  vault.step('rewritten');
  vault.purgeWarnings.length = 0;
  await vault.catchUp();
  return { purged, warnings: [...vault.purgeWarnings] };
}

/** Events of this replica as lines of the log; they are not on it yet. */
function linesOf(vault: Vault, changes: readonly Change[], actor: string): readonly string[] {
  const { index, local, options } = vault;
  const { clock, ids } = options;
  const state = index.store.stateFor({ ids: [], contentKeys: [], actor });
  return index.store.prepare(changes, state, { replica: local.replica, actor, clock, ids }).lines;
}
