import { BestValues } from '../../shared/best-values.ts';
import { Candidates, type Scored } from '../../shared/candidates.ts';
import { CodeRows } from '../../shared/vectors/code-rows.ts';
import {
  bestCosine,
  codedCosine,
  encodeQuery,
  errorOf,
  MEASURES,
  type QueryCodes,
} from '../../shared/vectors/codes.ts';
import { Moments } from '../../shared/vectors/moments.ts';
import type { Pack } from './packs.ts';

/** Exact vectors read at a time: each time fewer are left that could still be among the best. */
const LEAST_READ = 64;
const MOST_READ = 4096;

export interface Nearest {
  /** At least the best k, in no order. */
  readonly best: readonly Scored[];
  /** Of the coded cosines: see `Moments`. */
  readonly mean: number;
  readonly deviation: number;
  readonly compared: number;
}

/** Reads the exact vectors of texts, by their numbers; those that are not there are left out. */
export type ReadExact = (texts: readonly number[]) => ReadonlyMap<number, Float32Array>;

/** An entry that may be among the best, with the most that its cosine can be. */
interface Hopeful {
  readonly entry: number;
  readonly most: number;
}

/** What a search works on: entries with the most that each can be, and rows with their sums. */
interface Workspace {
  readonly entries: Uint32Array;
  readonly most: Float64Array;
  readonly rows: Uint32Array;
  readonly sums: Int32Array;
}

/**
 * The codes of all vectors of one model in memory: a byte a number, and 20 bytes a passage and 28 a
 * document beside them. What they leave undecided is decided by the exact vectors, which are read when
 * they are needed.
 */
export class VectorMatrix {
  readonly dims: number;
  readonly #onGone: (doc: number) => void;
  readonly #rows: CodeRows;
  /** By entry: document, number of the text, first row; the first row of what follows at the end. */
  #docs = new Uint32Array(0);
  #texts = new Uint32Array(0);
  #starts = new Uint32Array(1);
  #size = 0;
  #work: Workspace = {
    entries: new Uint32Array(0),
    most: new Float64Array(0),
    rows: new Uint32Array(0),
    sums: new Int32Array(0),
  };
  /** How often exact vectors were not there any more. */
  #gone = 0;
  /** By row. */
  #measures = new Float32Array(0);
  /** Entry + 1 of a document; 0 for one that has none. */
  #entries = new Int32Array(0);

  /** @param onGone told of a document whose vectors are not there any more */
  constructor(dims: number, onGone: (doc: number) => void, rows = new CodeRows(dims)) {
    this.dims = dims;
    this.#onGone = onGone;
    this.#rows = rows;
  }

  /** Entries, with those of documents that are replaced by now. */
  get size(): number {
    return this.#size;
  }

  /** What is there of the same text is passed over; of another text, the later pack is right. */
  add({ docs, texts, passages, measures, codes }: Pack): void {
    const { dims } = this;
    this.#reserve(docs.length, codes.length / dims);
    let from = 0;
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number;
      const text = texts[i] as number;
      const end = from + (passages[i] as number);
      const known = (this.#entries[doc] ?? 0) - 1;
      if (known < 0 || this.#texts[known] !== text) {
        const row = this.#starts[this.#size] as number;
        this.#rows.set(row, codes.subarray(from * dims, end * dims));
        this.#measures.set(measures.subarray(from * MEASURES, end * MEASURES), row * MEASURES);
        this.#docs[this.#size] = doc;
        this.#texts[this.#size] = text;
        this.#size += 1;
        this.#starts[this.#size] = row + end - from;
        this.#place(doc, this.#size);
      }
      from = end;
    }
  }

  /** Exact cosines of documents that have vectors, by document. */
  cosinesOf(docs: readonly number[], query: Float32Array, read: ReadExact): Map<number, number> {
    const entries = docs.map((doc) => (this.#entries[doc] ?? 0) - 1).filter((entry) => entry >= 0);
    const cosines = this.#exact(entries, query, read);
    return new Map([...cosines].map(([entry, cosine]) => [this.#docs[entry] as number, cosine]));
  }

  /**
   * The best k of the documents that are wanted. Codes say of each between which bounds its cosine
   * lies; exact cosines are computed, the most hopeful first, until the k-th of them lies above all
   * that the rest can reach.
   */
  nearest(
    query: Float32Array,
    k: number,
    wants: (doc: number) => boolean,
    read: ReadExact,
  ): Nearest {
    const goneBefore = this.#gone;
    const coded = encodeQuery(query);
    const { entries, rows } = this.#admit(wants);
    this.#rows.dots(coded.codes, this.#work.rows, rows, this.#work.sums);
    const { hopeful, moments } = this.#judge(entries, coded, k);
    hopeful.sort((a, b) => b.most - a.most);
    const found = new Candidates(Math.min(k, entries));
    for (let done = 0; done < hopeful.length;) {
      if ((hopeful[done] as Hopeful).most < found.least) break;
      const size = Math.min(Math.max(k - done, LEAST_READ), MOST_READ);
      const some = hopeful.slice(done, done + size).map(({ entry }) => entry);
      for (const [entry, cosine] of this.#exact(some, query, read)) {
        found.add(this.#docs[entry] as number, cosine);
      }
      done += size;
    }
    // What is gone may have kept others out.
    if (this.#gone > goneBefore) return this.nearest(query, k, wants, read);
    return { best: found.best(), ...moments.result() };
  }

  /** Puts the entries that are wanted, and their rows, where they are worked on; says how many. */
  #admit(wants: (doc: number) => boolean): { entries: number; rows: number } {
    const [docs, starts, places] = [this.#docs, this.#starts, this.#entries];
    const work = this.#workspace();
    let entries = 0;
    let rows = 0;
    for (let entry = 0; entry < this.#size; entry++) {
      const doc = docs[entry] as number;
      // An entry that a later one took the place of is nobody's any more.
      if (places[doc] !== entry + 1 || !wants(doc)) continue;
      work.entries[entries++] = entry;
      const end = starts[entry + 1] as number;
      for (let row = starts[entry] as number; row < end; row++) work.rows[rows++] = row;
    }
    return { entries, rows };
  }

  /** Who of the admitted may be among the best k, and what is ordinary. */
  #judge(count: number, query: QueryCodes, k: number): { hopeful: Hopeful[]; moments: Moments } {
    const { entries, sums, most } = this.#work;
    const [starts, measures] = [this.#starts, this.#measures];
    const moments = new Moments();
    const sure = new BestValues(k);
    let at = 0;
    for (let i = 0; i < count; i++) {
      const entry = entries[i] as number;
      const end = starts[entry + 1] as number;
      let coded = -Infinity;
      let lower = -Infinity;
      let upper = -Infinity;
      for (let row = starts[entry] as number; row < end; row++) {
        const measure = row * MEASURES;
        const cosine = codedCosine(sums[at++] as number, measures[measure] as number, query);
        const length = measures[measure + 1] as number;
        const error = errorOf(length, measures[measure + 2] as number, query);
        if (cosine > coded) coded = cosine;
        if (cosine - error > lower) lower = cosine - error;
        if (cosine + error > upper) upper = cosine + error;
      }
      moments.add(coded);
      if (lower > sure.least) sure.add(lower);
      most[i] = upper;
    }
    const hopeful: Hopeful[] = [];
    const { least } = sure;
    for (let i = 0; i < count; i++) {
      const upper = most[i] as number;
      if (upper >= least) hopeful.push({ entry: entries[i] as number, most: upper });
    }
    return { hopeful, moments };
  }

  /** Room for every entry, kept from search to search: making it anew costs more than searching. */
  #workspace(): Workspace {
    const rows = this.#starts[this.#size] as number;
    const { entries, most, rows: wanted, sums } = this.#work;
    this.#work = {
      entries: roomFor(entries, this.#size),
      most: roomFor(most, this.#size),
      rows: roomFor(wanted, rows),
      sums: roomFor(sums, rows),
    };
    return this.#work;
  }

  /** Exact cosines by entry. One whose vectors are gone has none, and is an entry no more. */
  #exact(entries: readonly number[], query: Float32Array, read: ReadExact): Map<number, number> {
    const vectors = read(entries.map((entry) => this.#texts[entry] as number));
    const cosines = new Map<number, number>();
    for (const entry of entries) {
      const numbers = vectors.get(this.#texts[entry] as number);
      const rows = (this.#starts[entry + 1] as number) - (this.#starts[entry] as number);
      if (numbers?.length === rows * this.dims) cosines.set(entry, bestCosine(numbers, query));
      else this.#forget(this.#docs[entry] as number);
    }
    return cosines;
  }

  #forget(doc: number): void {
    this.#entries[doc] = 0;
    this.#gone += 1;
    this.#onGone(doc);
  }

  #place(doc: number, entry: number): void {
    this.#entries = roomFor(this.#entries, doc + 1);
    this.#entries[doc] = entry;
  }

  #reserve(entries: number, rows: number): void {
    const total = (this.#starts[this.#size] as number) + rows;
    this.#rows.reserve(total);
    this.#measures = roomFor(this.#measures, total * MEASURES);
    this.#docs = roomFor(this.#docs, this.#size + entries);
    this.#texts = roomFor(this.#texts, this.#size + entries);
    this.#starts = roomFor(this.#starts, this.#size + entries + 1);
  }
}

type Numbers = Uint32Array | Int32Array | Float32Array | Float64Array;

/** The same numbers in an array of at least this length, with room ahead if a new one is needed. */
function roomFor<T extends Numbers>(numbers: T, length: number): T {
  if (length <= numbers.length) return numbers;
  const Kind = numbers.constructor as new (length: number) => T;
  const larger = new Kind(Math.ceil(length * 1.25) + 64);
  larger.set(numbers);
  return larger;
}
