import { stemmer } from 'stemmer';
import { apart } from './apart.ts';
import { fold } from './fold.ts';
import { ENGLISH } from './stop-words.ts';

/**
 * Most words of a store come again and again, and the Porter stemmer is a chain of regular
 * expressions: remembered terms make analysis several times faster. The memory is emptied when
 * full, which bounds it (about 5 MB) without bookkeeping for each use.
 */
const LIMIT = 50_000;
const known = new Map<string, string>();

/** Longest word kept; what goes on beyond it is encoded data. */
const MAX_WORD = 64;

/**
 * Term of a folded word: its stem (Porter 1980) if it is plain Latin, a number without leading
 * zeros, everything else unchanged.
 */
export function stem(folded: string): string {
  if (/^[a-z]+$/.test(folded)) return stemmer(folded);
  return /^\d+$/.test(folded) ? folded.replace(/^0+(?=\d)/, '') : folded;
}

/** Term of a word as written, or '' for a stop word. */
export function termOf(word: string): string {
  const before = known.get(word);
  if (before !== undefined) return before;
  if (word.length > MAX_WORD) return newTerm(word);
  const kept = apart(word);
  const term = newTerm(kept);
  if (known.size >= LIMIT) known.clear();
  known.set(kept, term);
  return term;
}

function newTerm(word: string): string {
  const folded = fold(word.slice(0, MAX_WORD));
  return ENGLISH.has(folded) ? '' : stem(folded);
}

/** What {@link termOf} would say, if it was asked this word lately. */
export const knownTerm = (word: string): string | undefined => known.get(word);

/** Term of a stop word that is kept after all: in capitals, so that it meets no other word. */
export const stopTerm = (word: string): string => fold(word).toUpperCase();
