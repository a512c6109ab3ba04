import { withoutReader, withReader, type DocumentReader } from '../../domain/document-reader.ts';
import type { Memory } from '../../domain/memory.ts';
import type {
  DocumentChange,
  DocumentFile,
  DocumentRoot,
  DocumentStore,
} from '../../ports/documents.ts';
import type { Row, Session } from './driver.ts';
import type { PostgresEngine } from './engine.ts';
import { list, plain } from './parameters.ts';
import type { WorkingSet } from './working-set.ts';

/** Documents in a schema of their own, with the tables of memories but nothing on the log. */
export class PostgresDocuments implements DocumentStore {
  readonly engine: PostgresEngine;

  constructor(engine: PostgresEngine) {
    this.engine = engine;
  }

  roots(): Promise<readonly DocumentRoot[]> {
    return this.engine.inspect(async (session) => {
      const rows = await session.query('SELECT path, readers FROM document_roots ORDER BY path');
      return rows.map((row) => ({ path: row['path'] as string, readers: readersOf(row) }));
    });
  }

  files(root: string, only?: readonly string[]): Promise<readonly DocumentFile[]> {
    return this.engine.inspect(async (session) => {
      const rows = await session.query(
        `SELECT * FROM document_files
         WHERE root = $1::text AND ($2::text IS NULL OR file = ANY($2::text[]))`,
        [plain(root), only ? list(only) : null],
      );
      return rows.map(fileOf);
    });
  }

  async write(
    root: string,
    reader: DocumentReader,
    changes: readonly DocumentChange[],
  ): Promise<void> {
    await this.engine.change(async (session, working) => {
      writeReaders(session, root, withReader(await readReaders(session, root), reader));
      await writeChanges(session, working, root, changes);
    });
  }

  async forget(root: string, reader: DocumentReader): Promise<void> {
    await this.engine.change(async (session) => {
      const readers = withoutReader(await readReaders(session, root), reader);
      if (readers.length > 0) writeReaders(session, root, readers);
      else removeRoot(session, root);
    });
  }
}

async function writeChanges(
  session: Session,
  working: WorkingSet,
  root: string,
  changes: readonly DocumentChange[],
): Promise<void> {
  const rows = await session.query(
    'SELECT file, ids FROM document_files WHERE root = $1::text AND file = ANY($2::text[])',
    [plain(root), list(changes.map(nameOf))],
  );
  const known = new Map(
    rows.map((row) => [row['file'] as string, JSON.parse(row['ids'] as string) as string[]]),
  );
  const sections = changes.flatMap((change) => ('sections' in change ? change.sections : []));
  await working.know([...[...known.values()].flat(), ...sections.map(({ id }) => id)]);
  const gone: string[] = [];
  const kept = new Map<string, { readonly file: DocumentFile; readonly ids: readonly string[] }>();
  for (const change of changes) {
    const name = nameOf(change);
    const before = known.get(name) ?? [];
    if ('gone' in change) {
      for (const id of before) working.put(id, undefined);
      gone.push(name);
      kept.delete(name);
      continue;
    }
    const ids = 'sections' in change ? replace(working, before, change.sections) : before;
    known.set(name, [...ids]);
    kept.set(name, { file: change.file, ids });
  }
  writeFiles(session, root, kept, gone);
}

/** @returns ids of the sections that a file has now */
function replace(
  working: WorkingSet,
  before: readonly string[],
  sections: readonly Memory[],
): readonly string[] {
  const ids = [...new Set(sections.map(({ id }) => id))];
  for (const id of before) if (!ids.includes(id)) working.put(id, undefined);
  for (const memory of sections) working.put(memory.id, { memory, version: 1, heads: [] });
  return ids;
}

function writeFiles(
  session: Session,
  root: string,
  kept: ReadonlyMap<string, { readonly file: DocumentFile; readonly ids: readonly string[] }>,
  gone: readonly string[],
): void {
  session.send('DELETE FROM document_files WHERE root = $1::text AND file = ANY($2::text[])', [
    plain(root),
    list([...gone, ...kept.keys()]),
  ]);
  const files = [...kept.values()];
  session.send(
    `INSERT INTO document_files (root, file, size, modified_ms, changed_ms, hash, ids)
     SELECT $1::text, q.* FROM unnest($2::text[], $3::bigint[], $4::float8[], $5::float8[],
       $6::text[], $7::text[]) AS q`,
    [
      plain(root),
      list(kept.keys()),
      list(files.map(({ file }) => file.sizeBytes)),
      list(files.map(({ file }) => file.modifiedMs)),
      list(files.map(({ file }) => file.changedMs)),
      list(files.map(({ file }) => file.hash)),
      list(files.map(({ ids }) => JSON.stringify(ids))),
    ],
  );
}

/** A root is a project of its own, so everything about it goes as a whole. */
function removeRoot(session: Session, root: string): void {
  const tables = [
    'memories',
    'relations',
    'likeness',
    'spaces',
    'segments',
    'postings',
    'deltas',
    'doc_states',
  ];
  for (const table of [...tables, 'vectors', 'vector_writes']) {
    session.send(`DELETE FROM ${table} WHERE project = $1::text`, [plain(root)]);
  }
  session.send('DELETE FROM document_files WHERE root = $1::text', [plain(root)]);
  session.send('DELETE FROM document_roots WHERE path = $1::text', [plain(root)]);
}

async function readReaders(session: Session, root: string): Promise<readonly DocumentReader[]> {
  const [row] = await session.query('SELECT readers FROM document_roots WHERE path = $1::text', [
    plain(root),
  ]);
  return row ? readersOf(row) : [];
}

function writeReaders(session: Session, root: string, readers: readonly DocumentReader[]): void {
  session.send(
    `INSERT INTO document_roots (path, readers) VALUES ($1::text, $2::text)
     ON CONFLICT (path) DO UPDATE SET readers = excluded.readers`,
    [plain(root), JSON.stringify(readers)],
  );
}

function readersOf(row: Row): readonly DocumentReader[] {
  return JSON.parse(row['readers'] as string) as DocumentReader[];
}

function nameOf(change: DocumentChange): string {
  return 'gone' in change ? change.gone : change.file.file;
}

function fileOf(row: Row): DocumentFile {
  return {
    file: row['file'] as string,
    sizeBytes: Number(row['size']),
    modifiedMs: Number(row['modified_ms']),
    changedMs: Number(row['changed_ms']),
    hash: row['hash'] as string,
    sections: (JSON.parse(row['ids'] as string) as string[]).length,
  };
}
