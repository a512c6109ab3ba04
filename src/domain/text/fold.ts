/** Anything outside ASCII. */
const FOREIGN = /[^\0-\x7f]/;
/** Combining accents of Latin, Greek and Cyrillic, Hebrew points, Arabic marks and tatweel. */
const ACCENTS = /[\u0300-\u036f]|[\u0591-\u05c2]|\u0640|[\u064b-\u065f]|\u0670/g;
/** Soft hyphens, joiners, variation selectors: they change how a word looks, not which it is. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}]/gu;
/** They separate words, though by themselves or after NFKC they would not seem to. */
const SEPARATORS = /[™℠\u200b]/g;
/** Letters that Unicode does not decompose, though people type them without the stroke. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ς: 'σ',
};
const SPECIAL = /[ßæœøđðþłıħς]/g;

const isAscii = (text: string): boolean => !FOREIGN.test(text);

/**
 * Text in the one form that is analysed: NFKC, so that composed, decomposed, full-width and
 * ligature forms agree. Trade marks go first, else `Loci™` would become `LociTM`.
 */
export function normalise(text: string): string {
  return isAscii(text)
    ? text
    : text.replace(SEPARATORS, ' ').replace(INVISIBLE, '').normalize('NFKC');
}

/** A word without case and accents: `Straße` and `STRASSE` are both `strasse`. */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(ACCENTS, '')
    .replace(SPECIAL, (letter) => LETTERS[letter]!)
    .normalize('NFC');
}
