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

/** Ids that are worth the same, of which any one will do, as the query names them. */
interface Labelled {
  readonly labels: readonly string[];
  readonly grade: number;
}

/**
 * @param storedIds the store's id by the set's; what is missing there was lost and is never found
 */
export function judge(query: EvalQuery, storedIds: ReadonlyMap<string, string>): Judgement {
  const stored = ({ labels, grade }: Labelled): Graded => ({
    ids: new Set(labels.flatMap((id) => storedIds.get(id) ?? [])),
    grade,
  });
  return {
    needs: needsOf(query).map((need) => stored(need).ids),
    graded: withoutTwins(relevantTo(query).map(stored)),
    forbidden: new Map(
      (query.forbidden ?? []).flatMap((id) => {
        const storedId = storedIds.get(id);
        return storedId === undefined ? [] : [[storedId, query.forbiddenWhy?.[id] ?? '']];
      }),
    ),
  };
}

/**
 * A need is a memory of grade 2 or more, or a group of equivalent ones; where no grade reaches 2,
 * every relevant memory is one.
 */
export function needsOf(query: EvalQuery): readonly Labelled[] {
  return relevantTo(query).filter(({ grade }) => grade >= neededGrade(query));
}

function relevantTo(query: EvalQuery): readonly Labelled[] {
  const groups = query.equivalent ?? [];
  const grouped = new Set(groups.flat());
  const single = gradesOf(query).filter(([id]) => !grouped.has(id));
  return [
    ...groups.map((labels) => {
      const grades = labels.map((id) => query.relevant[id] ?? neededGrade(query));
      return { labels, grade: Math.max(...grades) };
    }),
    ...single.map(([id, grade]) => ({ labels: [id], grade })),
  ];
}

function neededGrade(query: EvalQuery): number {
  return gradesOf(query).some(([, grade]) => grade >= 2) ? 2 : 1;
}

function gradesOf({ relevant }: EvalQuery): [string, number][] {
  return Object.entries(relevant).filter(([, grade]) => grade > 0);
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
