import { piecesOf } from './analyse.ts';
import { fold } from './fold.ts';
import type { Piece } from './piece.ts';
import { DENSE_PAIRS, ENGLISH, FOREIGN, OPERATORS } from './stop-words.ts';

/** One term that a query asks for. */
interface QueryTerm {
  term: string;
  /** word; exact: the whole of an identifier; part: a piece of an identifier that is asked too. */
  kind: 'word' | 'exact' | 'part';
  /** The user's own word, for "coverage.unmatched". */
  surface: string;
}

export interface ParsedQuery {
  /** Unique, in the order of their first appearance; at most {@link MAX_TERMS}. */
  terms: QueryTerm[];
  /** Indices of terms that stood next to each other, in reading order. */
  pairs: [number, number][];
  /** The text as given. */
  text: string;
}

/** Terms past this many are left out: a pasted log file must not scan the whole index. */
export const MAX_TERMS = 256;
/** Characters read of a query. */
const MAX_CHARACTERS = 20_000;
/** Pairs lie among the first terms only: engines note terms and pairs of a document in 32 bits. */
const MAX_PAIR_TERMS = 32;
const MAX_PAIRS = 31;

/**
 * Reads what a user or an agent asks. No character is syntax and none fails: operators, quotes
 * and brackets of other search tools are text. A query of nothing but stop words asks for those;
 * one without any word (blank, punctuation) has no terms.
 */
export function parseQuery(text: string): ParsedQuery {
  const all = piecesOf(text.slice(0, MAX_CHARACTERS)).filter((piece) => piece.kind !== 'single');
  const pieces = withoutGrammar(all, text);
  const terms: QueryTerm[] = [];
  const at = new Map<string, number>();
  const pairs: [number, number][] = [];
  let previous = -1;
  for (const piece of pieces) {
    let index = at.get(piece.term);
    const kind = piece.kind as QueryTerm['kind'];
    if (index === undefined) {
      if (terms.length === MAX_TERMS) break;
      index = terms.push({ term: piece.term, kind, surface: piece.surface }) - 1;
      at.set(piece.term, index);
    } else if (terms[index]!.kind === 'part' && kind !== 'part') {
      terms[index]!.kind = kind;
    }
    if (!piece.inStream) continue;
    if (piece.adjacent && isNewPair(pairs, previous, index)) pairs.push([previous, index]);
    previous = index;
  }
  return { terms, pairs, text };
}

function isNewPair(pairs: [number, number][], first: number, second: number): boolean {
  if (first < 0 || first === second) return false;
  if (first >= MAX_PAIR_TERMS || second >= MAX_PAIR_TERMS || pairs.length >= MAX_PAIRS)
    return false;
  return !pairs.some(([a, b]) => a === first && b === second);
}

/** Takes out operators, and the function words of the query's language if it is not English. */
function withoutGrammar(pieces: Piece[], text: string): Piece[] {
  const foreign = languageOf(text);
  const kept = pieces.filter((piece) => {
    if (piece.kind !== 'word') return true;
    if (OPERATORS.has(piece.surface)) return false;
    if (DENSE_PAIRS.has(piece.term)) return false;
    return !foreign?.has(fold(piece.surface));
  });
  return kept.length > 0 ? kept : pieces;
}

/** Function words of the language that a query speaks; undefined for English or unknown. */
function languageOf(text: string): ReadonlySet<string> | undefined {
  const words = new Set((text.slice(0, 2000).match(/[\p{L}\p{M}]+/gu) ?? []).map(fold));
  const count = (list: ReadonlySet<string>): number => {
    let n = 0;
    for (const word of words) if (list.has(word)) n += 1;
    return n;
  };
  let best: ReadonlySet<string> | undefined;
  let most = Math.max(1, count(ENGLISH));
  for (const list of FOREIGN) {
    const n = count(list);
    if (n > most) [best, most] = [list, n];
  }
  return best;
}

/**
 * The user's words that a view does not know, for "coverage.unmatched". An identifier is known
 * only as a whole, any other word if one of its terms is.
 * @param df documents of the view that hold each of `query.terms`
 */
export function unmatchedWords(query: ParsedQuery, df: ArrayLike<number>): string[] {
  const found = new Map<string, boolean>();
  query.terms.forEach(({ kind, surface }, i) => {
    const exact = query.terms.some((term) => term.surface === surface && term.kind === 'exact');
    if (exact && kind !== 'exact') return;
    found.set(surface, (found.get(surface) ?? false) || df[i]! > 0);
  });
  return [...found].filter(([, known]) => !known).map(([surface]) => surface);
}
