import type { Database } from './drivers/driver.ts';
import { untilFree } from './lock.ts';

/** Readers only hold a snapshot for as long as they read. */
const DEADLINE_MS = 5000;

/**
 * Writes a database anew without its free pages, and empties the journal beside it: what was deleted
 * is in neither file then.
 * @throws LociError busy, when others were reading or writing all the time
 */
export async function wipe(database: Database, path: string): Promise<void> {
  await untilFree(() => database.exec('VACUUM'), path, DEADLINE_MS);
  await untilFree(
    () => {
      const row = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
      if (Number(row?.['busy']) !== 0)
        throw Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' });
    },
    path,
    DEADLINE_MS,
  );
}
