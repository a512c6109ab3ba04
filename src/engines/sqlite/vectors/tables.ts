import { fingerprintOf, type EmbeddingModel } from '../../../domain/embedding.ts';
import type { Database } from '../drivers/driver.ts';
import { bytesOf, floatsOf } from './blobs.ts';

/** The vectors of one text, passage after passage, under the number of its row. */
export interface TextVectors {
  readonly text: number;
  readonly numbers: Float32Array;
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

/** How many numbers a vector of a model has. */
export function readDims(database: Database, model: number): number {
  const row = database.prepare('SELECT info FROM vector_models WHERE model = ?').get(model);
  return (JSON.parse(row?.['info'] as string) as EmbeddingModel).dimensions;
}

export function dropModel(database: Database, model: number): void {
  for (const table of ['vectors', 'vector_packs', 'vector_models']) {
    database.prepare(`DELETE FROM ${table} WHERE model = ?`).run(model);
  }
}

/**
 * Keeps the vectors of a text. Those that it has stay: whoever has their codes must find the vectors
 * that these were made of.
 */
export function keepVectors(
  database: Database,
  model: number,
  key: string,
  numbers: Float32Array,
): TextVectors {
  const known = readVectors(database, model, [key]).get(key);
  if (known?.numbers.length === numbers.length) return known;
  if (known) database.prepare('DELETE FROM vectors WHERE text = ?').run(known.text);
  database
    .prepare('INSERT INTO vectors (model, key, numbers) VALUES (?, ?, ?)')
    .run(model, key, bytesOf(numbers));
  const row = database.prepare('SELECT last_insert_rowid() AS text').get();
  return { text: Number(row?.['text']), numbers };
}

/** The vectors of these texts that are there, by key. */
export function readVectors(
  database: Database,
  model: number,
  keys: readonly string[],
): Map<string, TextVectors> {
  const rows = database
    .prepare(
      `SELECT text, key, numbers FROM vectors
       WHERE model = ? AND key IN (SELECT value FROM json_each(?))`,
    )
    .all(model, JSON.stringify(keys));
  return new Map(
    rows.map(({ text, key, numbers }) => [
      key as string,
      { text: Number(text), numbers: floatsOf(numbers as Uint8Array) },
    ]),
  );
}

/** The same by the numbers of the texts. */
export function readExact(database: Database, texts: readonly number[]): Map<number, Float32Array> {
  const rows = database
    .prepare('SELECT text, numbers FROM vectors WHERE text IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(texts));
  return new Map(rows.map(({ text, numbers }) => [Number(text), floatsOf(numbers as Uint8Array)]));
}

/** Numbers of the texts with these keys, of any model. */
export function textsOfKeys(database: Database, keys: readonly string[]): number[] {
  return database
    .prepare('SELECT text FROM vectors WHERE key IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(keys))
    .map(({ text }) => Number(text));
}

export function deleteTexts(database: Database, texts: readonly number[]): void {
  database
    .prepare('DELETE FROM vectors WHERE text IN (SELECT value FROM json_each(?))')
    .run(JSON.stringify(texts));
}
