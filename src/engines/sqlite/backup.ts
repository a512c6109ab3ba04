import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { toIso } from '../../domain/time.ts';
import type { Database, Driver } from './drivers/driver.ts';

/** Copies of a store that are kept from before its migrations. */
const KEPT = 3;

export interface BackupRequest {
  readonly driver: Driver;
  /** Of the store, which is locked by the caller or by nobody. */
  readonly path: string;
  /** Schema version that it has. */
  readonly version: number;
  readonly nowMs: number;
}

/**
 * Copies a store beside itself before its tables are changed: what is committed, as one file that opens
 * like any other. Of such copies the newest are kept.
 * @returns path of the copy
 */
export function backUpBeforeMigration(request: BackupRequest): string {
  const { driver, path, version, nowMs } = request;
  const stamp = toIso(nowMs).replace(/[-:.]/g, '');
  const target = `${path}.${stamp}.schema-${version}.backup`;
  const temporary = `${target}.part`;
  rmSync(temporary, { force: true });
  // A connection of its own: the one that migrates is in the middle of its transaction.
  const database = driver.open(path);
  try {
    database.prepare('VACUUM INTO ?').run(temporary);
  } finally {
    database.close();
  }
  flush(temporary);
  renameSync(temporary, target);
  for (const old of backupsOf(path).slice(0, -KEPT)) rmSync(old, { force: true });
  return target;
}

/**
 * Deletes the copies that know some memories, or that cannot be read: purged text may be in them.
 * @returns a warning for each that could not be deleted
 */
export function dropBackupsOf(driver: Driver, path: string, ids: readonly string[]): string[] {
  return backupsOf(path)
    .filter((copy) => mayKnow(driver, copy, ids))
    .flatMap((copy) => {
      try {
        rmSync(copy, { force: true });
        return [];
      } catch (error) {
        return [
          `${copy} holds what was purged and could not be deleted: ${(error as Error).message}`,
        ];
      }
    });
}

function mayKnow(driver: Driver, copy: string, ids: readonly string[]): boolean {
  let database: Database | undefined;
  try {
    database = driver.open(copy);
    // Other memories may name it: its id is looked for in their events too.
    const known = database.prepare('SELECT 1 FROM events WHERE instr(upper(line), ?) > 0 LIMIT 1');
    return ids.some((id) => known.get(id.toUpperCase()) !== undefined);
  } catch {
    return true;
  } finally {
    database?.close();
  }
}

/** The copies beside a store, oldest first. */
function backupsOf(path: string): string[] {
  const prefix = `${basename(path)}.`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && /\.schema-\d+\.backup$/.test(name))
    .sort()
    .map((name) => join(dirname(path), name));
}

function flush(path: string): void {
  const fd = openSync(path, 'r+');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
