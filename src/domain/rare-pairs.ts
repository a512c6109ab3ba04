/** Rarest words by which a text looks for others, and how many of them two texts must share. */
const RAREST = 6;
const SHARED = 2;
/** A word of more texts than this tells none of them from the others. */
const MOST_HOLDERS = 40;

/**
 * Pairs of texts that share at least two of their rarest words, each once, in order: candidates for
 * a closer look. The cost grows with the number of texts, not with its square: each is compared
 * with at most 240 others.
 * @param texts the words of each, each word once
 */
export function* rarePairs(
  texts: readonly (readonly string[])[],
): Iterable<readonly [number, number]> {
  const frequency = new Map<string, number>();
  for (const words of texts) {
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const count = (word: string): number => frequency.get(word) as number;
  const holders = new Map<string, number[]>();
  for (const [i, words] of texts.entries()) {
    const telling = words.filter((word) => count(word) > 1 && count(word) <= MOST_HOLDERS);
    const byRarity = (a: string, b: string): number => count(a) - count(b) || (a < b ? -1 : 1);
    const rarest = telling.length <= RAREST ? telling : telling.sort(byRarity).slice(0, RAREST);
    const met = new Map<number, number>();
    for (const word of rarest) {
      const known = holders.get(word);
      if (!known) holders.set(word, [i]);
      else {
        for (const other of known) met.set(other, (met.get(other) ?? 0) + 1);
        known.push(i);
      }
    }
    for (const [other, shared] of met) if (shared >= SHARED) yield [other, i];
  }
}
