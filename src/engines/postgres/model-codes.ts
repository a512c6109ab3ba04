import { BestValues } from '../shared/best-values.ts';
import { CodeRows } from '../shared/vectors/code-rows.ts';
import {
  codedCosine,
  encodeQuery,
  errorOf,
  MEASURES,
  type QueryCodes,
  type VectorCodes,
} from '../shared/vectors/codes.ts';
import { Moments } from '../shared/vectors/moments.ts';
import type { SpaceIndex } from './space-index.ts';

/** The codes of one space. */
interface SpaceCodes {
  /** The last document whose codes were asked for. */
  lastDoc: number;
  /** Vectors that this or a later transaction wrote may not have been seen. */
  writtenFrom: number;
  /** Documents in the order they came: their places are what `places` tells of each row. */
  readonly docs: number[];
  readonly placeOf: Map<number, number>;
  readonly places: number[];
  readonly rows: number[];
}

/** What codes say of the documents of one space, by place; -Infinity of those that are not wanted. */
interface Bounds {
  readonly space: SpaceIndex;
  readonly docs: readonly number[];
  readonly most: Float64Array;
}

/** Whether a document is asked for; of those that are replaced it is known for good. */
export type Verdict = 'wanted' | 'unwanted' | 'replaced';

/** Passages that came from the database. */
export interface CodedPassages {
  readonly docs: readonly number[];
  readonly codes: readonly VectorCodes[];
}

/** A document that may be among the best, with the most that its cosine can be. */
export interface Hopeful {
  readonly space: SpaceIndex;
  readonly doc: number;
  readonly most: number;
}

export interface Judged {
  /** At least the best k, the most hopeful first. */
  readonly hopeful: readonly Hopeful[];
  /** Of the coded cosines: see `Moments`. */
  readonly mean: number;
  readonly deviation: number;
  readonly compared: number;
}

/** Below that many rows nobody tidies up. */
const FEW_ROWS = 4096;

/**
 * The codes of one model's vectors, of the spaces that were searched: a byte a number, and some 60
 * bytes a passage beside them. A document's codes never change, for its text does not.
 */
export class ModelCodes {
  readonly dims: number;
  readonly #codes: CodeRows;
  readonly #spaces = new Map<SpaceIndex, SpaceCodes>();
  #measures = new Float32Array(0);
  #size = 0;
  /** Rows of documents that were seen to be replaced. */
  #dead = 0;

  constructor(dims: number, codes = new CodeRows(dims)) {
    this.dims = dims;
    this.#codes = codes;
  }

  /** Bytes of all codes that are kept. */
  get bytes(): number {
    return this.#size * this.dims;
  }

  /** Whether most of it is of documents that are replaced by now: it is better read anew. */
  get isStale(): boolean {
    return this.#size > FEW_ROWS && this.#dead > this.#size / 2;
  }

  /** How far a space is known. One that was never added to is asked for by its documents alone. */
  knownOf(space: SpaceIndex): { readonly lastDoc: number; readonly writtenFrom: number } {
    return this.#spaces.get(space) ?? { lastDoc: -1, writtenFrom: Number.MAX_SAFE_INTEGER };
  }

  /** Adds what a space has got, all passages of a document at once; documents that are known stay. */
  add(
    space: SpaceIndex,
    { docs, codes }: CodedPassages,
    upTo: { readonly lastDoc: number; readonly writtenFrom: number },
  ): void {
    const kept = this.#spaces.get(space) ?? emptySpace();
    this.#spaces.set(space, kept);
    this.#reserve(this.#size + docs.length);
    const before = kept.docs.length;
    for (const [i, doc] of docs.entries()) {
      let place = kept.placeOf.get(doc);
      if (place !== undefined && place < before) continue;
      if (place === undefined) {
        place = kept.docs.push(doc) - 1;
        kept.placeOf.set(doc, place);
      }
      const { codes: row, measures } = codes[i] as VectorCodes;
      this.#codes.set(this.#size, row);
      this.#measures.set(measures, this.#size * MEASURES);
      kept.places.push(place);
      kept.rows.push(this.#size);
      this.#size += 1;
    }
    kept.lastDoc = Math.max(kept.lastDoc, upTo.lastDoc);
    kept.writtenFrom = Math.max(kept.writtenFrom, upTo.writtenFrom);
  }

  /**
   * Who of the wanted documents of some spaces may be among the k nearest: codes say of each between
   * which bounds its cosine lies.
   */
  judge(
    query: Float32Array,
    k: number,
    spaces: readonly SpaceIndex[],
    verdictOn: (space: SpaceIndex, doc: number) => Verdict,
  ): Judged {
    const asked = encodeQuery(query);
    const moments = new Moments();
    const sure = new BestValues(k);
    const bounds: Bounds[] = [];
    this.#dead = 0;
    for (const space of spaces) {
      const kept = this.#spaces.get(space);
      if (!kept) continue;
      const most = this.#bound(kept, asked, { moments, sure }, (doc) => verdictOn(space, doc));
      bounds.push({ space, docs: kept.docs, most });
    }
    const hopeful = bounds.flatMap((one) => hopefulOf(one, sure.least));
    hopeful.sort((a, b) => b.most - a.most);
    return { hopeful, ...moments.result() };
  }

  /** The most that each cosine of a space can be; who is sure to reach how much goes to `sure`. */
  #bound(
    { docs, places, rows }: SpaceCodes,
    asked: QueryCodes,
    { moments, sure }: { readonly moments: Moments; readonly sure: BestValues },
    verdictOn: (doc: number) => Verdict,
  ): Float64Array {
    const verdicts = docs.map(verdictOn);
    const [wantedRows, wantedPlaces] = [new Uint32Array(rows.length), new Uint32Array(rows.length)];
    let count = 0;
    for (let i = 0; i < rows.length; i++) {
      const place = places[i] as number;
      const verdict = verdicts[place];
      if (verdict === 'replaced') this.#dead += 1;
      if (verdict !== 'wanted') continue;
      wantedRows[count] = rows[i] as number;
      wantedPlaces[count++] = place;
    }
    const sums = new Int32Array(count);
    this.#codes.dots(asked.codes, wantedRows, count, sums);
    const coded = new Float64Array(docs.length).fill(-Infinity);
    const [lower, most] = [coded.slice(), coded.slice()];
    for (let i = 0; i < count; i++) {
      const at = (wantedRows[i] as number) * MEASURES;
      const place = wantedPlaces[i] as number;
      const cosine = codedCosine(sums[i] as number, this.#measures[at] as number, asked);
      const length = this.#measures[at + 1] as number;
      const error = errorOf(length, this.#measures[at + 2] as number, asked);
      if (cosine > (coded[place] as number)) coded[place] = cosine;
      if (cosine - error > (lower[place] as number)) lower[place] = cosine - error;
      if (cosine + error > (most[place] as number)) most[place] = cosine + error;
    }
    for (let place = 0; place < docs.length; place++) {
      if (coded[place] === -Infinity) continue;
      moments.add(coded[place] as number);
      if ((lower[place] as number) > sure.least) sure.add(lower[place] as number);
    }
    return most;
  }

  #reserve(rows: number): void {
    this.#codes.reserve(rows);
    if (rows * MEASURES <= this.#measures.length) return;
    const larger = new Float32Array(Math.ceil(rows * 1.25 + 64) * MEASURES);
    larger.set(this.#measures);
    this.#measures = larger;
  }
}

function emptySpace(): SpaceCodes {
  return { lastDoc: -1, writtenFrom: 0, docs: [], placeOf: new Map(), places: [], rows: [] };
}

function hopefulOf({ space, docs, most }: Bounds, least: number): Hopeful[] {
  const hopeful: Hopeful[] = [];
  for (let place = 0; place < docs.length; place++) {
    const reach = most[place] as number;
    if (reach === -Infinity || reach < least) continue;
    hopeful.push({ space, doc: docs[place] as number, most: reach });
  }
  return hopeful;
}
