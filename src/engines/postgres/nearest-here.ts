import type { NearestRequest, NearestResult } from '../../ports/engine.ts';
import { Candidates } from '../shared/candidates.ts';
import { bestCosine, MEASURES, type VectorCodes } from '../shared/vectors/codes.ts';
import type { Row, Session } from './driver.ts';
import { Bindings, filterSql, viewSql } from './filter-sql.ts';
import type { CodedPassages, Hopeful, ModelCodes, Verdict } from './model-codes.ts';
import { NearestRow } from './nearest-row.ts';
import { list } from './parameters.ts';
import { memoryOf } from './rows.ts';
import { KEY, keyOf } from './space-index.ts';
import type { Admits, SpaceRow } from './spaces.ts';
import type { ModelRow } from './vector-tables.ts';

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
  { model, codes, spaces, admits }: Here,
  request: NearestRequest,
  done: () => void,
): Promise<NearestResult> {
  const { vector, k, also = [] } = request;
  const [named] = await Promise.all([
    readNamed(session, model, request, also),
    refresh(session, model, codes, request, spaces),
  ]);
  const indexes = new Map(spaces.map(({ index }) => [index.space, index]));
  const verdictOn = (space: number, doc: number): Verdict => {
    const state = indexes.get(space)?.stateOf(doc) ?? 0;
    if (state === 0) return 'replaced';
    return admits(keyOf(space, doc), state) ? 'wanted' : 'unwanted';
  };
  const { hopeful, ...moments } = codes.judge(vector, k, [...indexes.keys()], verdictOn);
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
  return new NearestRow(row, bestCosine(numbersIn(row['vectors'] as Uint8Array, vector), vector));
}

/** Vectors as `vector_send` gives them, one after another: two heads of 16 bits, then 32 bits each. */
function numbersIn(bytes: Uint8Array, { length: dims }: Float32Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = 4 + 4 * dims;
  const numbers = new Float32Array((bytes.byteLength / size) * dims);
  for (let i = 0; i < numbers.length; i++) {
    numbers[i] = view.getFloat32(Math.floor(i / dims) * size + 4 + (i % dims) * 4);
  }
  return numbers;
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
    `SELECT m.*, ${VECTORS_OF(model)}
     FROM unnest($1::integer[], $2::integer[]) AS q (space, doc)
     JOIN spaces s ON s.space = q.space
     JOIN memories m ON m.project = s.project AND m.space = q.space AND m.doc = q.doc`,
    [list(wanted.map(({ space }) => space)), list(wanted.map(({ doc }) => doc))],
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

/** Brings the codes of some spaces up to date. */
async function refresh(
  session: Session,
  model: ModelRow,
  codes: ModelCodes,
  { view }: NearestRequest,
  spaces: readonly SpaceRow[],
): Promise<void> {
  const numbers = spaces.map(({ index }) => index.space);
  const known = numbers.map((space) => codes.knownOf(space));
  const bindings = new Bindings();
  const asked = `unnest(${bindings.list(numbers, 'bigint')}, ${bindings.list(
    known.map(({ lastDoc }) => lastDoc),
    'bigint',
  )}, ${bindings.list(
    known.map(({ writtenFrom }) => writtenFrom),
    'bigint',
  )}) AS k (space, doc, written)`;
  const from = `(SELECT project, space, next_doc FROM spaces WHERE ${viewSql(view, bindings)}) AS s
    JOIN ${asked} ON k.space = s.space`;
  const [[now], ends, rows] = await Promise.all([
    session.query('SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin'),
    session.query(`SELECT s.space, s.next_doc FROM ${from}`, bindings.parameters),
    session.query(
      `SELECT q.space, string_agg(int4send(q.doc), '') AS docs, string_agg(q.codes, '') AS codes
       FROM (
         SELECT s.space, m.doc, v.codes FROM ${from}
         JOIN memories m ON m.project = s.project AND m.space = s.space AND m.doc > k.doc
         JOIN vectors v ON v.project = m.project AND v.model = ${model.model}
           AND v.key = m.text_key
         UNION ALL
         SELECT s.space, m.doc, v.codes FROM ${from}
         JOIN vectors v ON v.project = s.project AND v.model = ${model.model}
           AND v.written >= k.written
         JOIN memories m ON m.project = v.project AND m.text_key = v.key AND m.space = s.space
           AND m.doc <= k.doc
       ) AS q GROUP BY q.space`,
      bindings.parameters,
    ),
  ]);
  const found = new Map(rows.map((row) => [Number(row['space']), row]));
  const writtenFrom = Number(now?.['xmin']);
  for (const { space, next_doc: next } of ends) {
    const row = found.get(Number(space));
    const passages = row ? passagesIn(row, codes.dims) : { docs: [], codes: [] };
    codes.add(Number(space), passages, { lastDoc: Number(next) - 1, writtenFrom });
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
