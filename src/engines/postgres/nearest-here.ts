import type { NearestRequest, NearestResult } from '../../ports/engine.ts';
import { Candidates } from '../shared/candidates.ts';
import { bestCosine } from '../shared/vectors/codes.ts';
import type { Row, Session } from './driver.ts';
import { Bindings, filterSql } from './filter-sql.ts';
import type { Hopeful, ModelCodes, Verdict } from './model-codes.ts';
import { NearestRow } from './nearest-row.ts';
import { memoriesAt, placesOf } from './places.ts';
import { memoryOf } from './rows.ts';
import { keyOf, type SpaceIndex } from './space-index.ts';
import type { Admits, SpaceRow } from './spaces.ts';
import { refreshCodes } from './refresh-codes.ts';
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
  const { vector, k } = request;
  const also = new Set(request.also?.map(({ id }) => id));
  const [named] = await Promise.all([
    readNamed(session, model, request, [...also]),
    refreshCodes(session, model, codes, spaces),
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
  return { hits: hits.filter(({ id }, i) => i < k || also.has(id)), ...moments };
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
