/**
 * Retrieval metrics. `ranked` are distinct ids, best first. A *need* is a set of ids of which any
 * one will do.
 */

export type Need = ReadonlySet<string>;

/** Share of the needs that the first `k` meet. */
export function recallAt(ranked: readonly string[], needs: readonly Need[], k: number): number {
  return metBy(ranked.slice(0, k), needs) / needs.length;
}

/** 1 when the first `k` meet every need, else 0. */
export function allAt(ranked: readonly string[], needs: readonly Need[], k: number): number {
  return metBy(ranked.slice(0, k), needs) === needs.length ? 1 : 0;
}

/** 1 when the first `k` meet at least one need, else 0. */
export function anyAt(ranked: readonly string[], needs: readonly Need[], k: number): number {
  return metBy(ranked.slice(0, k), needs) > 0 ? 1 : 0;
}

function metBy(found: readonly string[], needs: readonly Need[]): number {
  return needs.filter((need) => found.some((id) => need.has(id))).length;
}

/** 1 / rank of the first id that meets a need; 0 past `depth`. */
export function reciprocalRank(
  ranked: readonly string[],
  needs: readonly Need[],
  depth: number,
): number {
  const index = firstAnswer(ranked, needs);
  return index < depth ? 1 / (index + 1) : 0;
}

/** Position of the first id that meets a need, from 0; Infinity when none does. */
export function firstAnswer(ranked: readonly string[], needs: readonly Need[]): number {
  const index = ranked.findIndex((id) => needs.some((need) => need.has(id)));
  return index < 0 ? Infinity : index;
}

/** Ids that are worth the same: finding one of them earns the grade, once. */
export interface Graded {
  readonly ids: Need;
  readonly grade: number;
}

/**
 * Normalised discounted cumulative gain with the grade as gain and log2(rank + 1) as discount
 * (Järvelin and Kekäläinen 2002).
 */
export function ndcgAt(ranked: readonly string[], graded: readonly Graded[], k: number): number {
  const open = new Set(graded);
  const gains = ranked.slice(0, k).map((id) => {
    const hit = [...open].find(({ ids }) => ids.has(id));
    if (!hit) return 0;
    open.delete(hit);
    return hit.grade;
  });
  const best = graded
    .map(({ grade }) => grade)
    .sort((a, b) => b - a)
    .slice(0, k);
  const ideal = discounted(best);
  return ideal === 0 ? 0 : discounted(gains) / ideal;
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
}

/** The ids before the first answer, among the first `depth`. */
export function aheadOfAnswer(
  ranked: readonly string[],
  needs: readonly Need[],
  depth: number,
): readonly string[] {
  return ranked.slice(0, Math.min(firstAnswer(ranked, needs), depth));
}

/** Mean of the numbers that are there; null when none is. */
export function meanOf(values: readonly (number | null)[]): number | null {
  const counted = values.filter((value) => value !== null);
  if (counted.length === 0) return null;
  return counted.reduce((sum, value) => sum + value, 0) / counted.length;
}

/** The smallest value that at least `share` of all do not exceed (nearest rank). */
export function percentileOf(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/** Four digits: more would be noise. A number and its negative are rounded alike. */
export function rounded<T extends number | null>(value: T): T {
  if (value === null) return value;
  return ((Math.sign(value) * Math.round(Math.abs(value) * 10_000)) / 10_000 + 0) as T;
}
