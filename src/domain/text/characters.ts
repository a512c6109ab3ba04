/**
 * What a character is to the tokeniser. A table instead of regular expressions: every
 * character of every memory passes here.
 */
export const Class = {
  /** Ends a word and a run of adjacent words: sentence marks, brackets, controls. */
  gap: 0,
  /** Ends a word only. */
  space: 1,
  letter: 2,
  digit: 3,
  /** Holds the parts of an identifier together when it stands inside one. */
  joiner: 4,
  apostrophe: 5,
  /** Scripts that write words without spaces between them, and Hangul, whose particles stick. */
  dense: 6,
  emoji: 7,
} as const;

const JOINERS = '-_./\\:@#+';
const APOSTROPHES = "'\u2019\u02bc";
const SOFT = '\t "`*~\u00a0\u201c\u201d\u00ab\u00bb\u2018';

const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\u30fc\u3005]/u;
const WORD = /[\p{L}\p{N}\p{M}]/u;
const LETTER = /[\p{L}\p{M}]/u;
const EMOJI = /\p{Extended_Pictographic}/u;

/** Classes of the basic plane, filled as characters are met. */
const UNKNOWN = 255;
const table = new Uint8Array(0x10000).fill(UNKNOWN);

function classify(point: number): number {
  const char = String.fromCodePoint(point);
  if (JOINERS.includes(char)) return Class.joiner;
  if (APOSTROPHES.includes(char)) return Class.apostrophe;
  if (SOFT.includes(char)) return Class.space;
  if (WORD.test(char)) {
    if (DENSE.test(char)) return Class.dense;
    return LETTER.test(char) ? Class.letter : Class.digit;
  }
  if (EMOJI.test(char)) return Class.emoji;
  return Class.gap;
}

/** Class of a code point. Lone surrogates are gaps. */
export function classOf(point: number): number {
  if (point > 0xffff) return classify(point);
  const known = table[point]!;
  if (known !== UNKNOWN) return known;
  return (table[point] = classify(point));
}

/** Class of the character at an index. */
export function classAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return classOf(isSurrogate(unit) ? text.codePointAt(index)! : unit);
}

/** UTF-16 units of the character at an index. */
export function widthAt(text: string, index: number): number {
  return isSurrogate(text.charCodeAt(index)) && text.codePointAt(index)! > 0xffff ? 2 : 1;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xe000;
