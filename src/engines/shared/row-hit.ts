import type { StoredMemory } from '../../domain/memory.ts';
import type { KeywordHit } from '../../ports/engine.ts';

/** A hit over a row of `memories`; its memory is parsed when somebody looks at it. */
export class RowHit<R extends Readonly<Record<string, unknown>>> implements KeywordHit {
  readonly id: string;
  readonly session: string | undefined;
  readonly raw: number;
  readonly length: number;
  readonly row: R;
  terms?: readonly number[];
  readonly #read: (row: R) => StoredMemory;
  #stored: StoredMemory | undefined;

  /** @param read makes a memory of a row, as the engine keeps it */
  constructor(row: R, raw: number, read: (row: R) => StoredMemory) {
    this.row = row;
    this.id = row['id'] as string;
    this.session = (row['session_id'] as string | null) ?? undefined;
    this.raw = raw;
    this.length = Number(row['length']);
    this.#read = read;
  }

  get stored(): StoredMemory {
    return (this.#stored ??= this.#read(this.row));
  }
}
