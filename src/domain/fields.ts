import * as z from 'zod';
import type { LociError } from './errors.ts';
import { parseTime, stateMs, timeHint } from './time-expression.ts';
import { parseIso, toIso } from './time.ts';
import { UTC, zoneNamed } from './zone.ts';

/**
 * The lenient scalar types of every surface: command lines and agents send numbers, flags and
 * lists as text. Each publishes a plain JSON schema (no unions, no formats, no records).
 */

const asNumber = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : value;

export const number = (min: number, max: number) =>
  z.preprocess(asNumber, z.number(`must be a number from ${min} to ${max}`).min(min).max(max));

export const integer = (min: number, max: number) =>
  z.preprocess(
    asNumber,
    z.number(`must be a whole number from ${min} to ${max}`).int().min(min).max(max),
  );

/** `false` and `no` as text are false: never what JavaScript makes of a string. */
export const flag = () =>
  z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    const word = value.trim().toLowerCase();
    if (['true', 'yes', '1'].includes(word)) return true;
    return ['false', 'no', '0'].includes(word) ? false : value;
  }, z.boolean());

export const text = () => z.string();

export const word = () => z.string().trim().min(1, 'must not be empty');

const LONGEST_GLOB = 1000;

/** A glob of paths, see glob.ts; nobody writes a longer one by hand. */
export const glob = () =>
  word().refine(
    ({ length }) => length <= LONGEST_GLOB,
    `must have at most ${LONGEST_GLOB} characters`,
  );

/** A time as people and agents write it; it becomes definite with the moment and zone of asking. */
export const time = () =>
  z.string().transform((value, context) => {
    const expression = parseTime(value);
    if (expression) return expression;
    context.addIssue({ code: 'custom', message: timeHint(value) });
    return z.NEVER;
  });

/**
 * A time in a file that must mean the same whenever and wherever it is read: ISO 8601, in UTC when
 * it names no zone; normalised. @param edge which instant of a date alone is meant
 */
export const fixedTime = (edge: 'start' | 'end' = 'start') =>
  z.string().transform((value, context) => {
    const expression = parseIso(value) && parseTime(value);
    if (expression) {
      const moment = { nowMs: -Infinity, zone: UTC };
      return toIso(edge === 'end' ? stateMs(expression, moment) : expression(moment).startMs);
    }
    const message = 'Give ISO 8601, for example 2026-03-09 or 2026-03-09T16:00:00Z.';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** An IANA zone. */
export const zone = () =>
  z.string().transform((value, context) => {
    try {
      return zoneNamed(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as LociError).hint ?? '' });
      return z.NEVER;
    }
  });

/** A list of words: an array, a JSON array as text, or words with commas. */
export const words = () =>
  z.preprocess(wordsIn, z.array(z.string().trim().min(1, 'must not be empty')));

/** What `words` reads a value as, before it is checked. */
export function wordsIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.trimStart().startsWith('[')) return parseJson(value);
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A list of objects: an array, or a JSON array as text. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (typeof value === 'string' ? parseJson(value) : value), z.array(item));

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
