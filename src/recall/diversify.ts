import type { Memory } from '../domain/memory.ts';
import { EXACT } from '../domain/text/identifiers.ts';
import { piecesOf } from '../domain/text/analyse.ts';
import { denies } from '../domain/text/denial.ts';
import type { Found } from './candidate.ts';
import type { Trace } from './trace.ts';

/** Candidates that are compared with each other: more than anybody reads. */
const COMPARED = 50;
/** Characters of a text that are compared. */
const COMPARED_CHARACTERS = 1000;
/** Two memories on one subject share this much; only what is above it counts as likeness. */
const UNLIKE = 0.5;
/** From here on two texts say the same, but for a word or two. */
const COPY = 0.9;
/** The same, where one of them only adds words. */
const LONGER_COPY = 0.7;
/** Copies of one thing that are shown: both sides of a contradiction, and no third. */
const MOST_COPIES = 2;

/** A candidate whose text has been read. */
interface Read {
  readonly found: Found;
  readonly terms: ReadonlySet<string>;
  readonly denies: boolean;
  /** To the most similar memory that is taken. */
  likeness: number;
}

export interface Diversity {
  /** 0 to 1: 1 keeps the order of the scores and leaves copies in, 0 looks at likeness only. */
  readonly lambda: number;
  /** How many memories the caller reads at most. */
  readonly wanted: number;
}

/**
 * Maximal marginal relevance (Carbonell, Goldstein 1998): each next memory is the one with the most of
 * lambda × score − (1 − lambda) × likeness to those before it. A third copy of one thing goes.
 * Texts are read as they are needed: one that could not win however unlike it is stays unread.
 */
export function diversify(
  found: readonly Found[],
  { lambda, wanted }: Diversity,
  trace: Trace,
): readonly Found[] {
  if (lambda >= 1 || found.length < 2) return found;
  const reach = Math.min(found.length, COMPARED);
  const taken: Read[] = [];
  const open: Read[] = [];
  let next = 0;
  const worth = ({ found: { score }, likeness }: Read): number =>
    lambda * score - (1 - lambda) * likeness;
  while (taken.length < wanted && (open.length > 0 || next < reach)) {
    let best = indexOfBest(open, worth);
    while (next < reach) {
      const most = lambda * (found[next] as Found).score;
      if (best >= 0 && worth(open[best] as Read) >= most) break;
      const read = readOf(found[next] as Found);
      for (const other of taken) read.likeness = Math.max(read.likeness, excess(read, other));
      open.push(read);
      next += 1;
      best = indexOfBest(open, worth);
    }
    const [candidate] = open.splice(best, 1) as [Read];
    const copies = taken.filter((other) => isCopy(candidate, other));
    if (copies.length >= MOST_COPIES) {
      const { id, score } = candidate.found;
      trace.lose(id, { stage: 'copy', score, of: (copies[0] as Read).found.id });
      continue;
    }
    taken.push(candidate);
    for (const other of open) other.likeness = Math.max(other.likeness, excess(other, candidate));
  }
  const gone = new Set(taken.map(({ found: { id } }) => id));
  const rest = found.filter(({ id }) => !gone.has(id) && trace.lossOf(id) === undefined);
  return [...taken.map((read) => read.found), ...rest];
}

function indexOfBest(open: readonly Read[], worth: (read: Read) => number): number {
  let best = open.length > 0 ? 0 : -1;
  for (let i = 1; i < open.length; i++) {
    if (worth(open[i] as Read) > worth(open[best] as Read)) best = i;
  }
  return best;
}

function readOf(found: Found): Read {
  const { title = '', body }: Pick<Memory, 'title' | 'body'> = found.stored.memory;
  const text = `${title}\n${body.slice(0, COMPARED_CHARACTERS)}`;
  const terms = new Set(piecesOf(text).map(({ term }) => term));
  return { found, terms, denies: denies(text), likeness: 0 };
}

/** Terms that both hold, twice, ÷ terms of both (Dice). */
function likenessOf(a: Read, b: Read): number {
  const [small, large] = a.terms.size < b.terms.size ? [a.terms, b.terms] : [b.terms, a.terms];
  const all = small.size + large.size;
  if (all === 0 || (2 * small.size) / all < UNLIKE) return 0;
  let shared = 0;
  for (const term of small) if (large.has(term)) shared += 1;
  return (2 * shared) / all;
}

/** How far two memories are more alike than any two on one subject are, 0 to 1. */
function excess(a: Read, b: Read): number {
  return Math.max(0, (likenessOf(a, b) - UNLIKE) / (1 - UNLIKE));
}

/**
 * Whether two memories say the same in nearly the same words. Another number or identifier, a denial,
 * or one word in the place of another in a short text make it another claim.
 */
function isCopy(a: Read, b: Read): boolean {
  if (a.denies !== b.denies) return false;
  const likeness = likenessOf(a, b);
  if (likeness < LONGER_COPY) return false;
  const onlyA = [...a.terms].filter((term) => !b.terms.has(term));
  const onlyB = [...b.terms].filter((term) => !a.terms.has(term));
  if ([...onlyA, ...onlyB].some((term) => term.startsWith(EXACT) || /\d/.test(term))) return false;
  return likeness >= COPY || onlyA.length === 0 || onlyB.length === 0;
}
