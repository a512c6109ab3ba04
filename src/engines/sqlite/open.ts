import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LociError } from '../../domain/errors.ts';
import { homeOf } from '../shared/home.ts';
import { storeError } from '../shared/store-error.ts';
import { backUpBeforeMigration } from './backup.ts';
import { isDamage, type Database } from './drivers/driver.ts';
import { sqliteDriver } from './drivers/index.ts';
import { SqliteEngine, type SqliteOptions } from './engine.ts';
import { fillLikeness } from './likeness-table.ts';
import { inTransaction, untilFree } from './lock.ts';
import {
  LIKENESS_VERSION,
  migrate,
  requireKnownSchema,
  SCHEMA_VERSION,
  schemaVersion,
} from './migrations.ts';
import { SqliteStore } from './store.ts';

/** Opens, and makes if need be, a store in one SQLite file. */
export async function openSqlite(options: SqliteOptions): Promise<SqliteEngine> {
  const path = resolve(options.path);
  const driver = options.driver ?? sqliteDriver();
  let database: Database | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    database = driver.open(path);
    await setUp(database, path, options);
    const store = new SqliteStore(database, options.isolated ?? false);
    const settle = (): string => prepare(store, path, options);
    const replica = settledReplica(store, path);
    return new SqliteEngine(
      store,
      path,
      replica ?? (await inTransaction(database, path, settle, options)),
      options,
    );
  } catch (error) {
    database?.close();
    throw storeError(error, path);
  }
}

async function setUp(database: Database, path: string, options: SqliteOptions): Promise<void> {
  try {
    // Waiting is ours to do: SQLite would block the process.
    database.exec('PRAGMA busy_timeout = 0');
    const enter = (): void => {
      // Refused before anything is touched: not even the journal mode of a newer store changes.
      requireKnownSchema(schemaVersion(database), path);
      database.exec('PRAGMA journal_mode = WAL');
    };
    await untilFree(enter, path, options.lockDeadlineMs);
    // An acknowledged write survives a power cut: the WAL is synced at every commit.
    database.exec('PRAGMA synchronous = FULL');
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new LociError(
      'corrupt',
      `${path} is damaged or no SQLite database`,
      'It was left as it is. Restore it from a backup, or name another file.',
      { cause: error },
    );
  }
}

/** Who this replica is, where nothing has to be settled first: then opening waits for nobody. */
function settledReplica(store: SqliteStore, path: string): string | undefined {
  if (schemaVersion(store.database) !== SCHEMA_VERSION) return undefined;
  if (store.meta('home') !== homeOf(path)) return undefined;
  return store.meta('isolated') === String(store.isolated) ? store.meta('replica') : undefined;
}

/** Migrates and settles who this replica is, inside the lock. */
function prepare(store: SqliteStore, path: string, options: SqliteOptions): string {
  const { ids, clock } = options;
  backUpIfOld(store.database, path, options);
  const applied = migrate(store.database, path);
  if (applied.includes(LIKENESS_VERSION)) fillLikeness(store.database, store.isolated);
  const home = homeOf(path);
  if (store.meta('store') === undefined) store.setMeta('store', ids.ulid(clock.nowMs()));
  if (store.meta('home') !== home || store.meta('replica') === undefined) {
    store.setMeta('home', home);
    store.setMeta('replica', ids.ulid(clock.nowMs()));
    store.setMeta('epoch', ids.ulid(clock.nowMs()));
  }
  const isolated = String(store.isolated);
  const before = store.meta('isolated');
  if (before !== isolated) {
    store.setMeta('isolated', isolated);
    if (before !== undefined) store.rebuild();
  }
  return store.meta('replica') as string;
}

/** Whoever waited for the lock finds the work done. */
function backUpIfOld(database: Database, path: string, options: SqliteOptions): void {
  const { backUp = true, clock, driver = sqliteDriver(), onNotice } = options;
  const version = schemaVersion(database);
  if (!backUp || version === 0 || version >= SCHEMA_VERSION) return;
  const copy = backUpBeforeMigration({ driver, path, version, nowMs: clock.nowMs() });
  onNotice?.(
    `${path} was brought from schema ${version} to ${SCHEMA_VERSION}; as it was it lies in ${copy}`,
  );
}
