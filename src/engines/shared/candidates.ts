import { BestValues } from './best-values.ts';

/** A document with its score. */
export interface Scored {
  readonly doc: number;
  readonly raw: number;
}

/** Keeps the best k scores, and every candidate that may still tie with the last. */
export class Candidates {
  readonly #best: BestValues;
  #kept: Scored[] = [];
  #pruneAt: number;
  size = 0;

  constructor(k: number) {
    this.#best = new BestValues(k);
    this.#pruneAt = 4 * k + 64;
  }

  /** The k-th best score so far; -Infinity while there are fewer. */
  get least(): number {
    return this.#best.least;
  }

  add(doc: number, raw: number): void {
    this.size += 1;
    if (raw < this.#best.least) return;
    this.#best.add(raw);
    this.#kept.push({ doc, raw });
    if (this.#kept.length > this.#pruneAt) this.#prune();
  }

  best(): readonly Scored[] {
    this.#prune();
    return this.#kept;
  }

  #prune(): void {
    const { least } = this.#best;
    this.#kept = this.#kept.filter(({ raw }) => raw >= least);
    // Doubling keeps a crowd of ties from being filtered again and again.
    this.#pruneAt = Math.max(this.#pruneAt, 2 * this.#kept.length);
  }
}
