import type { StoredMemory } from '../../domain/memory.ts';
import type { KeywordHit } from '../../ports/engine.ts';
import type { Database, Row } from './drivers/driver.ts';
import { STORED_COLUMNS, storedOf } from './rows.ts';

/** A hit over a row of `memories`; its memory is parsed when somebody looks at it. */
export class RowHit implements KeywordHit {
  readonly id: string;
  readonly session: string | undefined;
  readonly raw: number;
  readonly length: number;
  readonly space: number;
  readonly doc: number;
  terms?: readonly number[];
  readonly #row: Row;
  #stored: StoredMemory | undefined;

  constructor(row: Row, raw: number) {
    this.#row = row;
    this.id = row['id'] as string;
    this.session = (row['session_id'] as string | null) ?? undefined;
    this.raw = raw;
    this.length = Number(row['length']);
    this.space = Number(row['space']);
    this.doc = Number(row['doc']);
  }

  get stored(): StoredMemory {
    return (this.#stored ??= storedOf(this.#row));
  }
}

/** Hits by document number, each with its score, best first, ties by id. */
export function hitsOf(database: Database, raws: ReadonlyMap<number, number>): RowHit[] {
  return database
    .prepare(
      `SELECT doc, id, session_id, space, length, ${STORED_COLUMNS} FROM memories
       WHERE doc IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify([...raws.keys()]))
    .map((row) => new RowHit(row, raws.get(Number(row['doc'])) as number))
    .sort((a, b) => b.raw - a.raw || (a.id < b.id ? -1 : 1));
}
