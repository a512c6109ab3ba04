import type { StoredMemory } from '../../../domain/memory.ts';
import type { NearestHit } from '../../../ports/engine.ts';
import type { RowHit } from '../row-hit.ts';

/** Looks at the memory only when it is asked for. */
export class NearestRow implements NearestHit {
  readonly id: string;
  readonly session: string | undefined;
  readonly cosine: number;
  readonly length: number;
  readonly #hit: RowHit;

  constructor(hit: RowHit) {
    this.#hit = hit;
    this.id = hit.id;
    this.session = hit.session;
    this.cosine = hit.raw;
    this.length = hit.length;
  }

  get stored(): StoredMemory {
    return this.#hit.stored;
  }
}
