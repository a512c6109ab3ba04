import * as z from 'zod';
import { LociError, quote } from './errors.ts';

/** `maxTokens` as the wire, the command line and every message spell it: `max_tokens`. */
export function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `max_tokens` or `max-tokens` as the library spells it: `maxTokens`. */
export function camelCase(key: string): string {
  return key.replace(/[_-]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Renames the top-level keys of a wire object to the library's spelling. */
export function camelKeys(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [camelCase(key), value]));
}

/**
 * Parses a caller's input, once, at the door.
 * @throws LociError invalid_input that names the field, the value and what is accepted.
 */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown, what: string): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  throw describeIssue(issue, input, what, known);
}

/** What the library says of a value of another kind, where a field says nothing of its own. */
const EXPECTED = /^Invalid input: expected (\w+), received \w+$/;

const KINDS: Readonly<Record<string, string>> = {
  string: 'must be text',
  boolean: 'must be true or false',
  number: 'must be a number',
  array: 'must be a list',
  object: 'must be an object',
};

function describeIssue(
  issue: z.core.$ZodIssue | undefined,
  input: unknown,
  what: string,
  knownKeys: readonly string[],
): LociError {
  if (!issue) return new LociError('invalid_input', `${what} is not valid`);
  const path = issue.path.map(String).map(snakeCase).join('.');
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map(snakeCase);
    // Surfaces spell a key as the wire does; in the library, that very spelling may be the mistake.
    const spelled = knownKeys.find((key) => snakeCase(key) === keys[0]);
    const known = spelled ?? nearestOf(keys[0] ?? '', knownKeys.map(snakeCase));
    return new LociError(
      'invalid_input',
      `${what} has an unknown key: ${keys.map((key) => quote(key)).join(', ')}`,
      known ? `Did you mean ${quote(known)}?` : 'Leave it out, or put it into details.',
    );
  }
  const value = valueAt(input, issue.path);
  const field = path === '' ? what : `${what}: ${path}`;
  if (value === undefined) {
    return new LociError('invalid_input', `${field} is missing`, `Give ${path || 'it'}.`);
  }
  if (issue.code === 'invalid_value') {
    const accepted = issue.values.map(String);
    const meant = nearestOf(String(value), accepted);
    return new LociError(
      'invalid_input',
      `${field} is ${quote(value)}: must be one of ${accepted.join(', ')}`,
      meant && `Did you mean ${quote(meant)}?`,
    );
  }
  const said = KINDS[(issue.message.match(EXPECTED) ?? [])[1] ?? ''] ?? issue.message;
  return new LociError('invalid_input', `${field} is ${quote(value)}: ${said}`);
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  return value;
}

/** The candidate with the smallest edit distance, if it is near enough to be a slip. */
export function nearestOf(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    // Each letter more or less is an edit: a page of text is compared with nothing.
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Levenshtein distance with swaps of neighbours counted as one edit. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + cost,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      }
      current.push(edits);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
