import type { StoredMemory } from '../../domain/memory.ts';
import type { KeywordHit } from '../../ports/engine.ts';
import type { Row } from './drivers/driver.ts';
import { storedOf } from './rows.ts';

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
