import { existsSync, rmSync } from 'node:fs';
import type { Database, Driver } from '../drivers/driver.ts';

/**
 * Opens a database of vectors alone, beside an index. Undefined where there is none and nothing is to
 * be written.
 */
export function openVectorFile(
  driver: Driver,
  path: string,
  forWriting: boolean,
): Database | undefined {
  return forWriting || existsSync(path) ? openVectors(driver, path) : undefined;
}

/** Nothing but time is lost: everything in it can be made again. */
export function dropVectorFile(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}

/** A connection of its own, so that vectors are written while nobody holds up memories for them. */
export function openVectors(driver: Driver, path: string): Database {
  const database = driver.open(path);
  try {
    // Waiting is ours to do: SQLite would block the process.
    database.exec('PRAGMA busy_timeout = 0');
    if (database.prepare('PRAGMA journal_mode').get()?.['journal_mode'] !== 'wal') {
      database.exec('PRAGMA journal_mode = WAL');
    }
    database.exec('PRAGMA synchronous = NORMAL');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
