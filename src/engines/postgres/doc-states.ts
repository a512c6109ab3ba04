import type { Session } from './driver.ts';
import { list, packed } from './parameters.ts';
import type { SpaceChanges } from './settle.ts';

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

  /** Reads the chunks that these changes fall into. */
  async load(session: Session, changes: readonly SpaceChanges[]): Promise<void> {
    const keys = changes.flatMap(({ space: { project, space }, states }) =>
      [...new Set([...states.keys()].map((doc) => Math.floor(doc / CHUNK)))].map((chunk) => ({
        project,
        space,
        chunk,
      })),
    );
    if (keys.length === 0) return;
    const rows = await session.query(
      `SELECT d.space, d.chunk, d.states FROM doc_states d
       JOIN unnest($1::text[], $2::integer[], $3::integer[]) AS q (project, space, chunk)
       USING (project, space, chunk)`,
      columnsOf(keys),
    );
    for (const key of keys) {
      const row = rows.find(
        (one) => Number(one['space']) === key.space && Number(one['chunk']) === key.chunk,
      );
      const states = new Uint8Array(CHUNK);
      if (row) states.set(row['states'] as Uint8Array);
      this.#chunks.set(nameOf(key), { ...key, states });
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

  write(session: Session, revision: number): void {
    const chunks = [...this.#chunks.values()];
    if (chunks.length === 0) return;
    const { bytes, starts, sizes } = packed(chunks.map(({ states }) => states));
    session.send(
      `INSERT INTO doc_states (project, space, chunk, states, revision)
       SELECT q.project, q.space, q.chunk, substring($4::bytea FROM q.start FOR q.size), $7::bigint
       FROM unnest($1::text[], $2::integer[], $3::integer[], $5::integer[], $6::integer[])
         AS q (project, space, chunk, start, size)
       ON CONFLICT (project, space, chunk)
         DO UPDATE SET states = excluded.states, revision = excluded.revision`,
      [...columnsOf(chunks), bytes, starts, sizes, revision],
    );
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
