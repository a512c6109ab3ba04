import { piecesOf } from '../text/analyse.ts';
import { looseForm } from './loose-form.ts';
import { roughTerms } from './rough-terms.ts';

/** What one text is to another: the same claim, much alike, or neither. */
export type Likeness = 'same' | 'related' | 'different';

/** Share of common words (Dice) from which two texts are about one thing. */
const RELATED = 0.7;
/** Words that both must hold: two short notes share half of theirs by chance. */
const LEAST_SHARED = 3;
/** Rough words that tell anything, and the share of them below which two texts cannot be alike. */
const ENOUGH_ROUGH = 8;
const FAR_APART = 0.35;
/** Characters of a text that are compared. */
const MOST_CHARACTERS = 4000;

/** A text that is ready to be compared; what it costs to make so is paid once, and when it is asked for. */
export class Compared {
  readonly #text: string;
  readonly #looseForm = once(() => looseForm(this.#text));
  readonly #terms = once(() => wholeTerms(this.#text));

  constructor(text: string) {
    this.#text = text;
  }

  get loose(): string | undefined {
    return this.#looseForm();
  }

  get rough(): Uint32Array {
    return roughTerms(this.#text);
  }

  get terms(): ReadonlySet<string> {
    return this.#terms();
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function wholeTerms(text: string): ReadonlySet<string> {
  const pieces = piecesOf(text.slice(0, MOST_CHARACTERS));
  const whole = pieces.filter(({ kind }) => kind === 'word' || kind === 'exact');
  return new Set(whole.map(({ term }) => term));
}

/**
 * Compares two texts by stated rules. `same` only where nothing differs but how the text is written
 * down (`looseForm`): another word, number, order or negation is another claim, however much alike.
 * `score` is the share of common words, 0 to 1 (Dice 1945); 0 where a rough look tells enough.
 */
export function compareTexts(a: Compared, b: Compared): { likeness: Likeness; score: number } {
  if (areFarApart(a.rough, b.rough)) return { likeness: 'different', score: 0 };
  if (a.loose !== undefined && a.loose === b.loose) return { likeness: 'same', score: 1 };
  const { score, shared } = diceOf(a.terms, b.terms);
  const isRelated = score >= RELATED && shared >= LEAST_SHARED;
  return { likeness: isRelated ? 'related' : 'different', score };
}

/** Most texts that share a key share little else, and to read their words takes ten times as long. */
function areFarApart(a: Uint32Array, b: Uint32Array): boolean {
  if (Math.min(a.length, b.length) < ENOUGH_ROUGH) return false;
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [left, right] = [a[i] as number, b[j] as number];
    if (left === right) shared += 1;
    if (left <= right) i += 1;
    if (right <= left) j += 1;
  }
  return (2 * shared) / (a.length + b.length) < FAR_APART;
}

function diceOf(a: ReadonlySet<string>, b: ReadonlySet<string>): { score: number; shared: number } {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const term of small) if (large.has(term)) shared += 1;
  return { score: small.size === 0 ? 0 : (2 * shared) / (small.size + large.size), shared };
}
