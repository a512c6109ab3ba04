import { MEASURES, type VectorCodes } from '../shared/vectors/codes.ts';
import type { Row, Session } from './driver.ts';
import type { CodedPassages, ModelCodes } from './model-codes.ts';
import { list } from './parameters.ts';
import { memoriesAt, placesOf } from './places.ts';
import type { SpaceIndex } from './space-index.ts';
import type { SpaceRow } from './spaces.ts';
import type { ModelRow } from './vector-tables.ts';

/** New documents that are asked for one by one: more are read in one sweep over the table. */
const FEW = 2000;

/** What is known of a space, and how far it has come. */
interface Stage {
  readonly index: SpaceIndex;
  readonly lastDoc: number;
  readonly writtenFrom: number;
  readonly nextDoc: number;
}

/** How many documents came since. */
function newIn({ nextDoc, lastDoc }: Stage): number {
  return nextDoc - 1 - lastDoc;
}

/** Brings the codes of some spaces up to date: of new documents, and of those that got vectors since. */
export async function refreshCodes(
  session: Session,
  model: ModelRow,
  codes: ModelCodes,
  spaces: readonly SpaceRow[],
): Promise<void> {
  const stages = spaces.map(({ index, nextDoc }) => ({ index, nextDoc, ...codes.knownOf(index) }));
  const [[now], ...found] = await Promise.all([
    session.query('SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin'),
    readSweep(
      session,
      model,
      stages.filter((stage) => newIn(stage) > FEW),
    ),
    readPlaces(
      session,
      model,
      stages.filter((stage) => newIn(stage) <= FEW),
    ),
    readWritten(
      session,
      model,
      stages.filter(({ lastDoc }) => lastDoc >= 0),
    ),
  ]);
  const writtenFrom = Number(now?.['xmin']);
  for (const { index, nextDoc } of stages) {
    const rows = found.flat().filter((row) => Number(row['space']) === index.space);
    const upTo = { lastDoc: nextDoc - 1, writtenFrom };
    for (const row of rows) codes.add(index, passagesIn(row, codes.dims), upTo);
    codes.add(index, { docs: [], codes: [] }, upTo);
  }
}

/** Documents whose codes come as one value: a larger one is copied more often on its way. */
const TOGETHER = 8192;

/** @param documents SQL for memories `m` with their vectors `v` */
function codesOf(documents: string): string {
  return `SELECT m.space, string_agg(int4send(m.doc), '') AS docs, string_agg(v.codes, '') AS codes
    FROM ${documents} GROUP BY m.space, m.doc / ${TOGETHER}`;
}

/** One look into the index for each of some memories `m`. */
function oneByOne(model: ModelRow, documents: string): string {
  return `${documents} CROSS JOIN LATERAL (
    SELECT codes FROM vectors
    WHERE project = m.project AND model = ${model.model} AND key = m.text_key OFFSET 0) AS v`;
}

async function readSweep(
  session: Session,
  model: ModelRow,
  stages: readonly Stage[],
): Promise<readonly Row[]> {
  if (stages.length === 0) return [];
  // The server chooses how: so many may be read side by side.
  const documents = `unnest($1::text[], $2::integer[], $3::integer[]) AS k (project, space, doc)
    JOIN memories m ON m.project = k.project AND m.space = k.space AND m.doc > k.doc
    JOIN vectors v ON v.project = m.project AND v.model = ${model.model} AND v.key = m.text_key`;
  return session.query(codesOf(documents), [
    list(stages.map(({ index }) => index.project)),
    list(stages.map(({ index }) => index.space)),
    list(stages.map(({ lastDoc }) => lastDoc)),
  ]);
}

async function readPlaces(
  session: Session,
  model: ModelRow,
  stages: readonly Stage[],
): Promise<readonly Row[]> {
  const places = stages.flatMap(({ index: { project, space }, lastDoc, nextDoc }) =>
    Array.from({ length: Math.max(0, nextDoc - 1 - lastDoc) }, (_, i) => ({
      project,
      space,
      doc: lastDoc + 1 + i,
    })),
  );
  if (places.length === 0) return [];
  return session.query(codesOf(oneByOne(model, memoriesAt(1))), placesOf(places));
}

/** Of documents that were there before: those that somebody has written vectors of. */
async function readWritten(
  session: Session,
  model: ModelRow,
  stages: readonly Stage[],
): Promise<readonly Row[]> {
  if (stages.length === 0) return [];
  const documents = `unnest($1::text[], $2::integer[], $3::integer[], $4::bigint[])
      AS k (project, space, doc, written)
    JOIN vector_writes w ON w.project = k.project AND w.model = ${model.model}
      AND w.written >= k.written
    CROSS JOIN LATERAL (
      SELECT * FROM memories
      WHERE text_key = w.key AND project = k.project AND space = k.space AND doc <= k.doc OFFSET 0
    ) AS m`;
  return session.query(codesOf(oneByOne(model, documents)), [
    list(stages.map(({ index }) => index.project)),
    list(stages.map(({ index }) => index.space)),
    list(stages.map(({ lastDoc }) => lastDoc)),
    list(stages.map(({ writtenFrom }) => writtenFrom)),
  ]);
}

/** Passages as `codesOf` of vector-tables.ts keeps them, one after another. */
function passagesIn(row: Row, dims: number): CodedPassages {
  const [docs, codes] = [row['docs'] as Uint8Array, row['codes'] as Uint8Array];
  const numbers = new DataView(docs.buffer, docs.byteOffset, docs.byteLength);
  const bytes = new DataView(codes.buffer, codes.byteOffset, codes.byteLength);
  const size = MEASURES * 4 + dims;
  const count = docs.byteLength / 4;
  const read: VectorCodes[] = [];
  for (let i = 0; i < count; i++) {
    const measures = new Float32Array(MEASURES);
    for (let m = 0; m < MEASURES; m++) measures[m] = bytes.getFloat32(i * size + m * 4, true);
    const at = codes.byteOffset + i * size + MEASURES * 4;
    read.push({ measures, codes: new Int8Array(codes.buffer, at, dims) });
  }
  return { docs: Array.from({ length: count }, (_, i) => numbers.getInt32(i * 4)), codes: read };
}
