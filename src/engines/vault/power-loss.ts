import { uptime } from 'node:os';
import type { SqliteStore } from '../sqlite/store.ts';
import { lastFileMs } from './files-table.ts';

/**
 * Files are not synced one by one. A process that dies leaves them with the system; a machine that
 * goes down may leave the latest of them missing, empty or as they were before. The log is synced,
 * so these are written again, and never taken for a person's doing.
 */

/** Two readings of one machine's boot time differ by less. */
const TOLERANCE_MS = 60_000;
/** What was written longer than this before the last file has reached the disk. */
const UNSYNCED_MS = 10 * 60_000;
const KEY = 'boot_ms';

/** From when on files may have been lost; undefined when the machine has not been down since. */
export function unsyncedSince(store: SqliteStore): number | undefined {
  const noted = store.meta(KEY);
  if (noted === undefined || Math.abs(bootMs() - Number(noted)) < TOLERANCE_MS) return undefined;
  return lastFileMs(store.database) - UNSYNCED_MS;
}

/** Notes under which boot the files are as the index says. */
export function noteBoot(store: SqliteStore): void {
  const noted = store.meta(KEY);
  if (noted !== undefined && Math.abs(bootMs() - Number(noted)) < TOLERANCE_MS) return;
  store.setMeta(KEY, Math.round(bootMs()));
}

function bootMs(): number {
  return Date.now() - uptime() * 1000;
}
