import type { HitAtHand, NearestHit, NearestResult } from '../../ports/engine.ts';
import { NearestRow } from '../shared/nearest-row.ts';
import { RowHit } from '../shared/row-hit.ts';
import {
  bestCodedCosine,
  bestCosine,
  encode,
  encodeQuery,
  joined,
} from '../shared/vectors/codes.ts';
import { Moments } from '../shared/vectors/moments.ts';
import type { Row, Session } from './driver.ts';
import { list } from './parameters.ts';
import { HIT_COLUMNS, storedOf } from './rows.ts';
import { vectorOf } from './vector-tables.ts';

/** A memory with its cosine; its row is read when it is known to be wanted. */
export interface Judged {
  readonly project: string;
  readonly id: string;
  readonly cosine: number;
}

export interface Candidate extends Judged {
  /** As codes tell it: what mean and deviation are taken of. */
  readonly coded: number;
}

/** What `candidatesOf` needs of a passage. */
export const PASSAGE = 'm.project, m.id, vector_send(v.embedding) AS embedding';

export const MEMORIES_WITH_VECTORS =
  'memories m JOIN vectors v ON v.project = m.project AND v.key = m.text_key';

/**
 * Memories by the best of their passages; best first, ties by id. The cosines are those of every
 * engine, to the last bit.
 * @param rows the passages of a memory follow one another
 */
export function candidatesOf(rows: readonly Row[], query: Float32Array): Candidate[] {
  const asked = encodeQuery(query);
  const candidates: Candidate[] = [];
  for (let from = 0; from < rows.length;) {
    const { project, id } = rows[from] as Row;
    let to = from;
    while (to < rows.length && rows[to]?.['id'] === id && rows[to]?.['project'] === project) to++;
    const passages = rows.slice(from, to).map((row) => vectorOf(row['embedding'] as Uint8Array));
    const numbers = joined(passages);
    const cosine = bestCosine(numbers, query);
    const coded = bestCodedCosine(encode(numbers, query.length), asked);
    candidates.push({ project: project as string, id: id as string, cosine, coded });
    from = to;
  }
  return candidates.sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
}

export function momentsOf(
  candidates: readonly Candidate[],
): Pick<NearestResult, 'mean' | 'deviation' | 'compared'> {
  const moments = new Moments();
  for (const { coded } of candidates) moments.add(coded);
  return moments.result();
}

/** These memories in their order; those that are at hand are not read again. */
export async function hitsOf(
  session: Session,
  judged: readonly Judged[],
  atHand: readonly HitAtHand[],
): Promise<NearestHit[]> {
  const known = new Map(atHand.map((hit) => [hit.id, hit]));
  const unread = judged.filter(({ id }) => !known.has(id));
  for (const row of await readRows(session, unread)) {
    const hit = new RowHit(row, 0, storedOf);
    known.set(hit.id, hit);
  }
  return judged.flatMap(({ id, cosine }) => {
    const hit = known.get(id);
    return hit ? [new NearestRow(hit, cosine)] : [];
  });
}

async function readRows(session: Session, judged: readonly Judged[]): Promise<readonly Row[]> {
  if (judged.length === 0) return [];
  return session.query(
    `SELECT ${HIT_COLUMNS} FROM unnest($1::text[], $2::text[]) AS q (project, id)
     JOIN memories m ON m.project = q.project AND m.id = q.id`,
    [list(judged.map(({ project }) => project)), list(judged.map(({ id }) => id))],
  );
}
