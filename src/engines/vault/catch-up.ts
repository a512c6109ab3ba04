import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEvent } from '../../domain/event.ts';
import { purgedAmong, scrub } from '../../domain/purge.ts';
import { beginImmediate, rollBack } from '../sqlite/lock.ts';
import { readTombstones } from '../sqlite/reader.ts';
import { changedFiles } from './changed-files.ts';
import { readCleanLog, uncleanEvents } from './clean-log.ts';
import { clearRemains } from './clear-remains.ts';
import { joinDrawerLogs } from './drawer-logs.ts';
import { dropUnwritten, fileOf, putUnwritten, unwrittenIds } from './files-table.ts';
import { drawerAt, FOLDERS, inVault, LOG, pathOf, TORN } from './layout.ts';
import { NOTHING_READ, type LogPart } from './log-file.ts';
import { reconcile } from './reconcile.ts';
import type { Vault } from './vault.ts';
import { readDiskFile, storedById } from './work-files.ts';

/** Brings index and files up to the log, whoever wrote it. The caller holds the vault's lock. */
export async function catchUp(vault: Vault): Promise<void> {
  vault.openIndex();
  const isFirstLook = !vault.index.knowsFiles;
  if (isFirstLook) {
    await reconcile(vault);
    await lookAround(vault);
  }
  await readLog(vault);
  if (isFirstLook && vault.isolated && !vault.findings.has(LOG)) {
    if (await joinDrawerLogs(vault)) await readLog(vault);
  }
  await settle(vault, unwrittenIds(vault.index.store.database));
}

async function readLog(vault: Vault): Promise<void> {
  const { log } = vault;
  const { mark } = vault.index;
  const stat = log.stat();
  if (!stat || (stat.size === 0 && mark.offset > 0)) return logIsGone(vault, mark.offset > 0);
  vault.findings.delete(LOG);
  if (log.endsAt(mark, stat)) return;
  if (log.holds(mark)) {
    const part = log.readFrom(mark);
    if (!isAboutPurged(vault, part.events)) return apply(vault, part);
  }
  return compareWhole(vault);
}

/** Whether events say that something was purged, or speak of what was. */
function isAboutPurged({ index }: Vault, events: readonly LogEvent[]): boolean {
  if (events.some(({ kind }) => kind === 'memory.purged')) return true;
  const purged = readTombstones(index.store.database);
  return events.some((event) => scrub(event, purged) !== event);
}

/**
 * The log is not the one that was read before with something after it: compared by the ids of its
 * events. Those that are missing were dropped (`compact`), or are gone; those that changed were purged.
 */
async function compareWhole(vault: Vault): Promise<void> {
  const { index, log } = vault;
  const unclean = uncleanEvents(log.readFrom(NOTHING_READ));
  const whole = readCleanLog(vault);
  const purged = purgedAmong(whole.events);
  const known = [...index.store.eventPages()].flat();
  const ids = new Set(whole.events.map(({ id }) => id));
  const folded = new Set(whole.events.flatMap(({ folds = [] }) => folds));
  const dropped = known.filter(({ id }) => !ids.has(id));
  const vanished = dropped.filter(({ id }) => !folded.has(id));
  const said = [...known, ...unclean].filter((event) => scrub(event, purged) !== event);
  if (said.length > 0) {
    await clearRemains(vault, said, whole.events, purged);
    vault.step('cleared');
  }
  if (vanished.length > 0) {
    await foldAgain(
      vault,
      vanished.map((event) => scrub(event, purged)),
    );
  } else if (said.length > 0 || dropped.length > 0) {
    await vault.rebuildIndex();
    await lookAround(vault);
  } else {
    await apply(vault, whole);
  }
}

/** Applies what others appended; what their files lack is noted in the same transaction. */
async function apply(vault: Vault, part: LogPart): Promise<void> {
  const { index, options } = vault;
  const { store } = index;
  const mark = vault.mend(part);
  await beginImmediate(store.database, vault.root, options.lockDeadlineMs);
  try {
    const { touched } = store.append(part.events, part.lines, options.clock.nowMs());
    putUnwritten(store.database, touched.keys());
    index.mark = mark;
    store.database.exec('COMMIT');
  } catch (error) {
    rollBack(store.database);
    throw error;
  }
}

/** Lets files follow the state, but for those that somebody changed: these are taken up. */
async function settle(vault: Vault, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { database } = vault.index.store;
  const write: string[] = [];
  const look: string[] = [];
  const looked: string[] = [];
  for (const id of ids) {
    const record = fileOf(database, id);
    const path = record?.path ?? fileNamed(vault, id);
    const disk = path === undefined ? undefined : readDiskFile(vault.root, path);
    if (!disk || path === undefined || disk.hash === record?.hash) {
      write.push(id);
      continue;
    }
    look.push(path);
    looked.push(id);
  }
  await vault.writeFiles(write);
  if (vault.findings.has(LOG)) return;
  dropUnwritten(database, looked);
  await vault.takeUp(look);
}

/** Where a memory's file lies if nothing is known of it. */
export function fileNamed(vault: Vault, id: string): string | undefined {
  const stored = storedById(vault.index.store.database, id);
  if (!stored) return undefined;
  // One that was written before agents were kept apart lies where it lay.
  const drawer = drawerAt(pathOf(stored.memory, vault.isolated));
  const drawers = drawer === '' ? [''] : [`${drawer}/`, ''];
  const paths = drawers.flatMap((at) => FOLDERS.map((folder) => `${at}${folder}/${id}.md`));
  return paths.find((path) => existsSync(inVault(vault.root, path)));
}

/**
 * Events vanished: another branch was checked out, or the log was put back from a copy. The state
 * is folded again from what is there, under a new replica id, since numbers after the point of
 * parting may have been given out twice otherwise.
 */
async function foldAgain(vault: Vault, vanished: readonly LogEvent[]): Promise<void> {
  if (!vault.git) {
    const lines = vanished.map((event) => `${JSON.stringify(event)}\n`);
    appendFileSync(join(vault.root, TORN), lines.join(''));
  }
  vault.renew();
  await vault.rebuildIndex();
  vault.findings.set('events vanished', {
    check: 'log',
    severity: 'info',
    message: `${vanished.length} events are not in the log any more (another branch?); the state was folded again`,
  });
  await lookAround(vault);
}

/** In a git work tree this is left to the next scan: it waits until git is done. */
async function lookAround(vault: Vault): Promise<void> {
  if (vault.git || vault.findings.has(LOG) || !vault.log.stat()) return;
  await vault.takeUp(changedFiles(vault));
}

function logIsGone(vault: Vault, hadEvents: boolean): void {
  const { path } = vault.log;
  if (!hadEvents) {
    writeFileSync(path, '', { flag: 'a' });
    return;
  }
  vault.findings.set(LOG, {
    check: 'log',
    severity: 'error',
    message: `${path} is gone or empty; reading goes on from the index, writing is refused`,
    hint: 'Put it back from git or a backup, or run: loci replay (restores it from the index)',
  });
}
