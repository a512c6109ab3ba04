import type { EvalQuery } from '../domain/eval-set.ts';
import type { Graded, Need } from './metrics.ts';

/** What should come back for a query, by the store's ids. */
export interface Judgement {
  /** Empty: there is no answer. */
  readonly needs: readonly Need[];
  readonly graded: readonly Graded[];
  /** Forbidden ids with why they are. */
  readonly forbidden: ReadonlyMap<string, string>;
}

/**
 * A need is a memory of grade 2 or more, or a group of equivalent ones; where no grade reaches 2,
 * every relevant memory is one.
 * @param storedIds the store's id by the set's; what is missing there was lost and is never found
 */
export function judge(query: EvalQuery, storedIds: ReadonlyMap<string, string>): Judgement {
  const relevant = Object.entries(query.relevant).filter(([, grade]) => grade > 0);
  const needed = relevant.some(([, grade]) => grade >= 2) ? 2 : 1;
  const groups = query.equivalent ?? [];
  const grouped = new Set(groups.flat());
  const stored = (ids: readonly string[]): Need =>
    new Set(ids.flatMap((id) => storedIds.get(id) ?? []));
  const gradeOf = (ids: readonly string[]): number =>
    Math.max(...ids.map((id) => query.relevant[id] ?? needed));
  const units = [
    ...groups.map((ids) => ({ ids: stored(ids), grade: gradeOf(ids) })),
    ...relevant
      .filter(([id]) => !grouped.has(id))
      .map(([id, grade]) => ({ ids: stored([id]), grade })),
  ];
  return {
    needs: units.filter(({ grade }) => grade >= needed).map(({ ids }) => ids),
    graded: withoutTwins(units),
    forbidden: new Map(
      (query.forbidden ?? []).flatMap((id) => {
        const storedId = storedIds.get(id);
        return storedId === undefined ? [] : [[storedId, query.forbiddenWhy?.[id] ?? '']];
      }),
    ),
  };
}

/** Two ids that became one memory cannot be found twice: the better grade stays. */
function withoutTwins(units: readonly Graded[]): Graded[] {
  const best = [...units].sort((a, b) => b.grade - a.grade);
  const seen = new Set<string>();
  return best.filter(({ ids }) => {
    const isTwin = ids.size > 0 && [...ids].every((id) => seen.has(id));
    for (const id of ids) seen.add(id);
    return !isTwin;
  });
}
