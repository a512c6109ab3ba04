import { LociError } from '../../domain/errors.ts';
import { keptByWord } from '../../domain/text/by-word.ts';
import type { Tokens } from '../../ports/tokens.ts';

interface Encoding {
  countTokens(text: string, options?: { disallowedSpecial: Set<string> }): number;
}

/** The table of all tokens is a large one; that of known words is not. */
const KEPT = { most: 20_000, longest: 32 };

/** Special tokens in a memory are text like any other. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/**
 * The time that a run of one kind of character takes grows with the square of its length: a minute for
 * 300,000 letters without a blank. From this length on a run is taken in pieces, which may count a token
 * more or less at each cut.
 */
const LONG_RUN = /(?<![^\s\p{N}])[^\s\p{N}]{1000,}|(?<!\s)\s{1000,}/gu;
const RUN = 1000;
const PIECE = 500;

/** The text in parts that can be counted by themselves; nearly always it is one. */
function* partsOf(text: string): Iterable<string> {
  if (text.length < RUN) return yield text;
  let from = 0;
  for (const { index, 0: run } of text.matchAll(LONG_RUN)) {
    for (let at = index + PIECE; at < index + run.length; at += PIECE) {
      const isInPair = /[\udc00-\udfff]/.test(text.charAt(at));
      const end = isInPair ? at + 1 : at;
      yield text.slice(from, end);
      from = end;
    }
  }
  yield text.slice(from);
}

/** Counts with the tables of gpt-tokenizer, which load on the first `prepare`. */
export function o200kTokens(): Tokens {
  let countWord: ((word: string) => number) | undefined;
  let words: RegExp;
  const count = (text: string): number => {
    if (!countWord) throw new LociError('internal', 'the tokeniser was used before it was loaded');
    let tokens = 0;
    for (const part of partsOf(text)) {
      for (const word of part.match(words) ?? []) tokens += countWord(word);
    }
    return tokens;
  };
  return {
    async prepare() {
      if (countWord) return;
      const [encoding, { O200K_TOKEN_SPLIT_REGEX }] = await Promise.all([
        import('gpt-tokenizer/encoding/o200k_base') as unknown as Promise<Encoding>,
        import('gpt-tokenizer/encodingParams/constants'),
      ]);
      words = O200K_TOKEN_SPLIT_REGEX;
      // No token reaches over the end of a word, as the encoding divides a text into words.
      countWord = keptByWord((word) => encoding.countTokens(word, AS_TEXT), KEPT);
    },
    count,
    cut: (text, limit) => longest(text, (beginning) => count(beginning) <= limit),
  };
}

/** Characters that are tried first. */
const FIRST = 256;

/**
 * The longest beginning that fits, by bisection: the tokeniser decodes with a state that outlives a call,
 * so tokens are not turned back into text.
 */
function longest(text: string, fits: (beginning: string) => boolean): string {
  let most = FIRST;
  while (most < text.length && fits(text.slice(0, most))) most *= 2;
  if (most >= text.length && fits(text)) return text;
  let [least, over] = [0, Math.min(most, text.length)];
  while (over - least > 1) {
    const middle = (least + over) >> 1;
    if (fits(text.slice(0, middle))) least = middle;
    else over = middle;
  }
  const isInPair = /[\ud800-\udbff]/.test(text.charAt(least - 1));
  return text.slice(0, isInPair ? least - 1 : least);
}
