import { withoutReader, withReader, type DocumentReader } from '../../domain/document-reader.ts';
import { LociError } from '../../domain/errors.ts';
import type {
  DocumentChange,
  DocumentFile,
  DocumentRoot,
  DocumentStore,
} from '../../ports/documents.ts';
import type { Database, Row } from './drivers/driver.ts';
import type { SqliteEngine, SqliteOptions } from './engine.ts';
import { readMeta, writeMeta } from './meta.ts';
import { openSqlite } from './open.ts';
import { dropPostings } from './postings-table.ts';
import { Writer } from './writer.ts';

/** Of the tables below; those of the sections are the engine's. */
const FORMAT = '1';

const TABLES = `
  CREATE TABLE document_roots (path TEXT PRIMARY KEY, readers TEXT NOT NULL) WITHOUT ROWID;
  -- ids: of its sections, in order.
  CREATE TABLE document_files (
    root TEXT, file TEXT, size INTEGER NOT NULL, modified_ms REAL NOT NULL,
    changed_ms REAL NOT NULL, hash TEXT NOT NULL, ids TEXT NOT NULL,
    PRIMARY KEY (root, file)
  ) WITHOUT ROWID;
`;

/**
 * Opens, and makes if need be, the documents of a store: an SQLite file of their own, with the tables
 * of memories but nothing on the log.
 */
export async function openSqliteDocuments(
  options: Omit<SqliteOptions, 'isolated'>,
): Promise<DocumentStore> {
  const engine = await openEngine(options);
  if (engine.inspect(readFormat) === undefined) {
    await engine.derive((database) => {
      if (readFormat(database) !== undefined) return;
      database.exec(TABLES);
      writeMeta(database, 'documents', FORMAT);
    });
  }
  const found = engine.inspect(readFormat);
  if (found === FORMAT) return new SqliteDocuments(engine);
  await engine.close();
  throw new LociError(
    'unsupported',
    `${options.path} has documents in format ${found}; this program knows format ${FORMAT}`,
    'Nothing was changed. Update Loci on this machine.',
  );
}

function readFormat(database: Database): string | undefined {
  return readMeta(database, 'documents')?.toString();
}

async function openEngine(options: Omit<SqliteOptions, 'isolated'>): Promise<SqliteEngine> {
  try {
    return await openSqlite({ ...options, backUp: false });
  } catch (error) {
    if (!(error instanceof LociError) || error.code !== 'corrupt') throw error;
    const hint = `It is derived: delete ${options.path} and run loci reindex-docs on your folders.`;
    throw new LociError('corrupt', error.message, hint, { cause: error });
  }
}

class SqliteDocuments implements DocumentStore {
  readonly engine: SqliteEngine;

  constructor(engine: SqliteEngine) {
    this.engine = engine;
  }

  async roots(): Promise<readonly DocumentRoot[]> {
    return this.engine.inspect((database) =>
      database
        .prepare('SELECT path, readers FROM document_roots ORDER BY path')
        .all()
        .map((row) => ({ path: row['path'] as string, readers: readersOf(row) })),
    );
  }

  async files(root: string, only?: readonly string[]): Promise<readonly DocumentFile[]> {
    const names = only ? JSON.stringify(only) : null;
    return this.engine.inspect((database) =>
      database
        .prepare(
          `SELECT file, size, modified_ms, changed_ms, hash, json_array_length(ids) AS sections
           FROM document_files WHERE root = ?
             AND (? IS NULL OR file IN (SELECT value FROM json_each(?)))`,
        )
        .all(root, names, names)
        .map(fileOf),
    );
  }

  async write(
    root: string,
    reader: DocumentReader,
    changes: readonly DocumentChange[],
  ): Promise<void> {
    await this.engine.derive((database) => {
      const readers = withReader(readReaders(database, root), reader);
      writeReaders(database, root, readers);
      const writer = new Writer(database, false);
      for (const change of changes) writeChange(database, writer, root, change);
      writer.finish();
    });
  }

  async forget(root: string, reader: DocumentReader): Promise<void> {
    await this.engine.derive((database) => {
      const readers = withoutReader(readReaders(database, root), reader);
      if (readers.length > 0) writeReaders(database, root, readers);
      else removeRoot(database, root);
    });
  }
}

function writeChange(
  database: Database,
  writer: Writer,
  root: string,
  change: DocumentChange,
): void {
  const name = 'gone' in change ? change.gone : change.file.file;
  const row = database
    .prepare('SELECT ids FROM document_files WHERE root = ? AND file = ?')
    .get(root, name);
  let ids = row ? (JSON.parse(row['ids'] as string) as string[]) : [];
  if ('gone' in change) {
    for (const id of ids) writer.remove(id);
    database.prepare('DELETE FROM document_files WHERE root = ? AND file = ?').run(root, name);
    return;
  }
  if ('sections' in change) {
    const kept = new Set(change.sections.map(({ id }) => id));
    for (const id of ids) if (!kept.has(id)) writer.remove(id);
    for (const section of change.sections) writer.put(section);
    ids = [...kept];
  }
  const { sizeBytes, modifiedMs, changedMs, hash } = change.file;
  database
    .prepare(
      `INSERT OR REPLACE INTO document_files
       (root, file, size, modified_ms, changed_ms, hash, ids) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(root, name, sizeBytes, modifiedMs, changedMs, hash, JSON.stringify(ids));
}

/** A root is a space of its own, so its postings go as a whole. */
function removeRoot(database: Database, root: string): void {
  const rows = database.prepare('SELECT id FROM memories WHERE project = ?').all(root);
  const writer = new Writer(database, false);
  for (const row of rows) writer.remove(row['id'] as string);
  writer.finish();
  for (const row of database.prepare('SELECT space FROM spaces WHERE project = ?').all(root)) {
    dropPostings(database, Number(row['space']));
  }
  for (const sql of [
    'DELETE FROM spaces WHERE project = ?',
    'DELETE FROM document_files WHERE root = ?',
    'DELETE FROM document_roots WHERE path = ?',
  ]) {
    database.prepare(sql).run(root);
  }
}

function readReaders(database: Database, root: string): readonly DocumentReader[] {
  const row = database.prepare('SELECT readers FROM document_roots WHERE path = ?').get(root);
  return row ? readersOf(row) : [];
}

function writeReaders(database: Database, root: string, readers: readonly DocumentReader[]): void {
  database
    .prepare('INSERT OR REPLACE INTO document_roots (path, readers) VALUES (?, ?)')
    .run(root, JSON.stringify(readers));
}

function readersOf(row: Row): readonly DocumentReader[] {
  return JSON.parse(row['readers'] as string) as DocumentReader[];
}

function fileOf(row: Row): DocumentFile {
  return {
    file: row['file'] as string,
    sizeBytes: Number(row['size']),
    modifiedMs: Number(row['modified_ms']),
    changedMs: Number(row['changed_ms']),
    hash: row['hash'] as string,
    sections: Number(row['sections']),
  };
}
