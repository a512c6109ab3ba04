import { fold } from './fold.ts';
import { stem } from './stem.ts';

/** Prefix of the terms that stand for whole identifiers, so that they meet no ordinary word. */
export const EXACT = '=';

/** Longest term of an identifier, in characters; the rest of a longer one is not compared. */
const MAX_TERM = 120;

/** Most names inside one name that are kept. */
const MAX_NAMES = 12;

/** What a chunk of letters, digits and joiners says. */
export interface Compound {
  /** Terms of the chunk and of the names inside it, the chunk first. */
  readonly names: readonly string[];
  /** Its plain words, unfolded, in order. */
  readonly parts: readonly string[];
  /** It names one thing (path, version, ticket), unlike `long-term`, `and/or`, `6-month`. */
  readonly identifier: boolean;
}

const SPECIFIC = /[\d_\\@#]|::|[\p{L}\d]\.[\p{L}\d]|^\.|\/.*\/|\p{Ll}\p{Lu}/u;
const NUMERIC = /^v?\d+(?:[.\-:/]\d+)*$/i;
const VERSION = /^v?(\d+(?:\.\d+)+)(?![\d.])/i;
const QUANTITY = /^\d+(?:-\p{L}+)+$/u;
const JOINERS = /[-_./\\:@#+]+/;

/** Where a name is split, level by level: of `src/my-app/main.ts`, `my-app` can be asked too. */
const LEVELS = [/[/\\@#:]+/, /[-+]+/, /\.+/];

const exact = (name: string): string => EXACT + fold(name.slice(0, MAX_TERM));

/**
 * The names of a store come again and again, as its words do (stem.ts). Long ones are not kept:
 * they seldom return, and they would make the memory large.
 */
const LIMIT = 10_000;
const MAX_KEPT = 64;
const known = new Map<string, Compound>();

/** Reads a chunk that holds joiners between letters or digits. */
export function readCompound(chunk: string): Compound {
  const before = known.get(chunk);
  if (before) return before;
  if (chunk.length > MAX_KEPT) return compoundOf(chunk);
  // A part of a text would keep the whole text in memory; this is a copy of the part.
  const copy = ` ${chunk}`.slice(1);
  const compound = compoundOf(copy);
  if (known.size >= LIMIT) known.clear();
  known.set(copy, compound);
  return compound;
}

function compoundOf(chunk: string): Compound {
  const names = new Set([exact(chunk)]);
  let rest = [chunk];
  for (const level of LEVELS) {
    rest = rest.flatMap((name) => name.split(level)).filter(Boolean);
    for (const name of rest)
      if (names.size < MAX_NAMES && /[-.+_]/.test(name)) names.add(exact(name));
  }
  const version = VERSION.exec(chunk)?.[1];
  if (version) for (const line of releaseLines(version)) names.add(exact(line));

  const numeric = NUMERIC.test(chunk);
  const parts = chunk.split(JOINERS).filter(Boolean);
  return {
    names: [...names],
    // The 1 and the 9 of 1.9 would match every list; a year or a day of the month is worth a word.
    parts: numeric ? parts.filter((part) => /^[1-9]\d+$/.test(part)) : parts,
    identifier:
      SPECIFIC.test(chunk) && !QUANTITY.test(chunk) && (!numeric || version !== undefined),
  };
}

/** `1.10.2` is also `1.10`: people ask for a release line. At most four numbers are read. */
function releaseLines(version: string): string[] {
  const numbers = version.split('.').slice(0, 4);
  return numbers.slice(1).map((_, i) => numbers.slice(0, i + 2).join('.'));
}

/** What a run of letters and digits says. */
export interface Run {
  term: string;
  /** Words inside it: `userService` holds user and service, `sha256` holds sha and 256. */
  parts: string[];
  /** See {@link Compound.identifier}. */
  identifier: boolean;
}

const CAMEL = /\p{Ll}\p{Lu}/u;
const HUMP = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\d+/gu;
const AMOUNT = /^(\d+)(\p{L}{1,4})$/u;
const ORDINAL = /^(?:st|nd|rd|th)$/i;
const NUMBERED = /^(\p{L}{2,})(\d+)$/u;

/** Reads a run without joiners that is no plain word: capitals inside, or letters and digits. */
export function readRun(whole: string): Run {
  const run = whole.slice(0, MAX_TERM);
  const term = stem(fold(run));
  if (CAMEL.test(run)) {
    const parts = (run.match(HUMP) ?? []).filter((hump) => hump.length > 1);
    // GitHub and JavaScript are words; createUser and BaseModelFactory name one thing.
    return { term, parts, identifier: /^\p{Ll}{2}/u.test(run) || parts.length > 2 };
  }
  if (!/\d/.test(run) || /^\d+$/.test(run)) return { term, parts: [], identifier: false };
  const [, amount, unit] = AMOUNT.exec(run) ?? [];
  if (amount !== undefined && unit !== undefined) {
    return { term, parts: ORDINAL.test(unit) ? [amount] : [amount, unit], identifier: false };
  }
  // Codes and hashes: E11000, a1b2c3d. Two characters (v2, q3) are too common to name a thing.
  const numbered = NUMBERED.exec(run);
  return { term, parts: numbered ? numbered.slice(1) : [], identifier: run.length > 2 };
}
