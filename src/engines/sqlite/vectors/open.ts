import { existsSync, rmSync } from 'node:fs';
import { isDamage, type Database, type Driver } from '../drivers/driver.ts';

/**
 * Opens a database of vectors alone, beside an index. Undefined where there is none and nothing is to
 * be written. Everything in it can be made again: a damaged one is dropped.
 */
export function openVectorFile(
  driver: Driver,
  path: string,
  forWriting: boolean,
): Database | undefined {
  if (!forWriting && !existsSync(path)) return undefined;
  try {
    return openVectors(driver, path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    dropVectorFile(path);
    return forWriting ? openVectors(driver, path) : undefined;
  }
}

/** Nothing but time is lost. */
export function dropVectorFile(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}

/** A connection of its own, so that vectors are written while nobody holds up memories for them. */
export function openVectors(driver: Driver, path: string): Database {
  const database = driver.open(path);
  // Waiting is ours to do: SQLite would block the process.
  database.exec('PRAGMA busy_timeout = 0');
  if (database.prepare('PRAGMA journal_mode').get()?.['journal_mode'] !== 'wal') {
    database.exec('PRAGMA journal_mode = WAL');
  }
  database.exec('PRAGMA synchronous = NORMAL');
  return database;
}
