import { keptByText } from '../text/by-text.ts';
import { keptByWord } from '../text/by-word.ts';
import { ENGLISH } from '../text/stop-words.ts';

/** What a text begins with tells enough. */
const MOST_CHARACTERS = 2000;
/** Beginning of a word that stands for it: endings fall away. */
const STEM_LETTERS = 5;

/**
 * Hashes of the words of a text without function words, in scripts without spaces of pairs: each once,
 * in order.
 */
export const roughTerms = keptByText((text) => {
  const words =
    text
      .slice(0, MOST_CHARACTERS)
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const terms: number[] = [];
  for (const word of words) {
    if ((word.codePointAt(0) as number) >= DENSE) {
      for (let i = 0; i + 1 < word.length; i++) terms.push(hashOf(word.slice(i, i + 2)));
      continue;
    }
    const term = termOf(word);
    if (term !== NO_TERM) terms.push(term);
  }
  return distinct(Uint32Array.from(terms).sort());
});

/** What a function word stands for. */
const NO_TERM = -1;

const termOf = keptByWord(newTerm, { most: 20_000, longest: 32 });

function newTerm(word: string): number {
  if (/^\d/.test(word)) return hashOf(word);
  if (word.length === 1 || ENGLISH.has(word)) return NO_TERM;
  return hashOf(word.replace(/s$/, '').slice(0, STEM_LETTERS));
}

/** @param sorted is changed */
function distinct(sorted: Uint32Array): Uint32Array {
  let count = 0;
  for (const term of sorted) if (count === 0 || term !== sorted[count - 1]) sorted[count++] = term;
  return sorted.slice(0, count);
}

/** From here on scripts write words without spaces between them. */
const DENSE = 0x2e80;

/** FNV-1a over UTF-16 units, then mixed. */
export function hashOf(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return mix(hash);
}

/** Finaliser of MurmurHash 3: every bit of the input moves half of the output. */
export function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
