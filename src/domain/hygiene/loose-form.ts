/** Text whose lines, blanks or marks mean something: code, tables, indentation. */
const STRUCTURED = /```|~~~|^(?:[ \t]{2,}|\t)\S|^[ \t]*\|/m;
/** Lines that are kept apart: lists, headings, quotations. */
const LINES = /^[ \t]*(?:[-*+•]|\d+[.)]|#{1,6}|>)\s/m;

const LABEL =
  /^(?:(?:note|fyi|nb|reminder|remember)\s*:\s*|(?:please\s+)?(?:remember|note)\s+that\s+|[-*•]\s+)/i;
/** What a contraction stands for; `it's` may also be `it has`, and is then the same in both texts. */
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bcan(?:'t| not)\b/gi, 'cannot'],
  [/\bwon't\b/gi, 'will not'],
  [/(\p{L})n't\b/giu, '$1 not'],
  [/\b(it|that|there|what|here)'s\b/gi, '$1 is'],
  [/\b(we|you|they)'re\b/gi, '$1 are'],
  [/\bI'm\b/g, 'I am'],
];

/** Whether any of them may apply: asked of every text that is written. */
const CONTRACTED = /'|can not/i;
const STOPS = /[.\u3002\uFF0E!\uFF01]$/;

/**
 * A text without what can differ when the same claim is written down twice: blanks, a label such as
 * `Note:`, marks of emphasis, the shape of quotes, contractions, `the`, the capital of the first word,
 * the full stop at the end. Everything else stays, in its order: two texts of one loose form say the
 * same. Undefined for text in which blanks or lines carry meaning.
 */
export function looseForm(text: string): string | undefined {
  const body = text.normalize('NFC').replace(/\r\n?/g, '\n').trim();
  if (body === '' || STRUCTURED.test(body)) return undefined;
  let plain = body
    .replace(/[\u201C\u201D\u201E\u00AB\u00BB]/g, '"')
    .replace(/[\u2018\u2019\u02BC]/g, "'")
    .replace(/\*\*([^*\n]+)\*\*/g, '$1')
    .replace(LABEL, '');
  if (CONTRACTED.test(plain)) {
    for (const [pattern, whole] of CONTRACTIONS) plain = plain.replace(pattern, whole);
  }
  plain = plain.replace(/^The\s+(?=\S)|\bthe\s+(?=\S)/g, '');
  plain = LINES.test(plain)
    ? plain.replace(/[^\S\n]+/g, ' ').replace(/ ?\n[ \n]*/g, '\n')
    : plain.replace(/[^\S ]\s*| \s+/g, ' ');
  return withoutFullStop(plain)
    .trim()
    .replace(/^\p{Lu}(?=[\p{Ll}\s])/u, (capital) => capital.toLowerCase());
}

/** Looks at the end first: a pattern that ends there would be tried at every character. */
function withoutFullStop(text: string): string {
  let end = text.length;
  while (STOPS.test(text.slice(end - 1, end)) && isFullStop(text, end - 1)) end -= 1;
  return text.slice(0, end);
}

/** Behind a word an exclamation mark ends a sentence; behind a sign it may be an operator. */
function isFullStop(text: string, at: number): boolean {
  const isMark = text[at] === '!' || text[at] === '\uFF01';
  return !isMark || /\p{L}{3}$/u.test(text.slice(Math.max(0, at - 6), at));
}
