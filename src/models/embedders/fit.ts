import { sanitiseText } from '../../domain/sanitise.ts';
import type { RequestLimits } from './provider.ts';

/** What stands for a text without a word, which many servers refuse. */
const BLANK = '(empty)';

/**
 * Tokens of a text, rather too many than too few: no two models count alike, and a text that is a
 * little too short is better than a refused one.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const character of text) tokens += tokensOf(character.codePointAt(0) as number);
  return Math.ceil(tokens);
}

function tokensOf(code: number): number {
  if (code <= 0x20) return 0.1;
  if (code < 0x80) return isAlphanumeric(code) ? 0.4 : 1;
  if (code < 0x3000) return 1;
  return code < 0x10000 ? 1.5 : 4;
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** The beginning of a text within so many estimated tokens, up to the end of a word if there is one. */
export function cutToTokens(text: string, limit: number): string {
  let tokens = 0;
  let end = 0;
  for (const character of text) {
    tokens += tokensOf(character.codePointAt(0) as number);
    if (tokens > limit) return atWordEnd(text, end);
    end += character.length;
  }
  return text;
}

function atWordEnd(text: string, end: number): string {
  const cut = text.slice(0, end);
  if (/\s/.test(text[end] ?? ' ')) return cut;
  const words = /^(.*\S)\s+\S*$/s.exec(cut)?.[1];
  return words !== undefined && words.length > end / 2 ? words : cut;
}

/** A text as a provider gets it: clean, never blank, with its prefix, within the model's limit. */
export function fitText(text: string, prefix: string, inputTokens: number): string {
  const clean = sanitiseText(text).text;
  const said = /\S/.test(clean) ? clean : BLANK;
  return prefix + cutToTokens(said, Math.max(1, inputTokens - estimateTokens(prefix)));
}

/** Splits texts into requests, in order; each has at least one text. */
export function batchesOf(
  texts: readonly string[],
  limits: RequestLimits,
): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let current: string[] = [];
  let tokens = 0;
  for (const text of texts) {
    const more = estimateTokens(text);
    if (current.length > 0 && (current.length >= limits.texts || tokens + more > limits.tokens)) {
      batches.push(current);
      current = [];
      tokens = 0;
    }
    current.push(text);
    tokens += more;
  }
  if (current.length > 0) batches.push(current);
  return batches;
}
