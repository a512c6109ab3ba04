import { decodeEntry, decodeIntegers } from '../shared/postings/codec.ts';
import { LiveSegment, type PostingList } from '../shared/postings/segment.ts';
import type { SearchableSegment } from '../shared/postings/search.ts';
import { CHUNK } from './doc-states.ts';
import type { Row } from './driver.ts';

/** Documents of all spaces have one number each in a search; twenty bits are left for the space. */
const DOCS = 2 ** 32;

export function keyOf(space: number, doc: number): number {
  return space * DOCS + doc;
}

/** The same in SQL, of a row `m` of memories. */
export const KEY = 'm.space * 4294967296 + m.doc';

export function spaceOf(key: number): number {
  return Math.floor(key / DOCS);
}

export function docOf(key: number): number {
  return key % DOCS;
}

interface LoadedSegment {
  readonly docs: Uint32Array;
  readonly keys: Float64Array;
  readonly lengths: Uint32Array;
  states: Uint8Array;
  whole: boolean;
}

/**
 * What a process keeps of one space between searches: document numbers, lengths and states. Segments
 * never change, they come and go; when one comes, all documents that waited are in it.
 */
export class SpaceIndex {
  readonly project: string;
  readonly space: number;
  /** Of the store, when this was last brought up to date; -1 = never. */
  revision = -1;
  /** The same of the times of validity. */
  windowsRevision = -1;
  #segments = new Map<number, LoadedSegment>();
  #live = new LiveSegment();
  #states = new Uint8Array(0);
  readonly #windows = new Map<number, readonly [startsMs: number, endsMs: number]>();

  constructor(project: string, space: number) {
    this.project = project;
    this.space = space;
  }

  get segments(): readonly number[] {
    return [...this.#segments.keys()];
  }

  /** The last document that waits for a segment; -1 = none. */
  get lastLive(): number {
    const last = this.#live.docs.at(-1);
    return last === undefined ? -1 : docOf(last);
  }

  /**
   * @param segments of all that there are; with docs and lengths where they are new
   * @param states chunks that were written since
   * @param deltas documents that wait, after the last one known
   */
  update(segments: readonly Row[], states: readonly Row[], deltas: readonly Row[]): void {
    this.#updateSegments(segments);
    for (const { doc, entry } of deltas) {
      this.#live.add(keyOf(this.space, Number(doc)), decodeEntry(entry as string));
    }
    for (const row of states) {
      const at = Number(row['chunk']) * CHUNK;
      if (at + CHUNK > this.#states.length) {
        const grown = new Uint8Array(Math.ceil((at + CHUNK) * 1.25));
        grown.set(this.#states);
        this.#states = grown;
      }
      this.#states.set(row['states'] as Uint8Array, at);
    }
    for (const segment of this.#segments.values()) {
      segment.states = this.#statesOf(segment.docs);
      segment.whole = !segment.states.includes(0);
    }
  }

  /** The state byte of a document; 0 = replaced, or not known. */
  stateOf(doc: number): number {
    return this.#states[doc] ?? 0;
  }

  updateWindows(rows: readonly Row[]): void {
    for (const row of rows) {
      const starts = Number(row['starts_ms'] ?? -Infinity);
      this.#windows.set(Number(row['doc']), [starts, Number(row['ends_ms'] ?? Infinity)]);
    }
  }

  holdsAt(doc: number, instantMs: number): boolean {
    const [starts, ends] = this.#windows.get(doc) ?? [-Infinity, Infinity];
    return starts <= instantMs && instantMs < ends;
  }

  /** @param lists posting lists of the query's terms, by segment */
  searchable(
    terms: readonly string[],
    lists: ReadonlyMap<number, readonly (PostingList | undefined)[]>,
  ): SearchableSegment[] {
    const none = terms.map(() => undefined);
    const searchable: SearchableSegment[] = [];
    for (const [number, { keys, lengths, states, whole }] of this.#segments) {
      const postings = lists.get(number) ?? none;
      searchable.push({ docs: keys, lengths, states, whole, postings });
    }
    const { docs, lengths, terms: columns } = this.#live;
    if (docs.length > 0) {
      const states = this.#statesOf(docs.map(docOf));
      const postings = terms.map((term) => columns.get(term));
      searchable.push({ docs, lengths, states, whole: false, postings });
    }
    return searchable;
  }

  #updateSegments(rows: readonly Row[]): void {
    const numbers = rows.map((row) => Number(row['segment']));
    const same =
      numbers.length === this.#segments.size && numbers.every((one) => this.#segments.has(one));
    if (same) return;
    const before = this.#segments;
    this.#segments = new Map();
    this.#live = new LiveSegment();
    for (const row of rows) {
      const number = Number(row['segment']);
      this.#segments.set(number, before.get(number) ?? this.#load(row));
    }
  }

  #load(row: Row): LoadedSegment {
    const docs = decodeIntegers(row['docs'] as Uint8Array);
    const lengths = decodeIntegers(row['lengths'] as Uint8Array);
    const keys = Float64Array.from(docs, (doc) => keyOf(this.space, doc));
    return { docs, keys, lengths, states: new Uint8Array(docs.length), whole: false };
  }

  #statesOf(docs: ArrayLike<number>): Uint8Array {
    const states = new Uint8Array(docs.length);
    for (let i = 0; i < docs.length; i++) states[i] = this.#states[docs[i] as number] ?? 0;
    return states;
  }
}
