/** A document with its score. */
export interface Scored {
  readonly doc: number;
  readonly raw: number;
}

/** Keeps the best k scores in a heap, and every candidate that may still tie with the last. */
export class Candidates {
  readonly #k: number;
  readonly #heap: number[] = [];
  #kept: Scored[] = [];
  #pruneAt: number;
  size = 0;

  constructor(k: number) {
    this.#k = k;
    this.#pruneAt = 4 * k + 64;
  }

  add(doc: number, raw: number): void {
    this.size += 1;
    const heap = this.#heap;
    if (heap.length === this.#k) {
      if (raw < (heap[0] as number)) return;
      if (raw > (heap[0] as number)) this.#replaceLeast(raw);
    } else {
      this.#insert(raw);
    }
    this.#kept.push({ doc, raw });
    if (this.#kept.length > this.#pruneAt) this.#prune();
  }

  best(): readonly Scored[] {
    this.#prune();
    return this.#kept;
  }

  #prune(): void {
    if (this.#heap.length < this.#k) return;
    const least = this.#heap[0] as number;
    this.#kept = this.#kept.filter(({ raw }) => raw >= least);
    // Doubling keeps a crowd of ties from being filtered again and again.
    this.#pruneAt = Math.max(this.#pruneAt, 2 * this.#kept.length);
  }

  #insert(raw: number): void {
    const heap = this.#heap;
    let i = heap.push(raw) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if ((heap[parent] as number) <= raw) break;
      heap[i] = heap[parent] as number;
      i = parent;
    }
    heap[i] = raw;
  }

  #replaceLeast(raw: number): void {
    const heap = this.#heap;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++;
      if ((heap[child] as number) >= raw) break;
      heap[i] = heap[child] as number;
      i = child;
    }
    heap[i] = raw;
  }
}
