import type { NearestRequest, NearestResult } from '../../ports/engine.ts';
import type { Session } from './driver.ts';
import { Bindings, filterSql } from './filter-sql.ts';
import {
  candidatesOf,
  hitsOf,
  MEMORIES_WITH_VECTORS,
  momentsOf,
  PASSAGE,
  type Candidate,
} from './nearest-row.ts';
import { memoryOf } from './rows.ts';
import { vectorText, type ModelRow } from './vector-tables.ts';

/** Cosines that mean and deviation are taken of. */
const SAMPLE = 1024;
/** The index is asked for this many times more than is wanted, and never for fewer than the second. */
const INDEX_FACTOR = 4;
const INDEX_LEAST = 100;

/**
 * Lets the server choose candidates, then compares those here: ranks and cosines are those of every
 * engine. A scan is exact; the index, which is asked where very many memories come into question, may
 * miss some.
 */
export async function nearestByServer(
  session: Session,
  model: ModelRow,
  request: NearestRequest,
  scanUpTo: number,
): Promise<NearestResult> {
  const { view, filter, vector, k, also = [] } = request;
  const asides = also.map(({ id }) => id);
  const bindings = new Bindings();
  const { where, residual } = filterSql(view, filter, bindings);
  const ids = residual ? await idsThatPass(session, request, residual) : undefined;
  const admitted = ids ? `${where} AND m.id = ANY(${bindings.list(ids)})` : where;
  const asked: Asked = { model, admitted, bindings, vector };
  const compared = await countAdmitted(session, asked);
  const isVast = compared > scanUpTo && model.indexed;
  const [best, named, moments] = await Promise.all([
    isVast ? byIndex(session, asked, k) : byScan(session, asked, k, compared),
    compare(session, asked, asides),
    isVast ? momentsOfSample(session, asked, compared) : momentsOfAll(session, asked),
  ]);
  const first = best.slice(0, k);
  const known = new Set(first.map(({ id }) => id));
  const all = [...first, ...named.filter(({ id }) => !known.has(id))];
  all.sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
  return { hits: await hitsOf(session, all, also), ...moments, compared };
}

interface Asked {
  readonly model: ModelRow;
  /** What view and filter let through, as SQL. */
  readonly admitted: string;
  readonly bindings: Bindings;
  readonly vector: Float32Array;
}

async function idsThatPass(
  session: Session,
  { view, filter }: NearestRequest,
  residual: (memory: ReturnType<typeof memoryOf>) => boolean,
): Promise<string[]> {
  const bindings = new Bindings();
  const { where } = filterSql(view, filter, bindings);
  const rows = await session.query(
    `SELECT m.id, m.data FROM memories m WHERE ${where}`,
    bindings.parameters,
  );
  return rows.filter((row) => residual(memoryOf(row))).map((row) => row['id'] as string);
}

async function countAdmitted(
  session: Session,
  { model, admitted, bindings }: Asked,
): Promise<number> {
  const [row] = await session.query(
    `SELECT count(*) AS n FROM memories m WHERE ${admitted} AND EXISTS (SELECT 1 FROM vectors v
       WHERE v.project = m.project AND v.model = ${model.model} AND v.key = m.text_key)`,
    bindings.parameters,
  );
  return Number(row?.['n']);
}

/**
 * Exact. The server adds in 32 bits and we in 64: so all are fetched that could still be among the
 * first k.
 */
async function byScan(
  session: Session,
  asked: Asked,
  k: number,
  compared: number,
): Promise<Candidate[]> {
  if (k === 0) return [];
  const { model, admitted, bindings, vector } = asked;
  const own = copyOf(bindings);
  const query = own.bind(vectorText(vector), 'vector');
  const ranked = await session.query(
    `SELECT s.id, s.cosine FROM (
       SELECT m.id, max(-(v.embedding <#> ${query})) AS cosine
       FROM ${MEMORIES_WITH_VECTORS}
       WHERE v.model = ${model.model} AND ${admitted} GROUP BY m.project, m.id) AS s
     ORDER BY s.cosine DESC LIMIT ${Math.min(compared, 2 * k + 64)}`,
    own.parameters,
  );
  const least = Number(ranked[Math.min(k, ranked.length) - 1]?.['cosine'] ?? 0);
  const margin = 2 * uncertaintyOf(vector.length);
  const last = Number(ranked.at(-1)?.['cosine'] ?? 0);
  const cut = ranked.length < compared && last >= least - margin;
  const ids = cut
    ? await idsAbove(session, asked, least - margin)
    : ranked
        .filter((row) => Number(row['cosine']) >= least - margin)
        .map((row) => row['id'] as string);
  return compare(session, asked, ids);
}

/** How far a sum of products in 32 bits may be from the exact one, of vectors of unit length. */
function uncertaintyOf(dims: number): number {
  return dims * 2 ** -23;
}

async function idsAbove(session: Session, asked: Asked, least: number): Promise<string[]> {
  const { model, admitted, bindings, vector } = asked;
  const own = copyOf(bindings);
  const query = own.bind(vectorText(vector), 'vector');
  const rows = await session.query(
    `SELECT DISTINCT m.id FROM ${MEMORIES_WITH_VECTORS}
     WHERE v.model = ${model.model} AND ${admitted}
       AND -(v.embedding <#> ${query}) >= ${own.bind(least, 'float8')}`,
    own.parameters,
  );
  return rows.map((row) => row['id'] as string);
}

async function byIndex(session: Session, asked: Asked, k: number): Promise<Candidate[]> {
  if (k === 0) return [];
  const { model, admitted, bindings, vector } = asked;
  const limit = Math.max(INDEX_LEAST, INDEX_FACTOR * k);
  // Goes on through the index until enough have passed the filter.
  session.send(
    `SELECT set_config('hnsw.ef_search', '${Math.min(1000, limit)}', true),
       set_config('hnsw.iterative_scan', 'strict_order', true)`,
  );
  const own = copyOf(bindings);
  const type = `${model.dimensions <= 2000 ? 'vector' : 'halfvec'}(${model.dimensions})`;
  const query = own.bind(vectorText(vector), type);
  const rows = await session.query(
    `SELECT m.id FROM ${MEMORIES_WITH_VECTORS}
     WHERE v.model = ${model.model} AND ${admitted}
     ORDER BY (v.embedding::${type}) <#> ${query} LIMIT ${limit}`,
    own.parameters,
  );
  const ids = [...new Set(rows.map((row) => row['id'] as string))];
  return compare(session, asked, ids);
}

/** Cosines of these memories, as far as they are admitted and have vectors. */
async function compare(
  session: Session,
  { model, admitted, bindings, vector }: Asked,
  wanted: readonly string[],
): Promise<Candidate[]> {
  if (wanted.length === 0) return [];
  const own = copyOf(bindings);
  const rows = await session.query(
    `SELECT ${PASSAGE} FROM ${MEMORIES_WITH_VECTORS}
     WHERE v.model = ${model.model} AND m.id = ANY(${own.list(wanted)}) AND ${admitted}
     ORDER BY m.project, m.id, v.passage`,
    own.parameters,
  );
  return candidatesOf(rows, vector);
}

type Spread = Pick<NearestResult, 'mean' | 'deviation'>;

/** Of the exact cosines: less than 0.0001 from what codes tell. */
async function momentsOfAll(session: Session, asked: Asked): Promise<Spread> {
  const { model, admitted, bindings, vector } = asked;
  const own = copyOf(bindings);
  const query = own.bind(vectorText(vector), 'vector');
  const [row] = await session.query(
    `SELECT avg(s.cosine) AS mean, stddev_pop(s.cosine) AS deviation FROM (
       SELECT max(-(v.embedding <#> ${query})) AS cosine FROM ${MEMORIES_WITH_VECTORS}
       WHERE v.model = ${model.model} AND ${admitted} GROUP BY m.project, m.id) AS s`,
    own.parameters,
  );
  return { mean: Number(row?.['mean'] ?? 0), deviation: Number(row?.['deviation'] ?? 0) };
}

/** Of every so many-th memory, the same ones for the same store. */
async function momentsOfSample(
  session: Session,
  { model, admitted, bindings, vector }: Asked,
  compared: number,
): Promise<Spread> {
  const step = Math.max(1, Math.ceil(compared / SAMPLE));
  const rows = await session.query(
    `SELECT ${PASSAGE} FROM ${MEMORIES_WITH_VECTORS}
     WHERE v.model = ${model.model} AND m.sequence % ${step} = 0 AND ${admitted}
     ORDER BY m.project, m.id, v.passage`,
    bindings.parameters,
  );
  return momentsOf(candidatesOf(rows, vector));
}

function copyOf({ parameters }: Bindings): Bindings {
  const copy = new Bindings();
  copy.parameters.push(...parameters);
  return copy;
}
