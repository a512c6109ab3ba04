/** Two active memories that lie far apart: what the one is filed under, the other is not. */
export interface Collision {
  readonly a: string;
  readonly b: string;
  /** 0 to 1: how active both are, times how far apart they lie. */
  readonly score: number;
  /** 0 to 1: 1 − the Jaccard index of their tags. */
  readonly dissimilarity: number;
}

export interface Tagged {
  readonly id: string;
  readonly activation: number;
  readonly tags: readonly string[];
}

/** Pairs that share more of their tags than this leaves are neighbours anyway. */
const LEAST_DISSIMILARITY = 0.7;

/**
 * Pairs of distant memories, best first, ties by id. The activation of a pair is the geometric mean of
 * both. A memory without tags lies nowhere, and is in no pair. Every pair is looked at: of some ten
 * memories that survived, never of a store.
 */
export function collisionsOf(active: readonly Tagged[], most: number): Collision[] {
  const placed = active
    .filter(({ tags }) => tags.length > 0)
    .map(({ id, activation, tags }) => ({ id, activation, tags: new Set(tags) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const pairs: Collision[] = [];
  for (const [i, a] of placed.entries()) {
    for (const b of placed.slice(i + 1)) {
      const dissimilarity = 1 - jaccard(a.tags, b.tags);
      if (dissimilarity <= LEAST_DISSIMILARITY) continue;
      const score = Math.sqrt(a.activation * b.activation) * dissimilarity;
      pairs.push({ a: a.id, b: b.id, score, dissimilarity });
    }
  }
  return pairs
    .sort((x, y) => y.score - x.score || compare(x.a, y.a) || compare(x.b, y.b))
    .slice(0, most);
}

/** Shared members ÷ all members. */
function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const tag of a) if (b.has(tag)) shared += 1;
  return shared / (a.size + b.size - shared);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
