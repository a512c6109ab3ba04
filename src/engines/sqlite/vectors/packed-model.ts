import type { Database } from '../drivers/driver.ts';
import { VectorMatrix } from './matrix.ts';
import { listPacks, readDocs, readPack, type PackEntry, type PackKind } from './packs.ts';
import { readDims } from './tables.ts';

/** Entries of replaced documents that memory is given to, beyond as many as are packed. */
const DEAD_ROOM = 1024;

/**
 * What is packed of one model, as it was found last. Which documents that are is known at once; their
 * codes are loaded by the first search. Packs come and go, but what they say of a document holds as
 * long as its number does, so that only new ones are ever read.
 */
export class PackedModel {
  readonly kind: PackKind;
  /** State of the index at which nothing was pending. */
  completeAt = -1;
  /** By document. */
  #packed = new Uint8Array(0);
  #packs: readonly PackEntry[] = [];
  readonly #known = new Set<number>();
  readonly #loaded = new Set<number>();
  #matrix: VectorMatrix | undefined;

  constructor(database: Database, model: number, generation: number) {
    this.kind = { model, generation, dims: readDims(database, model) };
  }

  has(doc: number): boolean {
    return this.#packed[doc] === 1;
  }

  /** Takes note of packs that are new. */
  refresh(database: Database): void {
    this.#packs = listPacks(database, this.kind);
    for (const { pack } of this.#packs) {
      if (this.#known.has(pack)) continue;
      this.#known.add(pack);
      for (const doc of readDocs(database, pack).docs) this.#mark(doc);
    }
  }

  /** All codes, in memory. */
  matrix(database: Database): VectorMatrix {
    const { dims } = this.kind;
    const packed = this.#packs.reduce((sum, { count }) => sum + count, 0);
    if (this.#matrix && this.#matrix.size > 2 * packed + DEAD_ROOM) {
      this.#matrix = undefined;
      this.#loaded.clear();
    }
    this.#matrix ??= new VectorMatrix(dims, (doc) => {
      this.#packed[doc] = 0;
      this.completeAt = -1;
    });
    for (const { pack } of this.#packs) {
      if (this.#loaded.has(pack)) continue;
      this.#loaded.add(pack);
      const codes = readPack(database, pack, dims);
      if (codes) this.#matrix.add(codes);
    }
    return this.#matrix;
  }

  #mark(doc: number): void {
    if (doc >= this.#packed.length) {
      const larger = new Uint8Array(Math.ceil(doc * 1.25) + 64);
      larger.set(this.#packed);
      this.#packed = larger;
    }
    this.#packed[doc] = 1;
  }
}
