/** A text as a set of terms. */
export interface TermSet {
  readonly id: string;
  readonly terms: ReadonlySet<string>;
}

interface SimilarPair {
  /** Ids, the smaller one first. */
  readonly a: string;
  readonly b: string;
  /** Terms that both have ÷ terms of either (Jaccard), 0 to 1. */
  readonly likeness: number;
}

export interface SimilarPairs {
  readonly pairs: readonly SimilarPair[];
  /** Texts that were not compared with all that they might resemble: too many share a term. */
  readonly capped: number;
}

/** Texts kept for each term: with more that are so alike, the latest are compared. */
const POSTINGS = 50;

interface Text {
  readonly id: string;
  /** Terms as numbers, rarest first. */
  readonly terms: readonly number[];
  /** The text that it was a candidate for last: one is met again at each term that both have. */
  metBy?: Text;
}

/**
 * Pairs of texts whose sets of terms are at least so alike; a cheap likeness of words, not of meaning.
 * Two sets of that likeness share one of their rarest terms (prefix filtering; Bayardo, Ma, Srikant
 * 2007), so only the few that do are compared, and the work grows little faster than the texts.
 * The answer does not depend on the order they are given in.
 * @param threshold 0 to 1
 */
export function similarPairs(texts: readonly TermSet[], threshold: number): SimilarPairs {
  const ordered = numbered(texts).sort(
    (a, b) => a.terms.length - b.terms.length || (a.id < b.id ? -1 : 1),
  );
  const postings = new Map<number, Text[]>();
  const pairs: SimilarPair[] = [];
  let capped = 0;
  for (const text of ordered) {
    const { length } = text.terms;
    const prefix = text.terms.slice(0, length - Math.ceil(threshold * length) + 1);
    const candidates: Text[] = [];
    let isCapped = false;
    for (const term of prefix) {
      const list = postings.get(term);
      if (!list) {
        postings.set(term, [text]);
        continue;
      }
      for (const other of list) {
        if (other.metBy === text || other.terms.length < threshold * length) continue;
        other.metBy = text;
        candidates.push(other);
      }
      list.push(text);
      if (list.length <= POSTINGS) continue;
      list.shift();
      isCapped = true;
    }
    if (isCapped) capped += 1;
    for (const other of candidates) {
      const likeness = jaccard(text.terms, other.terms, threshold);
      if (likeness < threshold) continue;
      const [a, b] = text.id < other.id ? [text.id, other.id] : [other.id, text.id];
      pairs.push({ a, b, likeness });
    }
  }
  pairs.sort((x, y) => y.likeness - x.likeness || (`${x.a} ${x.b}` < `${y.a} ${y.b}` ? -1 : 1));
  return { pairs, capped };
}

/** Each term as its rank among all, the rarest 0: in the order of a text's numbers, rare ones lead. */
function numbered(texts: readonly TermSet[]): Text[] {
  const counts = new Map<string, number>();
  for (const { terms } of texts) {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const ranked = [...counts].sort(([a, m], [b, n]) => m - n || (a < b ? -1 : 1));
  const rank = new Map(ranked.map(([term], i) => [term, i]));
  return texts
    .filter(({ terms }) => terms.size > 0)
    .map(({ id, terms }) => {
      return {
        id,
        terms: [...terms].map((term) => rank.get(term) as number).sort((a, b) => a - b),
      };
    });
}

/** Of two lists in ascending order; 0 where it is less than a threshold. */
function jaccard(a: readonly number[], b: readonly number[], threshold: number): number {
  const least = (threshold / (1 + threshold)) * (a.length + b.length) - ROUNDING;
  let [i, j, shared] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    if (shared + Math.min(a.length - i, b.length - j) < least) return 0;
    const [x, y] = [a[i] as number, b[j] as number];
    if (x === y) shared += 1;
    if (x <= y) i += 1;
    if (y <= x) j += 1;
  }
  return shared / (a.length + b.length - shared);
}

const ROUNDING = 1e-9;
