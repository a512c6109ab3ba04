import type { Engine } from '../ports/engine.ts';

/** Puts blobs into a store that has none under their hashes yet, and counts them. */
export class EvidenceTaker {
  readonly #engine: Engine;
  readonly #isDry: boolean;
  inserted = 0;
  skipped = 0;

  constructor(engine: Engine, isDry: boolean) {
    this.#engine = engine;
    this.#isDry = isDry;
  }

  /** @param read gives its bytes; undefined when it is not there either */
  async add(sha256: string, read: () => Promise<Uint8Array | undefined>): Promise<void> {
    if (await this.#engine.evidence(sha256)) {
      this.skipped += 1;
      return;
    }
    const bytes = await read();
    if (!bytes) return;
    if (!this.#isDry) await this.#engine.putEvidence(bytes);
    this.inserted += 1;
  }
}
