import { fingerprintOf, type EmbeddingModel } from '../../domain/embedding.ts';
import type { VectorRow } from '../../ports/engine.ts';
import { encode, MEASURES, split } from '../shared/vectors/codes.ts';
import type { Row, Session } from './driver.ts';
import { list, packed } from './parameters.ts';

/** A model as its row has it. */
export interface ModelRow {
  readonly model: number;
  readonly dimensions: number;
  /** About how many rows of vectors there are. */
  readonly passages: number;
  readonly complete: number;
  readonly indexed: boolean;
}

export async function readModel(
  session: Session,
  fingerprint: string,
): Promise<ModelRow | undefined> {
  const [row] = await session.query('SELECT * FROM vector_models WHERE fingerprint = $1::text', [
    fingerprint,
  ]);
  return row && modelOf(row);
}

function modelOf(row: Row): ModelRow {
  return {
    model: Number(row['model']),
    dimensions: Number(row['dimensions']),
    passages: Number(row['passages']),
    complete: Number(row['complete']),
    indexed: row['indexed'] === true,
  };
}

export async function readModels(session: Session): Promise<readonly EmbeddingModel[]> {
  const rows = await session.query('SELECT info FROM vector_models ORDER BY model');
  return rows.map((row) => JSON.parse(row['info'] as string) as EmbeddingModel);
}

export async function addModel(session: Session, model: EmbeddingModel): Promise<ModelRow> {
  const fingerprint = fingerprintOf(model);
  const known = await readModel(session, fingerprint);
  if (known) return known;
  session.send(
    `INSERT INTO vector_models (fingerprint, info, dimensions) VALUES ($1::text, $2::text, $3::integer)
     ON CONFLICT (fingerprint) DO NOTHING`,
    [fingerprint, JSON.stringify(model), model.dimensions],
  );
  return (await readModel(session, fingerprint)) as ModelRow;
}

const NOTED =
  'INSERT INTO vector_writes (project, model, key) SELECT DISTINCT project, $1::integer, key';

/**
 * Keeps vectors for every project in which a memory has the text; those that are there stay. What no
 * memory says yet is kept for no project, until one is pending.
 */
export function writeVectors(session: Session, model: number, rows: readonly VectorRow[]): void {
  // In one order: two who write the same never wait for each other in a circle.
  const ordered = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const passages = ordered.flatMap(({ key, vectors }) =>
    vectors.map((vector, passage) => ({ key, passage, vector })),
  );
  const { bytes, starts, sizes } = packed(passages.map(({ vector }) => codesOf(vector)));
  session.send(
    `WITH given AS (
       SELECT q.key, q.passage, q.embedding::vector AS embedding,
         substring($6::bytea FROM q.start FOR q.size) AS codes
       FROM unnest($2::text[], $3::integer[], $4::text[], $7::integer[], $8::integer[])
         AS q (key, passage, embedding, start, size)),
     written AS (
       INSERT INTO vectors (project, model, key, passage, embedding, codes)
       SELECT m.project, $1::integer, given.key, given.passage, given.embedding, given.codes
       FROM (SELECT DISTINCT q.key, coalesce(held.project, '') AS project
         FROM unnest($5::text[]) AS q (key)
         LEFT JOIN memories held ON held.text_key = q.key) AS m
       JOIN given ON given.key = m.key
       ORDER BY m.project, given.key, given.passage
       ON CONFLICT (project, model, key, passage) DO NOTHING
       RETURNING project, key),
     noted AS (${NOTED} FROM written)
     UPDATE vector_models SET passages = passages + (SELECT count(*) FROM written)
     WHERE model = $1::integer`,
    [
      model,
      list(passages.map(({ key }) => key)),
      list(passages.map(({ passage }) => passage)),
      list(passages.map(({ vector }) => vectorText(vector))),
      list(ordered.map(({ key }) => key)),
      bytes,
      starts,
      sizes,
    ],
  );
}

/** Scale, length and remainder of a vector, 32 bits each, the lowest byte first, then its codes. */
function codesOf(vector: Float32Array): Uint8Array {
  const { codes, measures } = encode(vector, vector.length);
  const bytes = new Uint8Array(MEASURES * 4 + codes.length);
  const view = new DataView(bytes.buffer);
  for (const [i, measure] of measures.entries()) view.setFloat32(i * 4, measure, true);
  bytes.set(new Uint8Array(codes.buffer, codes.byteOffset, codes.length), MEASURES * 4);
  return bytes;
}

/** Exact: a number of 32 bits is one of 64, and is read back as the same. */
export function vectorText(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

/** Vectors that another project has of the same texts, for these: nothing is embedded twice. */
export async function adoptVectors(
  session: Session,
  model: number,
  texts: readonly { readonly project: string; readonly key: string }[],
): Promise<boolean> {
  const rows = await session.query(
    `WITH adopted AS (
       INSERT INTO vectors (project, model, key, passage, embedding, codes)
       SELECT q.project, v.model, v.key, v.passage, v.embedding, v.codes
       FROM (SELECT DISTINCT * FROM unnest($2::text[], $3::text[]) AS q (project, key)) AS q
       CROSS JOIN LATERAL (
         SELECT project FROM vectors WHERE model = $1::integer AND key = q.key LIMIT 1) AS other
       JOIN vectors v ON v.project = other.project AND v.model = $1::integer AND v.key = q.key
       ON CONFLICT (project, model, key, passage) DO NOTHING
       RETURNING project, key),
     noted AS (${NOTED} FROM adopted)
     SELECT count(*) AS n FROM adopted`,
    [model, list(texts.map(({ project }) => project)), list(texts.map(({ key }) => key))],
  );
  return Number(rows[0]?.['n']) > 0;
}

/** What is kept of some texts, whichever project it was kept for. */
export async function readVectorRows(
  session: Session,
  fingerprint: string,
  keys: readonly string[],
): Promise<readonly VectorRow[]> {
  const model = await readModel(session, fingerprint);
  if (!model) return [];
  const rows = await session.query(
    `SELECT q.key, found.vectors FROM unnest($2::text[]) AS q (key)
     CROSS JOIN LATERAL (
       SELECT string_agg(vector_send(embedding), '' ORDER BY passage) AS vectors FROM vectors
       WHERE model = $1::integer AND key = q.key GROUP BY project LIMIT 1) AS found`,
    [model.model, list(new Set(keys))],
  );
  return rows.map((row) => ({
    key: row['key'] as string,
    vectors: split(numbersIn(row['vectors'] as Uint8Array, model.dimensions), model.dimensions),
  }));
}

/** Vectors as `vector_send` gives them, one after another: two heads of 16 bits, then 32 bits each. */
function numbersIn(bytes: Uint8Array, dims: number): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = 4 + 4 * dims;
  const numbers = new Float32Array((bytes.byteLength / size) * dims);
  for (let i = 0; i < numbers.length; i++) {
    numbers[i] = view.getFloat32(Math.floor(i / dims) * size + 4 + (i % dims) * 4);
  }
  return numbers;
}

/** Numbers of a vector as `vector_send` gives them: two heads of 16 bits, then 32 bits each. */
export function vectorOf(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = new Float32Array(view.getUint16(0));
  for (let i = 0; i < vector.length; i++) vector[i] = view.getFloat32(4 + 4 * i);
  return vector;
}
