import type { StoredMemory } from '../../domain/memory.ts';
import type { NearestHit, NearestResult } from '../../ports/engine.ts';
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
import { storedOf } from './rows.ts';
import { vectorOf } from './vector-tables.ts';

/** A memory with its cosine; its row is read when it is known to be wanted. */
export interface Candidate {
  readonly project: string;
  readonly id: string;
  readonly cosine: number;
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

/** The rows of candidates, in their order. */
export async function hitsOf(
  session: Session,
  candidates: readonly Candidate[],
): Promise<NearestHit[]> {
  if (candidates.length === 0) return [];
  const rows = await session.query(
    `SELECT m.* FROM unnest($1::text[], $2::text[]) AS q (project, id)
     JOIN memories m ON m.project = q.project AND m.id = q.id`,
    [list(candidates.map(({ project }) => project)), list(candidates.map(({ id }) => id))],
  );
  const byId = new Map(rows.map((row) => [row['id'] as string, row]));
  return candidates.flatMap(({ id, cosine }) => {
    const row = byId.get(id);
    return row ? [new NearestRow(row, cosine)] : [];
  });
}

/** Looks at the memory only when it is asked for. */
export class NearestRow implements NearestHit {
  readonly id: string;
  readonly session: string | undefined;
  readonly cosine: number;
  readonly length: number;
  readonly #row: Row;

  constructor(row: Row, cosine: number) {
    this.#row = row;
    this.id = row['id'] as string;
    this.session = (row['session_id'] as string | null) ?? undefined;
    this.cosine = cosine;
    this.length = Number(row['length']);
  }

  get stored(): StoredMemory {
    return storedOf(this.#row);
  }
}
