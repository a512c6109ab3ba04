import { LociError } from '../../../domain/errors.ts';
import type { Database } from '../drivers/driver.ts';
import { bytesOf, shortsOf } from './blobs.ts';

/**
 * `vectors` is what embedding brought, by model and text, as it came: it outlives the index.
 * `vector_packs` is the same by document number and in codes, many to a row, so that a search loads it
 * at once; one of another generation of document numbers is of no use. No number of a model or text is
 * ever given twice: whoever has it in memory finds either the same or nothing.
 */
const TABLES = `
  CREATE TABLE vector_format (version INTEGER NOT NULL);
  CREATE TABLE vector_models (
    model INTEGER PRIMARY KEY AUTOINCREMENT, fingerprint TEXT NOT NULL UNIQUE, info TEXT NOT NULL);
  CREATE TABLE vectors (
    text INTEGER PRIMARY KEY AUTOINCREMENT, model INTEGER NOT NULL, key TEXT NOT NULL,
    numbers BLOB NOT NULL, UNIQUE (model, key));
  CREATE TABLE vector_packs (
    pack INTEGER PRIMARY KEY AUTOINCREMENT, model INTEGER NOT NULL, generation INTEGER NOT NULL,
    count INTEGER NOT NULL, docs BLOB NOT NULL, texts BLOB NOT NULL, passages BLOB NOT NULL,
    measures BLOB NOT NULL, codes BLOB NOT NULL);
  CREATE INDEX vector_packs_model ON vector_packs (model, generation, pack);
`;

export const VECTOR_FORMAT = 2;

/** Version of the tables of vectors in a database; 0 = there are none. */
export function vectorFormat(database: Database): number {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE name IN ('vector_format', 'vector_packs')")
    .all()
    .map(({ name }) => name);
  if (!tables.includes('vector_format')) return tables.length === 0 ? 0 : 1;
  return Number(database.prepare('SELECT version FROM vector_format').get()?.['version']);
}

/**
 * Makes the tables of vectors, or brings older ones up to date, in the transaction of the caller.
 * @throws LociError unsupported when they are of a newer program
 */
export function prepareVectorTables(database: Database, location: string): void {
  const format = vectorFormat(database);
  if (format === VECTOR_FORMAT) return;
  if (format > VECTOR_FORMAT) throw newerVectors(format, location);
  if (format === 1) setAsideFormat1(database);
  database.exec(TABLES);
  database.prepare('INSERT INTO vector_format (version) VALUES (?)').run(VECTOR_FORMAT);
  if (format === 1) takeOverFormat1(database);
}

export function newerVectors(format: number, location: string): LociError {
  return new LociError(
    'unsupported',
    `${location} has vectors in format ${format}; this program knows formats up to ${VECTOR_FORMAT}`,
    'They were left as they are, and memories are found by their words. Update Loci on this machine.',
  );
}

function setAsideFormat1(database: Database): void {
  database.exec(`
    DROP TABLE vector_packs;
    ALTER TABLE vectors RENAME TO vectors_1;
    ALTER TABLE vector_models RENAME TO vector_models_1;
  `);
}

/** Format 1 kept 16 bits a number: close enough that nothing has to be embedded again. */
function takeOverFormat1(database: Database): void {
  database.exec('INSERT INTO vector_models SELECT model, fingerprint, info FROM vector_models_1');
  const page = database.prepare(
    'SELECT rowid, model, key, codes FROM vectors_1 WHERE rowid > ? ORDER BY rowid LIMIT 512',
  );
  const insert = database.prepare('INSERT INTO vectors (model, key, numbers) VALUES (?, ?, ?)');
  for (let rows = page.all(-1); rows.length > 0; rows = page.all(Number(rows.at(-1)?.['rowid']))) {
    for (const { model = null, key = null, codes } of rows) {
      const numbers = Float32Array.from(
        new Int16Array(shortsOf(codes as Uint8Array)),
        (n) => n / 32_767,
      );
      insert.run(model, key, bytesOf(numbers));
    }
  }
  database.exec('DROP TABLE vectors_1; DROP TABLE vector_models_1');
}
