import type { Result } from './text.ts';

/** Ids, names and reasons are shorter than this. */
const SHORT = 250;

/** Strings that mean nothing when they are cut. */
const WHOLE: ReadonlySet<string> = new Set(['id', 'next_cursor', 'state_hash', 'store']);

export interface Shortened {
  readonly result: Result;
  /** What was left out, and how to get at it. */
  readonly notes: readonly string[];
}

/**
 * Takes about as much from a result as makes it `fullness` times smaller: first from its longest
 * texts, then, when all of them are short, from its longest lists. Undefined when neither is left.
 * @param short texts of up to this length are not cut
 */
export function shorten(result: Result, fullness: number, short = SHORT): Shortened | undefined {
  const factor = 0.9 / fullness;
  const longest = longestOf(result, (value) => (typeof value === 'string' ? value.length : 0));
  if (longest > short) {
    const notes = new Set<string>();
    const limit = Math.max(short, Math.floor(longest * factor));
    return { result: cutTexts(result, limit, notes), notes: [...notes] };
  }
  const items = longestOf(result, (value) => (Array.isArray(value) ? value.length : 0));
  if (items <= 1) return undefined;
  const notes = new Set<string>();
  const limit = Math.max(1, Math.floor(items * factor));
  return { result: cutLists(result, limit, notes), notes: [...notes] };
}

function longestOf(value: unknown, lengthOf: (value: unknown) => number, key = ''): number {
  if (WHOLE.has(key)) return 0;
  if (typeof value !== 'object' || value === null) return lengthOf(value);
  const inside = Object.entries(value).map(([name, item]) => longestOf(item, lengthOf, name));
  return inside.reduce((most, length) => Math.max(most, length), lengthOf(value));
}

function cutTexts(result: Result, limit: number, notes: Set<string>): Result {
  return mapObject(result, (key, value, owner) => {
    if (typeof value !== 'string' || value.length <= limit || WHOLE.has(key)) return value;
    if (['body', 'text'].includes(key) && typeof owner.id === 'string') owner.truncated = true;
    else notes.add(`"${key}" is cut at ${limit} characters`);
    return cutText(value, limit);
  });
}

/** The first `limit` UTF-16 units, or one less where that would split a character. */
export function cutText(text: string, limit: number): string {
  return text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
}

function cutLists(result: Result, limit: number, notes: Set<string>): Result {
  return mapObject(result, (key, value) => {
    if (!Array.isArray(value) || value.length <= limit) return value;
    notes.add(`"${key}" shows ${limit} of ${value.length}`);
    return key === 'history' ? value.slice(-limit) : value.slice(0, limit);
  });
}

type Change = (key: string, value: unknown, owner: Record<string, unknown>) => unknown;

/** A copy with every member changed; `change` may add keys to the object that owns the member. */
function mapObject(object: Result, change: Change): Result {
  const copy: Record<string, unknown> = { ...object };
  for (const [key, value] of Object.entries(object)) copy[key] = walk(key, value, copy);
  return copy;

  function walk(key: string, value: unknown, owner: Record<string, unknown>): unknown {
    const changed = change(key, value, owner);
    if (Array.isArray(changed)) return changed.map((item) => walk('', item, owner));
    if (typeof changed !== 'object' || changed === null) return changed;
    return mapObject(changed as Result, change);
  }
}
