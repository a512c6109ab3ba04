import type { NearestRequest, NearestResult } from '../../ports/engine.ts';
import { Candidates } from '../shared/candidates.ts';
import { bestCosine } from '../shared/vectors/codes.ts';
import type { Row, Session } from './driver.ts';
import { Bindings, filterSql } from './filter-sql.ts';
import type { Hopeful, ModelCodes, Verdict } from './model-codes.ts';
import { hitsOf, PASSAGE, type Judged } from './nearest-row.ts';
import { memoriesAt, placesOf } from './places.ts';
import { memoryOf } from './rows.ts';
import { keyOf, type SpaceIndex } from './space-index.ts';
import type { Admits, SpaceRow } from './spaces.ts';
import { refreshCodes } from './refresh-codes.ts';
import { vectorOf, type ModelRow } from './vector-tables.ts';

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
    readNamed(session, model, request),
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
  const asked = new Set(also.map(({ id }) => id));
  const judged = [...named, ...(await bestOf(session, model, hopeful, { vector, k }))];
  const order = [...new Map(judged.map((one) => [one.id, one])).values()].sort(
    (a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1),
  );
  const wanted = order.filter(({ id }, i) => i < k || asked.has(id));
  return { hits: await hitsOf(session, wanted, also), ...moments };
}

/** Exact cosines, the most hopeful first, until the k-th of them lies above all that the rest can reach. */
async function bestOf(
  session: Session,
  model: ModelRow,
  hopeful: readonly Hopeful[],
  { vector, k }: Pick<NearestRequest, 'vector' | 'k'>,
): Promise<readonly Judged[]> {
  const found = new Candidates(Math.min(k, hopeful.length));
  const judged: Judged[] = [];
  for (let read = 0; read < hopeful.length;) {
    if ((hopeful[read] as Hopeful).most < found.least) break;
    const size = Math.min(Math.max(k - read, read, LEAST_READ), MOST_READ);
    const passages = await readExact(session, model, hopeful.slice(read, read + size));
    for (const one of judgedOf(passages, vector)) found.add(judged.push(one) - 1, one.cosine);
    read += size;
  }
  return found.best().map(({ doc }) => judged[doc] as Judged);
}

/** Memories by the best of their passages, which come in any order. */
function judgedOf(passages: readonly Row[], vector: Float32Array): Iterable<Judged> {
  const judged = new Map<string, Judged>();
  for (const row of passages) {
    const [project, id] = [row['project'] as string, row['id'] as string];
    const cosine = bestCosine(vectorOf(row['embedding'] as Uint8Array), vector);
    const before = judged.get(id);
    if (!before || before.cosine < cosine) judged.set(id, { project, id, cosine });
  }
  return judged.values();
}

/** The vectors of memories `m`; OFFSET 0 keeps it one look into the index for each. */
const vectorsOf = ({ model }: ModelRow): string =>
  `CROSS JOIN LATERAL (SELECT embedding FROM vectors
     WHERE project = m.project AND model = ${model} AND key = m.text_key OFFSET 0) AS v`;

function readExact(
  session: Session,
  model: ModelRow,
  wanted: readonly Hopeful[],
): Promise<readonly Row[]> {
  return session.query(
    `SELECT ${PASSAGE} FROM ${memoriesAt(1)} ${vectorsOf(model)}`,
    placesOf(wanted.map(({ space: { project, space }, doc }) => ({ project, space, doc }))),
  );
}

/** Cosines of what is asked for by name, as far as view and filter let it through and it has vectors. */
async function readNamed(
  session: Session,
  model: ModelRow,
  { view, filter, vector, also = [] }: NearestRequest,
): Promise<Iterable<Judged>> {
  if (also.length === 0) return [];
  const bindings = new Bindings();
  const { where, residual } = filterSql(view, filter, bindings);
  const passages = await session.query(
    `SELECT ${PASSAGE} ${residual ? ', m.data' : ''} FROM memories m ${vectorsOf(model)}
     WHERE m.id = ANY(${bindings.list(also.map(({ id }) => id))}) AND ${where}`,
    bindings.parameters,
  );
  return judgedOf(residual ? passages.filter((row) => residual(memoryOf(row))) : passages, vector);
}
