import { drawerOf } from '../identity.ts';
import type { Memory } from '../memory.ts';
import { ENGLISH } from '../text/stop-words.ts';
import { looseForm } from './loose-form.ts';

/** Bands of MinHash; two texts that agree in all rows of one share a key. */
const BANDS = 3;
const MOST_ROWS = 3;
/** A short text has few words that can agree: fewer rows, so that it is found all the same. */
const SHORT_TERMS = 12;
const LEAST_TERMS = 3;
/** What a text begins with tells enough. */
const MOST_CHARACTERS = 2000;
/** How many memories that share a key are looked at, the newest: a template may have thousands. */
export const MOST_ALIKE = 4;
/** Beginning of a word that stands for it: endings fall away. */
const STEM_LETTERS = 5;

type Placed = Pick<Memory, 'project' | 'agent' | 'body'>;

const known = new WeakMap<Placed, { readonly drawer: string; readonly keys: readonly number[] }>();

/**
 * Keys that memories of one project and drawer share if their texts are the same but for how they are
 * written down, and most likely if they are much alike: one of the loose form, and bands of MinHash
 * over the words (Broder 1997; banding: Indyk, Motwani 1998). A pair whose words overlap (Jaccard) by
 * 0.8 shares a band with 0.88 in a long text and 0.95 in a short one, a pair of 0.1 with 0.003 and 0.03.
 * Whole numbers below 2^53.
 */
export function likenessKeysOf(memory: Placed, isolated: boolean): readonly number[] {
  const drawer = drawerOf(memory, isolated);
  const before = known.get(memory);
  if (before?.drawer === drawer) return before.keys;
  const keys = likenessKeys(memory.project, drawer, memory.body);
  known.set(memory, { drawer, keys });
  return keys;
}

function likenessKeys(project: string, drawer: string, body: string): number[] {
  const place = hashOf(`${project}\0${drawer}`);
  const loose = looseForm(body);
  const keys =
    loose === undefined ? [] : [keyOf([place, hashOf(loose), hashOf(loose, 7), loose.length])];
  const terms = termsOf(body.slice(0, MOST_CHARACTERS));
  if (terms.size < LEAST_TERMS) return keys;
  const rows = terms.size <= SHORT_TERMS ? MOST_ROWS - 1 : MOST_ROWS;
  for (let band = 0; band < BANDS; band++) {
    const least = Array.from({ length: rows }, (_, row) =>
      leastOf(terms, band * MOST_ROWS + row + 1),
    );
    keys.push(keyOf([place, rows, band, ...least]));
  }
  return keys;
}

/** Hashes of the words of a text without function words; in scripts without spaces, of pairs. */
function termsOf(text: string): Set<number> {
  const terms = new Set<number>();
  for (const word of text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    if ((word.codePointAt(0) as number) >= DENSE) {
      for (let i = 0; i + 1 < word.length; i++) terms.add(hashOf(word.slice(i, i + 2)));
    } else if (/^\d/.test(word)) {
      terms.add(hashOf(word));
    } else if (word.length > 1 && !ENGLISH.has(word)) {
      terms.add(hashOf(word.replace(/s$/, '').slice(0, STEM_LETTERS)));
    }
  }
  return terms;
}

/** From here on scripts write words without spaces between them. */
const DENSE = 0x2e80;

/** The least of the terms in the order that a seed gives them. */
function leastOf(terms: ReadonlySet<number>, seed: number): number {
  let least = 0xffffffff;
  for (const term of terms) {
    const mixed = mix(term ^ Math.imul(seed, 0x9e3779b1));
    if (mixed < least) least = mixed;
  }
  return least;
}

function keyOf(parts: readonly number[]): number {
  let [high, low] = [0x811c9dc5, 0x1b873593];
  for (const part of parts) {
    high = mix(high ^ part);
    low = mix(Math.imul(low, 31) + part);
  }
  return (high >>> 11) * 0x100000000 + (low >>> 0);
}

/** FNV-1a over UTF-16 units, then mixed. */
function hashOf(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return mix(hash);
}

/** Finaliser of MurmurHash 3: every bit of the input moves half of the output. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
