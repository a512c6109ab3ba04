import type { NearestRequest, NearestResult } from '../../ports/engine.ts';
import { Candidates } from '../shared/candidates.ts';
import { bestCosine, MEASURES, type VectorCodes } from '../shared/vectors/codes.ts';
import type { Row, Session } from './driver.ts';
import { Bindings, filterSql } from './filter-sql.ts';
import type { CodedPassages, Hopeful, ModelCodes, Verdict } from './model-codes.ts';
import { NearestRow } from './nearest-row.ts';
import { list } from './parameters.ts';
import { memoriesAt, placesOf } from './places.ts';
import { memoryOf } from './rows.ts';
import { keyOf, type SpaceIndex } from './space-index.ts';
import type { Admits, SpaceRow } from './spaces.ts';
import { numbersIn, type ModelRow } from './vector-tables.ts';

/** Exact vectors read at a time: each time fewer are left that could still be among the best. */
const LEAST_READ = 64;
const MOST_READ = 4096;

export interface Here {
  readonly model: ModelRow;
  readonly codes: ModelCodes;
  /** Those of the view, as the session sees them. */
  readonly spaces: readonly SpaceRow[];
  readonly admits: Admits;
}

/**
 * The nearest by the codes that are kept here, brought up to date first. What they leave undecided is
 * decided by the exact vectors, which are read when they are needed.
 * @param done called when what is kept is not needed any more
 */
export async function nearestHere(
  session: Session,
  here: Here,
  request: NearestRequest,
  done: () => void,
): Promise<NearestResult> {
  const { model, codes, spaces, admits } = here;
  const { vector, k, also = [] } = request;
  const [named] = await Promise.all([
    readNamed(session, model, request, also),
    refresh(session, here),
  ]);
  const indexes = spaces.map(({ index }) => index);
  const verdictOn = (space: SpaceIndex, doc: number): Verdict => {
    const state = space.stateOf(doc);
    if (state === 0) return 'replaced';
    return admits(keyOf(space.space, doc), state) ? 'wanted' : 'unwanted';
  };
  const { hopeful, ...moments } = codes.judge(vector, k, indexes, verdictOn);
  done();
  const rows = new Map(named.map((row) => [row['id'] as string, hitOf(row, vector)]));
  for (const hit of await bestOf(session, model, hopeful, { vector, k })) rows.set(hit.id, hit);
  const hits = [...rows.values()];
  hits.sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
  return { hits: hits.filter(({ id }, i) => i < k || also.includes(id)), ...moments };
}

/** Exact cosines, the most hopeful first, until the k-th of them lies above all that the rest can reach. */
async function bestOf(
  session: Session,
  model: ModelRow,
  hopeful: readonly Hopeful[],
  { vector, k }: Pick<NearestRequest, 'vector' | 'k'>,
): Promise<readonly NearestRow[]> {
  const found = new Candidates(Math.min(k, hopeful.length));
  const hits: NearestRow[] = [];
  for (let read = 0; read < hopeful.length;) {
    if ((hopeful[read] as Hopeful).most < found.least) break;
    const size = Math.min(Math.max(k - read, LEAST_READ), MOST_READ);
    for (const row of await readExact(session, model, hopeful.slice(read, read + size))) {
      const hit = hitOf(row, vector);
      found.add(hits.push(hit) - 1, hit.cosine);
    }
    read += size;
  }
  return found.best().map(({ doc }) => hits[doc] as NearestRow);
}

function hitOf(row: Row, vector: Float32Array): NearestRow {
  return new NearestRow(
    row,
    bestCosine(numbersIn(row['vectors'] as Uint8Array, vector.length), vector),
  );
}

const VECTORS_OF = (model: ModelRow): string =>
  `(SELECT string_agg(vector_send(v.embedding), '' ORDER BY v.passage) FROM vectors v
    WHERE v.project = m.project AND v.model = ${model.model} AND v.key = m.text_key) AS vectors`;

/** Rows of memories, each with its vectors. */
function readExact(
  session: Session,
  model: ModelRow,
  wanted: readonly Hopeful[],
): Promise<readonly Row[]> {
  return session.query(
    `SELECT m.*, ${VECTORS_OF(model)} FROM ${memoriesAt(1)}`,
    placesOf(wanted.map(({ space: { project, space }, doc }) => ({ project, space, doc }))),
  );
}

/** The same of memories by id, as far as view and filter let them through and they have vectors. */
async function readNamed(
  session: Session,
  model: ModelRow,
  { view, filter }: NearestRequest,
  ids: readonly string[],
): Promise<readonly Row[]> {
  if (ids.length === 0) return [];
  const bindings = new Bindings();
  const { where, residual } = filterSql(view, filter, bindings);
  const rows = await session.query(
    `SELECT * FROM (SELECT m.*, ${VECTORS_OF(model)} FROM memories m
       WHERE m.id = ANY(${bindings.list(ids)}) AND ${where}) AS q WHERE vectors IS NOT NULL`,
    bindings.parameters,
  );
  return residual ? rows.filter((row) => residual(memoryOf(row))) : rows;
}

/** Brings the codes of some spaces up to date: of new documents, and of those that got vectors since. */
async function refresh(session: Session, { model, codes, spaces }: Here): Promise<void> {
  const known = spaces.map(({ index }) => codes.knownOf(index));
  const [[now], rows] = await Promise.all([
    session.query('SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin'),
    session.query(
      `SELECT k.space, string_agg(int4send(d.doc), '') AS docs, string_agg(v.codes, '') AS codes
       FROM unnest($1::text[], $2::integer[], $3::integer[], $4::bigint[])
         AS k (project, space, doc, written)
       CROSS JOIN LATERAL (
         SELECT m.doc, m.text_key FROM memories m
         WHERE m.project = k.project AND m.space = k.space AND m.doc > k.doc
         UNION
         SELECT m.doc, m.text_key FROM vector_writes w CROSS JOIN LATERAL (
           SELECT * FROM memories WHERE text_key = w.key AND project = k.project OFFSET 0) AS m
         WHERE w.project = k.project AND w.model = ${model.model} AND w.written >= k.written
           AND m.space = k.space) AS d
       CROSS JOIN LATERAL (
         SELECT codes FROM vectors
         WHERE project = k.project AND model = ${model.model} AND key = d.text_key OFFSET 0) AS v
       GROUP BY k.space`,
      [
        list(spaces.map(({ index }) => index.project)),
        list(spaces.map(({ index }) => index.space)),
        list(known.map(({ lastDoc }) => lastDoc)),
        list(known.map(({ writtenFrom }) => writtenFrom)),
      ],
    ),
  ]);
  const found = new Map(rows.map((row) => [Number(row['space']), row]));
  const writtenFrom = Number(now?.['xmin']);
  for (const { index, nextDoc } of spaces) {
    const row = found.get(index.space);
    const passages = row ? passagesIn(row, codes.dims) : { docs: [], codes: [] };
    codes.add(index, passages, { lastDoc: nextDoc - 1, writtenFrom });
  }
}

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
