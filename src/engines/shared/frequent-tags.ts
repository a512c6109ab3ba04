const MOST = 200;

/** The most frequent of some counted tags; of equally frequent ones those that come first by name. */
export function frequentTags(counts: Readonly<Record<string, number>>): Record<string, number> {
  const ranked = Object.entries(counts).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return Object.fromEntries(ranked.slice(0, MOST));
}
