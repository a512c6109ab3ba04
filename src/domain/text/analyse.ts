import type { Piece } from './piece.ts';
import { scan } from './scan.ts';

/** One term of a text. */
export interface Token {
  /** Stem of a word, pair of characters, or `=` and a whole identifier. */
  term: string;
  /**
   * Nothing that separates stands between it and the last token of the stream of words. Terms
   * beside the stream (wholes of identifiers, single characters) are never adjacent.
   */
  adjacent: boolean;
}

/**
 * Pieces of a text without stop words; of a text that has nothing else, the stop words, so that
 * a note that reads "AND" can be found.
 */
export function piecesOf(text: string): Piece[] {
  const pieces = scan(text);
  return pieces.length > 0 ? pieces : scan(text, true);
}

/**
 * Terms of a text, for the index. The only tokeniser: queries go through the same scan, so what
 * is stored and what is asked agree on every engine. Any string is accepted; text in NFC and in
 * NFD gives the same tokens.
 */
export function analyse(text: string): Token[] {
  return piecesOf(text).map(({ term, adjacent }) => ({ term, adjacent }));
}
