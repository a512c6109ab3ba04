import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { Finding } from '../../domain/finding.ts';
import type { Progress } from '../../ports/log-life.ts';
import { isDamage, type Database, type Driver } from '../sqlite/drivers/driver.ts';
import { KeywordIndex } from '../sqlite/keyword-index.ts';
import {
  migrate,
  requireKnownSchema,
  schemaVersion,
  SCHEMA_VERSION,
} from '../sqlite/migrations.ts';
import { SqliteStore } from '../sqlite/store.ts';
import { dropVectorFile, openVectorFile } from '../sqlite/vectors/open.ts';
import { VectorIndex } from '../sqlite/vectors/vector-index.ts';
import { INDEX, VECTORS } from './layout.ts';
import { NOTHING_READ, type LogMark, type LogPart } from './log-file.ts';
import { createFilesTable } from './files-table.ts';

/** How long to wait for another process that is at a checkpoint, or closes the index. */
const BUSY_MS = 5000;
/** Events applied at a time when the whole log is read. */
const CHUNK = 8000;

export interface IndexOptions {
  readonly driver: Driver;
  readonly root: string;
  readonly isolated: boolean;
  readonly nowMs: () => number;
  /** Called when the index that is there turns out to be damaged. */
  readonly onDamage?: () => void;
}

/** What is said when the index had to be given up. */
export const INDEX_DAMAGED: Finding = {
  check: 'index',
  severity: 'warning',
  message: 'the index was damaged; it was built again from the log',
};

/**
 * The derived index of a vault: the sqlite engine's tables fed from the log, and what is known of
 * each file. One connection writes, inside the vault's lock; another one reads, so that nobody
 * sees what is not durable yet.
 */
export class VaultIndex {
  readonly store: SqliteStore;
  readonly reader: Database;
  readonly keywords: KeywordIndex;
  readonly vectors: VectorIndex;
  readonly #path: string;
  readonly #inodes: string;

  private constructor(
    path: string,
    { writer, reader }: { writer: Database; reader: Database },
    { driver, root, isolated }: IndexOptions,
  ) {
    this.#path = path;
    this.store = new SqliteStore(writer, isolated);
    this.reader = reader;
    this.keywords = new KeywordIndex(reader);
    const location = join(root, VECTORS);
    this.vectors = new VectorIndex({
      index: reader,
      keywords: this.keywords,
      location,
      open: (forWriting) => openVectorFile(driver, location, forWriting),
      inode: () => statSync(location, { throwIfNoEntry: false })?.ino,
      drop: () => dropVectorFile(location),
    });
    this.#inodes = inodesOf(path);
  }

  /**
   * Opens an index that needs nothing done to it; undefined for one that is missing, damaged or
   * made for another isolation.
   * @throws LociError unsupported when it is of a newer program: it is never rebuilt
   */
  static openIfUsable(options: IndexOptions): VaultIndex | undefined {
    const path = join(options.root, INDEX);
    while (isUsable(path, options)) {
      const index = VaultIndex.#connect(path, options);
      if (index) return index;
    }
    return undefined;
  }

  /**
   * Builds the index anew from a whole log beside the old one and puts it in its place. Nothing is
   * known of the files then. The caller holds the vault's lock.
   */
  static build(options: IndexOptions, log: LogPart, progress?: Progress): VaultIndex {
    const path = join(options.root, INDEX);
    const temporary = `${path}.new`;
    for (const suffix of ['', '-wal', '-shm', '-journal'])
      rmSync(temporary + suffix, { force: true });
    const database = options.driver.open(temporary);
    try {
      // Nobody else sees it before it is complete; if this process dies, it is built once more.
      database.exec('PRAGMA journal_mode = OFF');
      database.exec('PRAGMA synchronous = OFF');
      // 64 MB: all of a usual index, so that its pages are written once.
      database.exec('PRAGMA cache_size = -65536');
      database.exec('BEGIN');
      migrate(database, temporary);
      createFilesTable(database);
      const store = new SqliteStore(database, options.isolated);
      store.setMeta('isolated', String(options.isolated));
      // Vectors are kept by document number: they must not take this index for the one before.
      store.setMeta('generation', randomInt(2 ** 47));
      feed(store, log, options, progress);
      store.setMeta('log', JSON.stringify(log.mark));
      store.setMeta('files known', 0);
      database.exec('COMMIT');
      // Now, while it is alone: later it would need to keep everybody else out for a moment.
      database.exec('PRAGMA journal_mode = WAL');
    } finally {
      database.close();
    }
    flush(temporary);
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    renameSync(temporary, path);
    return VaultIndex.#connect(path, options) ?? VaultIndex.build(options, log, progress);
  }

  /** Undefined when the file was replaced while it was opened: that needs no lock. */
  static #connect(path: string, options: IndexOptions): VaultIndex | undefined {
    const ino = (): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;
    const before = ino();
    if (before === undefined) return undefined;
    const writer = options.driver.open(path);
    const reader = options.driver.open(path);
    for (const database of [writer, reader]) {
      // Only the holder of the vault's lock writes; whoever meets it at a checkpoint waits briefly.
      database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
      database.exec('PRAGMA journal_mode = WAL');
      database.exec('PRAGMA synchronous = NORMAL');
      // 8 MB: a checkpoint syncs twice, so it should not come with every few writes.
      database.exec('PRAGMA wal_autocheckpoint = 2000');
      // The first read makes the files beside it.
      database.prepare('SELECT count(*) FROM sqlite_schema').get();
    }
    const index = new VaultIndex(path, { writer, reader }, options);
    if (ino() === before) return index;
    index.close();
    return undefined;
  }

  /** Whether the path still is the file that was opened, and so are the files beside it. */
  isCurrent(): boolean {
    return inodesOf(this.#path) === this.#inodes;
  }

  /** Whether the index itself is still the one, but SQLite's files beside it were taken away. */
  lostItsJournal(): boolean {
    return !this.isCurrent() && inodesOf(this.#path).split(' ')[0] === this.#inodes.split(' ')[0];
  }

  /** False after it was built from the log, until the files have been looked at. */
  get knowsFiles(): boolean {
    return this.store.meta('files known') !== '0';
  }

  set knowsFiles(known: boolean) {
    this.store.setMeta('files known', Number(known));
  }

  get mark(): LogMark {
    return JSON.parse(this.store.meta('log') ?? JSON.stringify(NOTHING_READ)) as LogMark;
  }

  set mark(mark: LogMark) {
    this.store.setMeta('log', JSON.stringify(mark));
  }

  close(): void {
    this.vectors.close();
    this.store.database.close();
    this.reader.close();
  }
}

/** Inodes of a database and of the two files that SQLite keeps beside it. */
function inodesOf(path: string): string {
  const files = [path, `${path}-wal`, `${path}-shm`];
  return files.map((file) => statSync(file, { throwIfNoEntry: false })?.ino ?? '').join(' ');
}

/** What is renamed into place has to be on the disk: a power loss must not leave half an index. */
function flush(path: string): void {
  const fd = openSync(path, 'r+');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Applies the whole log to an empty store. */
function feed(
  store: SqliteStore,
  { events, lines }: LogPart,
  { nowMs }: IndexOptions,
  progress?: Progress,
): void {
  for (let done = 0; done < events.length; done += CHUNK) {
    store.append(events.slice(done, done + CHUNK), lines.slice(done, done + CHUNK), nowMs());
    progress?.(Math.min(done + CHUNK, events.length), events.length);
  }
}

function isUsable(path: string, { driver, isolated, onDamage }: IndexOptions): boolean {
  if (!existsSync(path)) return false;
  let database: Database | undefined;
  try {
    database = driver.open(path);
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    const version = schemaVersion(database);
    requireKnownSchema(version, path);
    if (version < SCHEMA_VERSION) return false;
    const row = database.prepare("SELECT value FROM meta WHERE key = 'isolated'").get();
    return row?.['value'] === String(isolated);
  } catch (error) {
    if (!isDamage(error) && !/no such table/.test(String(error))) throw error;
    onDamage?.();
    return false;
  } finally {
    database?.close();
  }
}
