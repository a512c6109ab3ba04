/** The best k of the values that came, in a heap with the least of them on top. */
export class BestValues {
  readonly #k: number;
  readonly #heap: number[] = [];
  /** The k-th best so far; -Infinity while fewer came, Infinity where none is wanted. */
  least: number;

  constructor(k: number) {
    this.#k = k;
    this.least = k > 0 ? -Infinity : Infinity;
  }

  add(value: number): void {
    const heap = this.#heap;
    if (heap.length < this.#k) this.#insert(value);
    else if (value > this.least) this.#replaceLeast(value);
    else return;
    if (heap.length === this.#k) this.least = heap[0] as number;
  }

  #insert(value: number): void {
    const heap = this.#heap;
    let i = heap.push(value) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if ((heap[parent] as number) <= value) break;
      heap[i] = heap[parent] as number;
      i = parent;
    }
    heap[i] = value;
  }

  #replaceLeast(value: number): void {
    const heap = this.#heap;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++;
      if ((heap[child] as number) >= value) break;
      heap[i] = heap[child] as number;
      i = child;
    }
    heap[i] = value;
  }
}
