import type { Found } from './find.ts';

/** Candidates that are compared with each other: more than anybody reads. */
const COMPARED = 40;
/** Characters of a text that are compared; copies differ in size too. */
const COMPARED_CHARACTERS = 1000;
/** Words two texts share by chance; below it they count as different. */
const UNLIKE = 0.5;
/** From here on two texts are copies of each other, but for a word or two. */
const COPY = 0.9;
/** Copies of one thing that are shown: both sides of a contradiction, and no third. */
const MOST_COPIES = 2;

export interface Diversified {
  readonly kept: readonly Found[];
  /** Left out, with the id that says the same. */
  readonly copies: ReadonlyMap<string, string>;
}

/**
 * Maximal marginal relevance (Carbonell, Goldstein 1998): each next memory is the one with the most of
 * lambda × score − (1 − lambda) × likeness to those before it.
 * @param lambda 0 to 1: 1 keeps the order of the scores, 0 looks at likeness only
 */
export function diversify(found: readonly Found[], lambda: number): Diversified {
  const copies = new Map<string, string>();
  if (lambda >= 1 || found.length < 3) return { kept: found, copies };
  const waiting = found
    .slice(0, COMPARED)
    .map((one) => ({ one, words: wordsOf(one), likeness: 0 }));
  const taken: (typeof waiting)[number][] = [];
  while (waiting.length > 0) {
    let best = 0;
    const worth = ({ one, likeness }: (typeof waiting)[number]): number =>
      lambda * one.score - (1 - lambda) * likeness;
    for (let i = 1; i < waiting.length; i++) {
      if (worth(waiting[i]!) > worth(waiting[best]!)) best = i;
    }
    const [next] = waiting.splice(best, 1) as [(typeof waiting)[number]];
    const alike = taken.filter(({ words }) => overlap(words, next.words) >= COPY);
    const [original] = alike;
    if (original && alike.length >= MOST_COPIES) {
      copies.set(next.one.stored.memory.id, original.one.stored.memory.id);
      continue;
    }
    taken.push(next);
    for (const other of waiting) {
      const share = overlap(next.words, other.words);
      other.likeness = Math.max(other.likeness, Math.max(0, share - UNLIKE) / (1 - UNLIKE));
    }
  }
  return { kept: [...taken.map(({ one }) => one), ...found.slice(COMPARED)], copies };
}

function wordsOf({ stored: { memory } }: Found): ReadonlySet<string> {
  const text = `${memory.title ?? ''} ${memory.body.slice(0, COMPARED_CHARACTERS)}`.toLowerCase();
  return new Set(text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
}

/** Shared words ÷ words of both (Jaccard). */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size < UNLIKE * large.size) return 0;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared += 1;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}
