import type { Tokens } from '../ports/tokens.ts';

/** Counts every four characters as a token: small numbers to reckon with, and no tables. */
export const testTokens: Tokens = {
  prepare: () => Promise.resolve(),
  count: (text) => Math.ceil(text.length / 4),
  cut: (text, limit) => text.slice(0, limit * 4),
};
