import type { Database, Row } from '../sqlite/drivers/driver.ts';
import { nameOf, topFolder } from './layout.ts';

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
      id TEXT PRIMARY KEY, folder TEXT NOT NULL, path TEXT, hash BLOB NOT NULL,
      heads TEXT NOT NULL, size INTEGER NOT NULL, mtime_ms REAL NOT NULL
    ) WITHOUT ROWID;
    -- A file lies in its folder under the name of its memory; where a person chose otherwise, its
    -- path is kept. Rows are short so that few pages are written with each memory.
    CREATE INDEX files_path ON files (path) WHERE path IS NOT NULL;
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
  const named = fileOf(database, nameOf(path));
  if (named?.path === path) return named;
  const row = database.prepare('SELECT * FROM files WHERE path = ?').get(path);
  return row && recordOf(row);
}

/** A memory that somebody names, and what is known of its file. */
export interface NamedFile {
  readonly id: string;
  readonly record: (FileStamp & { readonly path: string }) | undefined;
}

/** The files of memories by their ids, in any case, or by the ids that other systems gave them. */
export function filesOfRefs(database: Database, refs: readonly string[]): NamedFile[] {
  const columns = 'm.id, f.folder, f.path, f.size, f.mtime_ms';
  const ids = [...new Set([...refs, ...refs.map((ref) => ref.toUpperCase())])];
  return database
    .prepare(
      `SELECT ${columns} FROM json_each(?) r
         JOIN memories m ON m.id = r.value LEFT JOIN files f ON f.id = m.id
       UNION ALL SELECT ${columns} FROM json_each(?) r
         JOIN external_ids e ON e.external_id = r.value
         JOIN memories m ON m.doc = e.doc LEFT JOIN files f ON f.id = m.id`,
    )
    .all(JSON.stringify(ids), JSON.stringify(refs))
    .map((row) => ({
      id: row['id'] as string,
      record: row['folder'] === null ? undefined : stampOf(row),
    }));
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

/** The stamps of all records by path. */
export function fileStamps(database: Database): Map<string, FileStamp> {
  const rows = database.prepare('SELECT id, folder, path, size, mtime_ms FROM files').all();
  return new Map(rows.map(stampOf).map((stamp) => [stamp.path, stamp]));
}

/** The least step between two times of today in a double: times it, they are whole numbers. */
const STEPS_PER_MS = 2 ** 12;

/** Path and stamp of a file in one line, as `stampLines` has them of all records. */
export function stampLine(path: string, { size, mtimeMs }: Omit<FileStamp, 'id'>): string {
  return `${path}/${size}/${Math.trunc(mtimeMs * STEPS_PER_MS)}`;
}

export function pathOfLine(line: string): string {
  return line.replace(/\/[^/]*\/[^/]*$/, '');
}

/**
 * A line for every record: read as one text, since every command asks for them and rows by the ten
 * thousand cost several times as much.
 */
export function stampLines(database: Database): Set<string> {
  const lines = database
    .prepare(
      `SELECT group_concat(coalesce(path, folder || '/' || id || '.md') || '/' || size || '/' ||
         CAST(mtime_ms * ${STEPS_PER_MS} AS INTEGER), '//') AS lines FROM files`,
    )
    .get()?.['lines'] as string | null;
  return new Set(lines?.split('//'));
}

export function putFile(database: Database, record: FileRecord): void {
  const folder = topFolder(record.path);
  database
    .prepare(
      `INSERT OR REPLACE INTO files (id, folder, path, hash, heads, size, mtime_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      record.id,
      folder,
      record.path === ownPath(folder, record.id) ? null : record.path,
      Buffer.from(record.hash, 'hex'),
      JSON.stringify(record.heads),
      record.size,
      record.mtimeMs,
    );
}

export function dropFile(database: Database, path: string): void {
  const record = fileAt(database, path);
  if (record) database.prepare('DELETE FROM files WHERE id = ?').run(record.id);
}

function recordOf(row: Row): FileRecord {
  return {
    ...stampOf(row),
    hash: Buffer.from(row['hash'] as Uint8Array).toString('hex'),
    heads: JSON.parse(row['heads'] as string) as string[],
  };
}

function stampOf(row: Row): FileStamp & { path: string } {
  const id = row['id'] as string;
  const path = (row['path'] as string | null) ?? ownPath(row['folder'] as string, id);
  return { path, id, size: Number(row['size']), mtimeMs: Number(row['mtime_ms']) };
}

function ownPath(folder: string, id: string): string {
  return `${folder}/${id}.md`;
}
