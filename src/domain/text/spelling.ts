import { fold } from './fold.ts';
import { parseQuery, type ParsedQuery } from './query.ts';
import { termOf } from './stem.ts';

/** Shorter words have too many neighbours that mean something else. */
const LEAST_LETTERS = 5;
const PLAIN = new RegExp(`^[a-z]{${LEAST_LETTERS},24}$`);
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Words of one question that are looked at: a pasted log is no misspelt question. */
const MOST_WORDS = 6;

/** A word as it was written and the one it is read as. */
export interface Respelling {
  readonly from: string;
  readonly to: string;
}

/** Words of a question that may be misspelt: plain ones that no memory of the view holds, folded. */
export function doubtfulWords(
  { terms }: ParsedQuery,
  documentFrequency: ArrayLike<number>,
): string[] {
  const doubtful = terms
    .filter(({ kind }, i) => kind === 'word' && documentFrequency[i] === 0)
    .map(({ surface }) => fold(surface))
    .filter((word) => PLAIN.test(word));
  return [...new Set(doubtful)].slice(0, MOST_WORDS);
}

/**
 * What a word may have been meant to be: one letter left out, put in, replaced or swapped with its
 * neighbour (Damerau 1964: four slips in five are one of these). The first letter is seldom wrong and
 * stays.
 */
export function nearSpellings(word: string): Set<string> {
  const near = new Set<string>();
  for (let at = 1; at <= word.length; at++) {
    const head = word.slice(0, at);
    const tail = word.slice(at);
    const rest = tail.slice(1);
    for (const letter of LETTERS) near.add(head + letter + tail);
    if (tail === '') continue;
    near.add(head + rest);
    for (const letter of LETTERS) near.add(head + letter + rest);
    if (rest !== '') near.add(head + tail.charAt(1) + tail.charAt(0) + rest.slice(1));
  }
  near.delete(word);
  return near;
}

/** The terms of some spellings, each with the first spelling that has it. */
export function spellingsByTerm(spellings: Iterable<string>): Map<string, string> {
  const byTerm = new Map<string, string>();
  for (const spelling of spellings) {
    const term = termOf(spelling);
    if (term !== '' && !byTerm.has(term)) byTerm.set(term, spelling);
  }
  return byTerm;
}

/** The question as it was meant. */
export function respell({ text }: ParsedQuery, respellings: readonly Respelling[]): ParsedQuery {
  const byWord = new Map(respellings.map(({ from, to }) => [from, to]));
  return parseQuery(text.replace(/[\p{L}\p{M}]+/gu, (word) => byWord.get(fold(word)) ?? word));
}
