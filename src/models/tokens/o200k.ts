import { LociError } from '../../domain/errors.ts';
import type { Tokens } from '../../ports/tokens.ts';

interface Encoding {
  encode(text: string, options?: { disallowedSpecial: Set<string> }): number[];
  decode(tokens: number[]): string;
  countTokens(text: string, options?: { disallowedSpecial: Set<string> }): number;
}

/** Special tokens in a memory are text like any other. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Counts with the tables of gpt-tokenizer, which load on the first `prepare`. */
export function o200kTokens(): Tokens {
  let encoding: Encoding | undefined;
  const loaded = (): Encoding => {
    if (encoding) return encoding;
    throw new LociError('internal', 'the tokeniser was used before it was loaded');
  };
  return {
    async prepare() {
      encoding ??= (await import('gpt-tokenizer/encoding/o200k_base')) as unknown as Encoding;
    },
    count: (text) => loaded().countTokens(text, AS_TEXT),
    cut(text, limit) {
      const tokens = loaded().encode(text, AS_TEXT);
      if (tokens.length <= limit) return text;
      // A token may end in the middle of a character; what is left of it is no text.
      return loaded()
        .decode(tokens.slice(0, limit))
        .replace(/\uFFFD+$/, '');
    },
  };
}
