import type { Session } from './driver.ts';
import { list, packed } from './parameters.ts';
import type { SpaceChanges } from './settle.ts';
import type { SpaceEnd } from './space-rows.ts';

/** Documents a row of `doc_states` holds: small enough to be rewritten at every write. */
export const CHUNK = 1024;

interface ChunkKey {
  readonly project: string;
  readonly space: number;
  readonly chunk: number;
}

/** State bytes of the documents of one transaction, chunk by chunk. */
export class DocStateChunks {
  readonly #chunks = new Map<string, ChunkKey & { readonly states: Uint8Array }>();

  /**
   * Reads the chunks that these changes fall into.
   * @param ends where spaces ended before, by their numbers: that chunk need not be read again, and
   *   there is none beyond it
   */
  async load(
    session: Session,
    changes: readonly SpaceChanges[],
    ends: ReadonlyMap<number, SpaceEnd>,
  ): Promise<void> {
    const unread: ChunkKey[] = [];
    for (const { space, states } of changes) {
      const end = ends.get(space.space);
      for (const chunk of new Set([...states.keys()].map((doc) => Math.floor(doc / CHUNK)))) {
        const key = { project: space.project, space: space.space, chunk };
        this.#chunks.set(nameOf(key), { ...key, states: new Uint8Array(CHUNK) });
        if (end === undefined || chunk < end.chunk) unread.push(key);
        else if (chunk === end.chunk && end.states) this.#fill(space.space, chunk, end.states);
      }
    }
    if (unread.length > 0) {
      const rows = await session.query(
        `SELECT d.space, d.chunk, d.states FROM doc_states d
         JOIN unnest($1::text[], $2::integer[], $3::integer[]) AS q (project, space, chunk)
         USING (project, space, chunk)`,
        columnsOf(unread),
      );
      for (const row of rows) {
        this.#fill(Number(row['space']), Number(row['chunk']), row['states'] as Uint8Array);
      }
    }
    for (const {
      space: { space },
      states,
    } of changes) {
      for (const [doc, state] of states) {
        const chunk = this.#chunks.get(nameOf({ space, chunk: Math.floor(doc / CHUNK) }));
        if (chunk) chunk.states[doc % CHUNK] = state;
      }
    }
  }

  #fill(space: number, chunk: number, states: Uint8Array): void {
    this.#chunks.get(nameOf({ space, chunk }))?.states.set(states);
  }

  write(session: Session, revision: number): void {
    const chunks = [...this.#chunks.values()];
    if (chunks.length === 0) return;
    const { bytes, starts, sizes } = packed(chunks.map(({ states }) => states));
    session.call('put_doc_states', [...columnsOf(chunks), bytes, starts, sizes, revision]);
  }
}

/** All state bytes of a space, by document. */
export async function readSpaceStates(
  session: Session,
  project: string,
  space: number,
): Promise<Uint8Array> {
  const rows = await session.query(
    'SELECT chunk, states FROM doc_states WHERE project = $1::text AND space = $2::integer ORDER BY 1',
    [project, space],
  );
  const last = rows.at(-1);
  const all = new Uint8Array(last ? (Number(last['chunk']) + 1) * CHUNK : 0);
  for (const row of rows) all.set(row['states'] as Uint8Array, Number(row['chunk']) * CHUNK);
  return all;
}

function nameOf({ space, chunk }: Omit<ChunkKey, 'project'>): string {
  return `${space} ${chunk}`;
}

function columnsOf(keys: readonly ChunkKey[]): string[] {
  return [
    list(keys.map(({ project }) => project)),
    list(keys.map(({ space }) => space)),
    list(keys.map(({ chunk }) => chunk)),
  ];
}
