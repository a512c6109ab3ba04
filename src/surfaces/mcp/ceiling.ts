import { estimateTokens } from './tokens.ts';

/** What a host takes in one reply; the limits leave room for the error of the estimate. */
export interface Ceiling {
  /** Tokens of the text, and of the JSON. */
  readonly partTokens: number;
  /** Tokens of both together. */
  readonly totalTokens: number;
  readonly totalBytes: number;
}

/** Text and JSON together below 8,000 tokens: a host may show both to its model. */
export const USUAL: Ceiling = { partTokens: 7_300, totalTokens: 7_300, totalBytes: 78_000 };

/** Where the caller asked for that much in so many words: each of the two below 8,000. */
export const ASKED_FOR: Ceiling = { ...USUAL, totalTokens: 14_600 };

/** How many times too large a reply is: 1 or less fits. */
export function fullness(text: string, structured: object, ceiling: Ceiling): number {
  const json = JSON.stringify(structured);
  // The text travels as a JSON string.
  const bytes = Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(text));
  // A token has at least one byte; and what has too many bytes need not be counted.
  if (bytes <= ceiling.partTokens || bytes > 4 * ceiling.totalBytes) {
    return bytes / ceiling.totalBytes;
  }
  const [textTokens, jsonTokens] = [estimateTokens(text), estimateTokens(json)];
  return Math.max(
    bytes / ceiling.totalBytes,
    Math.max(textTokens, jsonTokens) / ceiling.partTokens,
    (textTokens + jsonTokens) / ceiling.totalTokens,
  );
}
