import { encodePostings, type EntryList } from './codec.ts';

/** Where a term stands in one segment: parallel columns, ascending by local document. */
export interface PostingList {
  /** Index of the document within the segment. */
  readonly locals: Uint16Array;
  /** Counts by field, see domain/ranking/counts. */
  readonly counts: Uint16Array;
  /** Bits of the terms that follow, see domain/ranking/bloom. */
  readonly next: Uint32Array;
}

/** An immutable set of documents with their postings. */
export interface Segment {
  /** Document numbers, ascending. */
  readonly docs: Uint32Array;
  /** Length of each document in terms. */
  readonly lengths: Uint32Array;
  readonly terms: ReadonlyMap<string, PostingList>;
}

/** Local document numbers are 16 bits wide. */
export const MAX_SEGMENT_DOCS = 16_384;

/** A segment as it is stored: posting lists are encoded already, in the order of their terms. */
export interface BuiltSegment {
  readonly docs: Uint32Array;
  readonly lengths: Uint32Array;
  readonly lists: readonly (readonly [term: string, list: Uint8Array])[];
}

/** Collects index entries and turns them into a segment. */
export class SegmentBuilder {
  readonly #docs: number[] = [];
  readonly #lengths: number[] = [];
  /** By term: local, counts, next of one posting after the other. */
  readonly #terms = new Map<string, number[]>();

  get size(): number {
    return this.#docs.length;
  }

  /** Documents must come in ascending order. */
  add(doc: number, entry: EntryList): void {
    const local = this.#docs.push(doc) - 1;
    this.#lengths.push(entry[0] as number);
    for (let i = 1; i < entry.length; i += 3) {
      this.#push(entry[i] as string, local, entry[i + 1] as number, entry[i + 2] as number);
    }
  }

  /** Adds the documents of a segment that are wanted; they must follow the ones there. */
  addSegment(segment: Segment, wanted: (doc: number) => boolean): void {
    const map = new Int32Array(segment.docs.length).fill(-1);
    for (let i = 0; i < map.length; i++) {
      const doc = segment.docs[i] as number;
      if (!wanted(doc)) continue;
      map[i] = this.#docs.push(doc) - 1;
      this.#lengths.push(segment.lengths[i] as number);
    }
    for (const [term, list] of segment.terms) {
      for (let i = 0; i < list.locals.length; i++) {
        const local = map[list.locals[i] as number] as number;
        if (local >= 0) this.#push(term, local, list.counts[i] as number, list.next[i] as number);
      }
    }
  }

  build(): BuiltSegment {
    const terms = [...this.#terms.keys()].sort();
    return {
      docs: Uint32Array.from(this.#docs),
      lengths: Uint32Array.from(this.#lengths),
      // Sorted terms are appended to the table instead of being scattered over it.
      lists: terms.map((term) => [term, encodePostings(this.#terms.get(term) as number[])]),
    };
  }

  #push(term: string, local: number, counts: number, next: number): void {
    const flat = this.#terms.get(term);
    if (flat) flat.push(local, counts, next);
    else this.#terms.set(term, [local, counts, next]);
  }
}

interface Column {
  locals: number[];
  counts: number[];
  next: number[];
}

/** The documents that no segment holds yet, growing by one at a time; read like a segment. */
export class LiveSegment {
  readonly docs: number[] = [];
  readonly lengths: number[] = [];
  readonly terms = new Map<string, Column>();

  add(doc: number, entry: EntryList): void {
    const local = this.docs.push(doc) - 1;
    this.lengths.push(entry[0] as number);
    for (let i = 1; i < entry.length; i += 3) {
      const term = entry[i] as string;
      let column = this.terms.get(term);
      if (!column) this.terms.set(term, (column = { locals: [], counts: [], next: [] }));
      column.locals.push(local);
      column.counts.push(entry[i + 1] as number);
      column.next.push(entry[i + 2] as number);
    }
  }
}
