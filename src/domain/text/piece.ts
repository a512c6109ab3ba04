/** One term of a text, with what index and query need to know about it. */
export interface Piece {
  term: string;
  /**
   * word: an ordinary word. exact: the whole of an identifier. part: a word or a name inside an
   * identifier, or inside a word with capitals. single: one character of a longer dense run.
   */
  kind: 'word' | 'exact' | 'part' | 'single';
  /** Belongs to the stream of words; the others stand beside it and have no neighbours. */
  inStream: boolean;
  /** Nothing but spaces and stop words stands between it and the piece before it in the stream. */
  adjacent: boolean;
  /** The text it came from. */
  surface: string;
}
