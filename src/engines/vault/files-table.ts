import type { Database, Row } from '../sqlite/drivers/driver.ts';

/** What we last wrote to a file, or adopted from it. */
export interface FileRecord {
  /** Below the vault, with forward slashes. */
  readonly path: string;
  readonly id: string;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  /** Ids of the events that it shows. */
  readonly heads: readonly string[];
  readonly size: number;
  readonly mtimeMs: number;
}

/** The size of a file that is missing when nothing may be concluded from it. */
export const MISSING = -1;

export function createFilesTable(database: Database): void {
  database.exec(`
    CREATE TABLE files (
      path TEXT PRIMARY KEY, id TEXT NOT NULL, hash TEXT NOT NULL, heads TEXT NOT NULL,
      size INTEGER NOT NULL, mtime_ms REAL NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX files_id ON files (id);
    -- Memories whose files do not follow the state yet.
    CREATE TABLE unwritten (id TEXT PRIMARY KEY) WITHOUT ROWID;
  `);
}

export function putUnwritten(database: Database, ids: Iterable<string>): void {
  const insert = database.prepare('INSERT OR IGNORE INTO unwritten (id) VALUES (?)');
  for (const id of ids) insert.run(id);
}

export function dropUnwritten(database: Database, ids: Iterable<string>): void {
  const remove = database.prepare('DELETE FROM unwritten WHERE id = ?');
  for (const id of ids) remove.run(id);
}

export function unwrittenIds(database: Database): string[] {
  return database
    .prepare('SELECT id FROM unwritten')
    .all()
    .map((row) => row['id'] as string);
}

/** When the last file was written or adopted, milliseconds. */
export function lastFileMs(database: Database): number {
  return Number(database.prepare('SELECT max(mtime_ms) AS last FROM files').get()?.['last'] ?? 0);
}

export function fileOf(database: Database, id: string): FileRecord | undefined {
  const row = database.prepare('SELECT * FROM files WHERE id = ?').get(id);
  return row && recordOf(row);
}

export function fileAt(database: Database, path: string): FileRecord | undefined {
  const row = database.prepare('SELECT * FROM files WHERE path = ?').get(path);
  return row && recordOf(row);
}

export function allFiles(database: Database): FileRecord[] {
  return database.prepare('SELECT * FROM files').all().map(recordOf);
}

/** What a comparison of file stats needs of a record. */
export interface FileStamp {
  readonly id: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** The stamps of all records by path: rows as they come, since there is one for every file. */
export function fileStamps(database: Database): Map<string, FileStamp> {
  const rows = database.prepare('SELECT path, id, size, mtime_ms AS mtimeMs FROM files').all();
  const stamps = new Map<string, FileStamp>();
  for (const row of rows) stamps.set(row['path'] as string, row as unknown as FileStamp);
  return stamps;
}

export function putFile(database: Database, record: FileRecord): void {
  database
    .prepare(
      'INSERT OR REPLACE INTO files (path, id, hash, heads, size, mtime_ms) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(
      record.path,
      record.id,
      record.hash,
      JSON.stringify(record.heads),
      record.size,
      record.mtimeMs,
    );
}

export function dropFile(database: Database, path: string): void {
  database.prepare('DELETE FROM files WHERE path = ?').run(path);
}

function recordOf(row: Row): FileRecord {
  return {
    path: row['path'] as string,
    id: row['id'] as string,
    hash: row['hash'] as string,
    heads: JSON.parse(row['heads'] as string) as string[],
    size: Number(row['size']),
    mtimeMs: Number(row['mtime_ms']),
  };
}
