import type { Database, Driver } from '../drivers/driver.ts';
import { createVectorTables } from './tables.ts';

/** Another connection to wait on than that of the memories. */
const BUSY_MS = 500;

/** Opens the database that vectors are kept in; a lost write of them is only embedded again. */
export function openVectors(driver: Driver, path: string): Database {
  const database = driver.open(path);
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = NORMAL');
  createVectorTables(database);
  return database;
}
