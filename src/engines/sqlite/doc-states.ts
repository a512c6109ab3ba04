import type { Database } from './drivers/driver.ts';

/** Documents a row of `doc_states` holds: small enough to be rewritten at every write. */
const CHUNK = 1024;

/** Writes state bytes; rows touched in a transaction are written once, by `flush`. */
export class DocStateWriter {
  readonly #database: Database;
  readonly #chunks = new Map<number, Uint8Array>();

  constructor(database: Database) {
    this.#database = database;
  }

  set(doc: number, state: number): void {
    this.#chunk(doc)[doc % CHUNK] = state;
  }

  get(doc: number): number {
    return this.#chunk(doc)[doc % CHUNK] as number;
  }

  flush(): void {
    const write = this.#database.prepare(
      'INSERT INTO doc_states (chunk, states) VALUES (?, ?) ' +
        'ON CONFLICT (chunk) DO UPDATE SET states = excluded.states',
    );
    for (const [chunk, states] of this.#chunks) write.run(chunk, states);
    this.#chunks.clear();
  }

  #chunk(doc: number): Uint8Array {
    const chunk = Math.floor(doc / CHUNK);
    let states = this.#chunks.get(chunk);
    if (!states) {
      const row = this.#database
        .prepare('SELECT states FROM doc_states WHERE chunk = ?')
        .get(chunk);
      states = row ? Uint8Array.from(row['states'] as Uint8Array) : new Uint8Array(CHUNK);
      this.#chunks.set(chunk, states);
    }
    return states;
  }
}

/** All state bytes, by document number. */
export function readDocStates(database: Database): Uint8Array {
  const rows = database.prepare('SELECT chunk, states FROM doc_states ORDER BY chunk').all();
  const last = rows.at(-1);
  const all = new Uint8Array(last ? (Number(last['chunk']) + 1) * CHUNK : 0);
  for (const row of rows) all.set(row['states'] as Uint8Array, Number(row['chunk']) * CHUNK);
  return all;
}
