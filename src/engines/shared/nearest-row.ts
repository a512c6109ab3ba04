import type { StoredMemory } from '../../domain/memory.ts';
import type { HitAtHand, NearestHit } from '../../ports/engine.ts';

/** Looks at the memory only when it is asked for. */
export class NearestRow implements NearestHit {
  readonly id: string;
  readonly session: string | undefined;
  readonly cosine: number;
  readonly length: number;
  readonly #hit: HitAtHand;

  constructor(hit: HitAtHand, cosine: number) {
    this.#hit = hit;
    this.id = hit.id;
    this.session = hit.session;
    this.cosine = cosine;
    this.length = hit.length;
  }

  get stored(): StoredMemory {
    return this.#hit.stored;
  }
}
