import type { Compared } from './conflict.ts';
import type { Memory } from './memory.ts';
import { piecesOf } from './text/analyse.ts';
import { denies } from './text/denial.ts';

/**
 * Groups of memories whose texts have the same words in the same order, but for case, punctuation,
 * endings and words that say nothing. Texts that are equal are no such group: they are duplicates.
 */
export function sameWords(compared: readonly Compared[]): readonly (readonly Memory[])[] {
  const roughly = groupBy(compared, ({ claims }) =>
    JSON.stringify(claims.map(({ words, values }) => [...words, ...values])),
  );
  // Most differ in the part that was read anyway; only the rest is read as a whole.
  return roughly
    .filter((group) => group.length > 1)
    .flatMap((group) =>
      groupBy(
        group.map(({ memory }) => memory),
        ({ body }) => JSON.stringify([denies(body), piecesOf(body).map(({ term }) => term)]),
      ),
    )
    .filter((group) => group.length > 1);
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return [...groups.values()];
}
