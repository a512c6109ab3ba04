import type { EvalQuery } from '../domain/eval-set.ts';
import type { EvalScores, EvalSummary } from '../domain/evaluation.ts';
import { byMetric } from './by-metric.ts';
import { meanOf, rounded } from './metrics.ts';

/** Questions about what never happened: counted by kind, left out of the totals. */
const ADVERSARIAL = 'adversarial';

interface Row {
  readonly query: Pick<EvalQuery, 'kind'>;
  readonly scores: EvalScores;
}

export function summarise(rows: readonly Row[]): EvalSummary {
  const shape = rows[0]?.scores;
  const { counted, kinds } = byKind(rows, ({ query }) => query.kind);
  return {
    queries: counted.length,
    ...means(counted, shape),
    by_kind: Object.fromEntries(
      kinds.map(([kind, ofKind]) => [kind, { n: ofKind.length, ...means(ofKind, shape) }]),
    ),
  };
}

/** The rows of the totals, and those of each kind, by its name. */
export function byKind<T>(
  rows: readonly T[],
  kindOf: (row: T) => string | null | undefined,
): { counted: readonly T[]; kinds: readonly (readonly [string, readonly T[]])[] } {
  const names = [...new Set(rows.flatMap((row) => kindOf(row) ?? []))].sort();
  return {
    counted: rows.filter((row) => kindOf(row) !== ADVERSARIAL),
    kinds: names.map((name) => [name, rows.filter((row) => kindOf(row) === name)]),
  };
}

function means(rows: readonly Row[], shape: EvalScores | undefined): EvalScores {
  return byMetric(shape, (pick) => rounded(meanOf(rows.map(({ scores }) => pick(scores)))));
}
