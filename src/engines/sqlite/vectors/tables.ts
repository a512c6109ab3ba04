import { fingerprintOf, type EmbeddingModel } from '../../../domain/embedding.ts';
import type { Database, Row } from '../drivers/driver.ts';

/** Vectors of one memory's text, ready to be packed. */
export interface Packable {
  readonly doc: number;
  /** One 16-bit vector a passage, one after another. */
  readonly codes: Int16Array;
}

export interface Pack {
  readonly docs: Uint32Array;
  /** How many passages each document has. */
  readonly passages: Uint16Array;
  readonly codes: Int16Array;
}

/**
 * `vectors` is what embedding brought, by model and text: it outlives the index. `vector_packs` is the
 * same by document number, many to a row, so that a search loads it at once; a pack of another
 * generation of document numbers is dropped.
 */
export function createVectorTables(database: Database): void {
  database.exec(`
    CREATE TABLE IF NOT EXISTS vector_models (
      model INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, info TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS vectors (
      model INTEGER NOT NULL, key TEXT NOT NULL, codes BLOB NOT NULL, UNIQUE (model, key));
    CREATE TABLE IF NOT EXISTS vector_packs (
      pack INTEGER PRIMARY KEY AUTOINCREMENT, model INTEGER NOT NULL, generation INTEGER NOT NULL,
      docs BLOB NOT NULL, passages BLOB NOT NULL, codes BLOB NOT NULL);
    CREATE INDEX IF NOT EXISTS vector_packs_model ON vector_packs (model, generation, pack);
  `);
}

export function hasVectorTables(database: Database): boolean {
  const found = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'vector_packs'").get();
  return found !== undefined;
}

export function modelNumber(database: Database, fingerprint: string): number | undefined {
  const row = database
    .prepare('SELECT model FROM vector_models WHERE fingerprint = ?')
    .get(fingerprint);
  return row && Number(row['model']);
}

export function addModel(database: Database, model: EmbeddingModel): number {
  const fingerprint = fingerprintOf(model);
  database
    .prepare('INSERT OR IGNORE INTO vector_models (fingerprint, info) VALUES (?, ?)')
    .run(fingerprint, JSON.stringify(model));
  return modelNumber(database, fingerprint) as number;
}

export function readModels(database: Database): EmbeddingModel[] {
  return database
    .prepare('SELECT info FROM vector_models ORDER BY model')
    .all()
    .map((row) => JSON.parse(row['info'] as string) as EmbeddingModel);
}

export function dropModel(database: Database, model: number): void {
  for (const table of ['vectors', 'vector_packs', 'vector_models']) {
    database.prepare(`DELETE FROM ${table} WHERE model = ?`).run(model);
  }
}

/** Forgets texts under every model, and all packs: these may hold them under numbers of documents. */
export function forgetTexts(database: Database, keys: readonly string[]): void {
  database
    .prepare('DELETE FROM vectors WHERE key IN (SELECT value FROM json_each(?))')
    .run(JSON.stringify(keys));
  database.exec('DELETE FROM vector_packs');
}

export function writeVectors(database: Database, model: number, key: string, codes: Int16Array) {
  database
    .prepare('INSERT OR REPLACE INTO vectors (model, key, codes) VALUES (?, ?, ?)')
    .run(model, key, bytesOf(codes));
}

/** The vectors of these texts that are there, by key. */
export function readVectors(
  database: Database,
  model: number,
  keys: readonly string[],
): Map<string, Int16Array> {
  const rows = database
    .prepare(
      'SELECT key, codes FROM vectors WHERE model = ? AND key IN (SELECT value FROM json_each(?))',
    )
    .all(model, JSON.stringify(keys));
  return new Map(rows.map((row) => [row['key'] as string, codesOf(row['codes'] as Uint8Array)]));
}

export function writePack(
  database: Database,
  { model, generation, dims }: { model: number; generation: number; dims: number },
  entries: readonly Packable[],
): void {
  const codes = new Int16Array(entries.reduce((sum, entry) => sum + entry.codes.length, 0));
  let at = 0;
  for (const entry of entries) {
    codes.set(entry.codes, at);
    at += entry.codes.length;
  }
  database
    .prepare(
      'INSERT INTO vector_packs (model, generation, docs, passages, codes) VALUES (?, ?, ?, ?, ?)',
    )
    .run(
      model,
      generation,
      bytesOf(Uint32Array.from(entries, ({ doc }) => doc)),
      bytesOf(Uint16Array.from(entries, (entry) => entry.codes.length / dims)),
      bytesOf(codes),
    );
}

/** Numbers of the packs of a model and generation, ascending. */
export function readPackNumbers(database: Database, model: number, generation: number): number[] {
  return database
    .prepare('SELECT pack FROM vector_packs WHERE model = ? AND generation = ? ORDER BY pack')
    .all(model, generation)
    .map((row) => Number(row['pack']));
}

export function readPack(database: Database, pack: number): Pack {
  const row = database
    .prepare('SELECT docs, passages, codes FROM vector_packs WHERE pack = ?')
    .get(pack) as Row;
  const docs = aligned(row['docs'] as Uint8Array);
  const passages = aligned(row['passages'] as Uint8Array);
  return {
    docs: new Uint32Array(docs.buffer, docs.byteOffset, docs.byteLength / 4),
    passages: new Uint16Array(passages.buffer, passages.byteOffset, passages.byteLength / 2),
    codes: codesOf(row['codes'] as Uint8Array),
  };
}

export function dropPacks(database: Database, packs: readonly number[]): void {
  database
    .prepare('DELETE FROM vector_packs WHERE pack IN (SELECT value FROM json_each(?))')
    .run(JSON.stringify(packs));
}

/** Packs whose document numbers mean nothing any more. */
export function dropOldPacks(database: Database, model: number, generation: number): void {
  database
    .prepare('DELETE FROM vector_packs WHERE model = ? AND generation <> ?')
    .run(model, generation);
}

function bytesOf(values: Int16Array | Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function codesOf(blob: Uint8Array): Int16Array {
  const bytes = aligned(blob);
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
}

/** Drivers may hand out a window into a larger buffer that starts anywhere. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
}
