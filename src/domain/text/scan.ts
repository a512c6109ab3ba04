import { Class, classAt, classOf, widthAt } from './characters.ts';
import { fold, normalise } from './fold.ts';
import { readCompound, readRun } from './identifiers.ts';
import type { Piece } from './piece.ts';
import { knownTerm, stem, stopTerm, termOf } from './stem.ts';
import { ENGLISH } from './stop-words.ts';

/**
 * Reads a text into pieces, in order; in one pass, and in time linear in its length.
 * @param keepStops keep stop words: for a text that consists of nothing else
 */
export function scan(text: string, keepStops = false): Piece[] {
  return new Scanner(normalise(text), keepStops).run();
}

/** Longer chunks are no names: their words are read one by one. */
const MAX_NAME = 1000;

const PLAIN = /^(?:\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{Lu}+|\d+)$/u;
const JOINER = /[-_./\\:@#+]/;
const APOSTROPHE = /['\u2019\u02bc]+/;
/** C#, F#, C++. */
const SHARP = /^\p{L}(?:#|\+\+)$/u;
const THOUSANDS = /^\d,\d{3}(?!\d)/;
/** A character of a dense script with its marks. */
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu;
/** Scripts in which one character is often a word. */
const SINGLE = /[\p{Script=Han}\p{Script=Hangul}]/u;
/** What stands before an apostrophe in French and Italian, or in O'Brien. */
const ELISION = /^(?:\p{L}{1,2}|jusqu|lorsqu|puisqu|dell|dall|nell|sull|all)$/iu;
const CLITIC = /^(?:s|re|ve|ll|d|m|t)$/i;

class Scanner {
  readonly #source: string;
  readonly #keepStops: boolean;
  readonly #pieces: Piece[] = [];
  #shouting: boolean | undefined;
  /** Something that separates was met since the last piece of the stream. */
  #gap = true;
  /** No word since the last gap. */
  #opening = true;

  constructor(source: string, keepStops: boolean) {
    this.#source = source;
    this.#keepStops = keepStops;
  }

  run(): Piece[] {
    const source = this.#source;
    let i = 0;
    while (i < source.length) {
      const start = i;
      const kind = classAt(source, i);
      i += widthAt(source, i);
      if (kind === Class.gap) this.#separate();
      else if (kind === Class.emoji)
        this.#push(source.slice(start, i), 'word', source.slice(start, i));
      else if (kind === Class.dense) this.#dense(source.slice(start, (i = this.#denseEnd(i))));
      else if (kind !== Class.space) i = this.#chunkAt(start, i, kind === Class.letter);
    }
    return this.#pieces;
  }

  /** Whether everything is in capitals, so that they say nothing. */
  #isShouting(): boolean {
    return (this.#shouting ??= this.#source === this.#source.toUpperCase());
  }

  #separate(): void {
    this.#gap = true;
    this.#opening = true;
  }

  #push(term: string, kind: Piece['kind'], surface: string, inStream = true): void {
    if (term === '') return;
    this.#pieces.push({ term, kind, inStream, adjacent: inStream && !this.#gap, surface });
    if (!inStream) return;
    this.#gap = false;
    this.#opening = false;
  }

  #denseEnd(from: number): number {
    let i = from;
    while (i < this.#source.length && classAt(this.#source, i) === Class.dense) {
      i += widthAt(this.#source, i);
    }
    return i;
  }

  /** A run of a script without spaces: every pair of neighbours, so that any word in it matches. */
  #dense(run: string): void {
    const clusters = run.match(CLUSTER) ?? [];
    if (clusters.length === 1) this.#push(run, 'word', run);
    else {
      clusters.forEach((cluster, i) => {
        const next = clusters[i + 1];
        if (next !== undefined) this.#push(cluster + next, 'word', run);
        if (SINGLE.test(cluster)) this.#push(cluster, 'single', run, false);
      });
    }
  }

  /** Reads letters, digits, joiners and apostrophes from `start`; returns where they end. */
  #chunkAt(start: number, from: number, letters: boolean): number {
    const source = this.#source;
    let onlyLetters = letters;
    let commas = false;
    let i = from;
    while (i < source.length) {
      const kind = classAt(source, i);
      if (kind < Class.letter || kind > Class.apostrophe) {
        if (source[i] !== ',' || !THOUSANDS.test(source.slice(i - 1, i + 5))) break;
        commas = true;
      }
      if (kind !== Class.letter) onlyLetters = false;
      i += widthAt(source, i);
    }
    const raw = source.slice(start, i);
    if (onlyLetters) this.#runOf(raw, 'word', raw);
    else this.#trimmed(commas ? raw.replaceAll(',', '') : raw);
    return i;
  }

  /** Takes off what leads and trails, except what belongs to a name: `@scope/x`, `.env`, `C#`. */
  #trimmed(raw: string): void {
    let end = raw.length;
    while (end > 0 && isJoining(raw, end - 1)) end -= 1;
    let start = 0;
    while (start < end && isJoining(raw, start)) start += 1;
    if (start > 0 && '@#.'.includes(raw[start - 1]!)) start -= 1;
    if (end < raw.length && SHARP.test(raw)) end = raw.length;
    if (start < end) {
      const name = raw.slice(start, end);
      this.#chunk(name, name);
    }
    if (end < raw.length && /[.:\\/]/.test(raw.slice(end))) this.#separate();
  }

  #chunk(raw: string, surface: string): void {
    if (APOSTROPHE.test(raw)) return this.#apostrophes(raw);
    if (!JOINER.test(raw)) return this.#runOf(raw, 'word', surface);
    if (raw.length > MAX_NAME) {
      for (const part of raw.split(JOINER)) if (part !== '') this.#runOf(part, 'word', part);
      return;
    }
    const { names, parts, identifier } = readCompound(raw);
    names.forEach((name, i) => {
      const whole = identifier ? 'exact' : 'word';
      this.#push(name, i === 0 ? whole : 'part', surface, false);
    });
    for (const part of parts) this.#runOf(part, identifier ? 'part' : 'word', surface);
  }

  /** Contractions (don't), possessives (Ann's), elisions (l'usine), names (O'Brien). */
  #apostrophes(raw: string): void {
    const bits = raw.split(APOSTROPHE).filter(Boolean);
    const joined = bits.join('');
    if (joined.length < 12 && ENGLISH.has(fold(joined))) {
      if (this.#keepStops) this.#push(stopTerm(joined), 'word', raw);
      this.#opening = false;
      return;
    }
    if (bits.length > 1 && CLITIC.test(bits.at(-1)!)) bits.pop();
    if (bits.length > 1 && ELISION.test(bits[0]!)) bits.shift();
    for (const bit of bits) this.#trimmed(bit);
  }

  /** A run of letters and digits without joiners. */
  #runOf(raw: string, kind: 'word' | 'part', surface: string): void {
    const known = knownTerm(raw);
    if (known !== undefined) return this.#word(raw, known, kind, surface);
    if (PLAIN.test(raw)) return this.#word(raw, termOf(raw), kind, surface);
    const { term, parts, identifier } = readRun(raw);
    this.#push(term, kind === 'word' && identifier ? 'exact' : kind, surface);
    for (const part of parts) {
      const inner = termOf(part);
      if (inner !== term) this.#push(inner, 'part', surface, false);
    }
  }

  #word(raw: string, known: string, kind: 'word' | 'part', surface: string): void {
    let term = known;
    if (term === '') {
      // Among small letters, capitals make a name: IT, US, May.
      const capitals = raw.length > 1 && raw === raw.toUpperCase() && !this.#isShouting();
      if (this.#keepStops || capitals) term = stopTerm(raw);
      else if (raw === 'May' && !this.#opening) term = stem('may');
    }
    this.#push(term, kind, surface);
    this.#opening = false;
  }
}

function isJoining(text: string, index: number): boolean {
  const kind = classOf(text.charCodeAt(index));
  return kind === Class.joiner || kind === Class.apostrophe;
}
