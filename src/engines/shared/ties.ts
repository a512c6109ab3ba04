import type { Scored } from './candidates.ts';

/** The best k of a search, of which the last places may still be open. */
export interface Ties {
  /** Those that have their place. */
  readonly sure: readonly Scored[];
  /** Documents of one score that tie for what is left; none where there is room for all. */
  readonly tied: readonly number[];
  readonly raw: number;
  /** Places for the tied ones, which go by their ids. */
  readonly places: number;
}

/** Texts of one make have one score by the thousand: only their ids tell which of them are wanted. */
export function tiesOf(best: readonly Scored[], k: number): Ties {
  if (best.length <= k) return { sure: best, tied: [], raw: 0, places: 0 };
  const least = best.reduce((raw, one) => Math.min(raw, one.raw), Infinity);
  const sure = best.filter(({ raw }) => raw > least);
  const tied = best.filter(({ raw }) => raw === least).map(({ doc }) => doc);
  return { sure, tied, raw: least, places: k - sure.length };
}

/** Scores by document number, once it is known which of the tied ones are wanted. */
export function settled({ sure, raw }: Ties, first: readonly number[]): Map<number, number> {
  const raws = new Map(sure.map((one) => [one.doc, one.raw]));
  for (const doc of first) raws.set(doc, raw);
  return raws;
}
