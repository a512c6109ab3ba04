import { Candidates, type Scored } from '../../shared/candidates.ts';
import { bestCosine } from '../../shared/vector-codes.ts';
import type { Pack } from './tables.ts';

/**
 * From this many passages on, a first pass compares signs only, and the cosines of the best are
 * computed: one passage in this many, and never fewer than the second figure.
 */
const SCREEN_FROM = 16_384;
const SCREEN_SHARE = 16;
const SCREEN_LEAST = 4096;
/** Cosines that the mean is taken of where not all are computed. */
const SAMPLE = 4096;

export interface Nearest {
  /** At least the best k, in no order. */
  readonly best: readonly Scored[];
  readonly mean: number;
  readonly deviation: number;
  readonly compared: number;
}

/** All vectors of one model in memory: 2 bytes a number, and a bit for its sign. */
export class VectorMatrix {
  readonly dims: number;
  readonly #words: number;
  /** By entry. */
  readonly #docs: number[] = [];
  readonly #starts: number[] = [0];
  /** Entry + 1 of a document; 0 for one that has none. */
  #entries = new Int32Array(0);
  #codes = new Int16Array(0);
  #signs = new Uint32Array(0);

  constructor(dims: number) {
    this.dims = dims;
    this.#words = Math.ceil(dims / 32);
  }

  has(doc: number): boolean {
    return (this.#entries[doc] ?? 0) > 0;
  }

  /** A document that is there already is passed over: two processes may have packed it. */
  add({ docs, passages, codes }: Pack): void {
    const { dims } = this;
    let from = 0;
    let total = this.#starts.at(-1) as number;
    this.#reserve(total + codes.length / dims);
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number;
      const count = passages[i] as number;
      if (!this.has(doc)) {
        this.#place(doc, this.#docs.push(doc));
        this.#codes.set(codes.subarray(from, from + count * dims), total * dims);
        for (let p = total; p < total + count; p++) this.#markSigns(p);
        total += count;
        this.#starts.push(total);
      }
      from += count * dims;
    }
  }

  cosineOf(doc: number, query: Float32Array): number | undefined {
    const entry = this.#entries[doc] ?? 0;
    return entry === 0 ? undefined : this.#cosine(entry - 1, query);
  }

  nearest(query: Float32Array, k: number, wants: (doc: number) => boolean): Nearest {
    const admitted: number[] = [];
    for (let entry = 0; entry < this.#docs.length; entry++) {
      if (wants(this.#docs[entry] as number)) admitted.push(entry);
    }
    const screened = this.#screen(admitted, query, k);
    const found = new Candidates(Math.max(1, Math.min(k, screened.length)));
    const cosines = screened.map((entry) => {
      const cosine = this.#cosine(entry, query);
      if (k > 0) found.add(this.#docs[entry] as number, cosine);
      return cosine;
    });
    const sample = screened === admitted ? cosines : this.#sample(admitted, query);
    return { best: k > 0 ? found.best() : [], ...momentsOf(sample), compared: admitted.length };
  }

  /** Those worth computing: all, or in a large store those whose signs agree most. */
  #screen(admitted: readonly number[], query: Float32Array, k: number): readonly number[] {
    const keep = Math.max(SCREEN_LEAST, 16 * k, Math.ceil(admitted.length / SCREEN_SHARE));
    if (admitted.length < SCREEN_FROM || keep >= admitted.length) return admitted;
    const words = this.#words;
    const signs = new Uint32Array(words);
    for (let d = 0; d < this.dims; d++) {
      if ((query[d] as number) < 0) signs[d >> 5] = (signs[d >> 5] as number) | (1 << (d & 31));
    }
    const distances = new Uint16Array(admitted.length);
    const histogram = new Uint32Array(this.dims + 1);
    const table = this.#signs;
    for (let i = 0; i < admitted.length; i++) {
      const entry = admitted[i] as number;
      const end = this.#starts[entry + 1] as number;
      let least = this.dims;
      for (let p = this.#starts[entry] as number; p < end; p++) {
        let distance = 0;
        for (let w = 0; w < words; w++) {
          distance += ones((table[p * words + w] as number) ^ (signs[w] as number));
        }
        if (distance < least) least = distance;
      }
      distances[i] = least;
      (histogram[least] as number) += 1;
    }
    let limit = 0;
    for (let sum = 0; limit < this.dims; limit++) {
      sum += histogram[limit] as number;
      if (sum >= keep) break;
    }
    return admitted.filter((_, i) => (distances[i] as number) <= limit);
  }

  #sample(admitted: readonly number[], query: Float32Array): number[] {
    const step = Math.ceil(admitted.length / SAMPLE);
    const cosines: number[] = [];
    for (let i = 0; i < admitted.length; i += step) {
      cosines.push(this.#cosine(admitted[i] as number, query));
    }
    return cosines;
  }

  /** Of the best passage. */
  #cosine(entry: number, query: Float32Array): number {
    const [start, end] = [this.#starts[entry] as number, this.#starts[entry + 1] as number];
    return bestCosine(this.#codes, start, end, query);
  }

  #markSigns(passage: number): void {
    const { dims } = this;
    for (let d = 0; d < dims; d++) {
      if ((this.#codes[passage * dims + d] as number) >= 0) continue;
      const word = passage * this.#words + (d >> 5);
      this.#signs[word] = (this.#signs[word] as number) | (1 << (d & 31));
    }
  }

  #place(doc: number, entry: number): void {
    if (doc >= this.#entries.length) {
      const entries = new Int32Array(Math.ceil(doc * 1.25) + 64);
      entries.set(this.#entries);
      this.#entries = entries;
    }
    this.#entries[doc] = entry;
  }

  #reserve(passages: number): void {
    if (passages * this.dims <= this.#codes.length) return;
    const room = Math.ceil(passages * 1.25) + 64;
    const codes = new Int16Array(room * this.dims);
    codes.set(this.#codes);
    this.#codes = codes;
    const signs = new Uint32Array(room * this.#words);
    signs.set(this.#signs);
    this.#signs = signs;
  }
}

function momentsOf(values: readonly number[]): { mean: number; deviation: number } {
  if (values.length === 0) return { mean: 0, deviation: 0 };
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / values.length;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / values.length - mean * mean)) };
}

/** How many bits are set. */
function ones(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
