import { fingerprintOf, type EmbeddingModel } from '../domain/embedding.ts';
import { asLociError } from '../domain/errors.ts';
import type { Engine, VectorRow } from '../ports/engine.ts';

const BATCH = 500;
/** Somebody else may be writing vectors: it is tried again this often, after a pause. */
const ATTEMPTS = 40;
const PAUSE_MS = 250;

/** Puts vectors into a store that has none of these texts yet, and counts them. */
export class VectorTaker {
  readonly #engine: Engine;
  readonly #isDry: boolean;
  #model: EmbeddingModel | undefined;
  #batch = new Map<string, VectorRow>();
  inserted = 0;
  skipped = 0;

  constructor(engine: Engine, isDry: boolean) {
    this.#engine = engine;
    this.#isDry = isDry;
  }

  async add(model: EmbeddingModel, row: VectorRow): Promise<void> {
    if (model !== this.#model) await this.flush();
    this.#model = model;
    this.#batch.set(row.key, row);
    if (this.#batch.size >= BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    const batch = this.#batch;
    const model = this.#model;
    this.#batch = new Map();
    if (!model || batch.size === 0) return;
    const known = await this.#engine.vectorsOf(fingerprintOf(model), [...batch.keys()]);
    for (const { key } of known) batch.delete(key);
    this.skipped += known.length;
    this.inserted += batch.size;
    if (batch.size > 0 && !this.#isDry) await this.#put(model, [...batch.values()]);
  }

  async #put(model: EmbeddingModel, rows: readonly VectorRow[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#engine.putVectors(model, rows);
      } catch (error) {
        if (asLociError(error).code !== 'busy' || attempt === ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }
}
