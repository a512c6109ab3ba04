import type { LogEvent } from '../../domain/event.ts';
import { LociError } from '../../domain/errors.ts';
import type { ForeignLog } from '../../ports/logs.ts';
import { storeError } from '../shared/store-error.ts';
import { sqliteDriver } from './drivers/index.ts';
import { inSnapshot } from './lock.ts';
import { requireKnownSchema, schemaVersion } from './migrations.ts';

/**
 * Reads the log of a store in one SQLite file and changes nothing there.
 * @throws LociError unsupported for a store of a newer program, invalid_input for another database
 */
export function readSqliteLog(path: string): ForeignLog {
  const database = sqliteDriver().open(path);
  try {
    requireKnownSchema(schemaVersion(database), path);
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const names = new Set(tables.map((row) => row['name']));
    if (!names.has('events')) {
      throw new LociError(
        'invalid_input',
        `${path} is an SQLite database, but no store of Loci`,
        'Name a vault, an events.ndjson file or a store in an SQLite file.',
      );
    }
    return inSnapshot(database, () => {
      const rows = database.prepare('SELECT line FROM events ORDER BY pos').all();
      const events = rows.map((row) => JSON.parse(row['line'] as string) as LogEvent);
      const blobs = new Map<string, Uint8Array>();
      if (names.has('evidence')) {
        for (const row of database.prepare('SELECT sha256, bytes FROM evidence').all()) {
          blobs.set(row['sha256'] as string, new Uint8Array(row['bytes'] as Uint8Array));
        }
      }
      return { events, setAside: [], evidence: async (sha256) => blobs.get(sha256) };
    });
  } catch (error) {
    throw storeError(error, path);
  } finally {
    database.close();
  }
}
