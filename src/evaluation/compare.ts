import type { ChangedQuery, Comparison, Difference, Differences } from '../domain/comparison.ts';
import { LociError } from '../domain/errors.ts';
import type { EarlierAnswer, EvalScores } from '../domain/evaluation.ts';
import { BOOTSTRAP, bootstrapInterval } from './bootstrap.ts';
import { byMetric, type Metric } from './by-metric.ts';
import { meanOf, rounded } from './metrics.ts';
import { byKind } from './summarise.ts';

const CHANGED = 10;

/** Metrics that count faults: less is better. */
const FAULTS: ReadonlySet<Metric> = new Set([
  'forbidden_ahead',
  'forbidden_ahead_unmarked',
  'no_answer_false_positive',
  'no_answer_forbidden_shown',
  'leak10',
]);

interface Pair {
  readonly before: EarlierAnswer;
  readonly after: EarlierAnswer;
}

/**
 * Compares two runs, query by query: what one run finds hard is hard for the other one too, and only
 * the differences tell them apart. Kinds are those of the later run.
 * @throws LociError invalid_input when no query is in both
 */
export function compare(
  before: readonly EarlierAnswer[],
  after: readonly EarlierAnswer[],
): Comparison {
  const { pairs, warnings } = pair(before, after);
  const shape = sharedShape(pairs[0] as Pair);
  const { counted, kinds } = byKind(pairs, ({ after: { kind } }) => kind);
  return {
    queries: counted.length,
    ...differences(counted, shape),
    by_kind: Object.fromEntries(
      kinds.map(([kind, ofKind]) => [kind, { n: ofKind.length, ...differences(ofKind, shape) }]),
    ),
    changed: mostChanged(counted),
    bootstrap: BOOTSTRAP,
    warnings,
  };
}

function pair(
  before: readonly EarlierAnswer[],
  after: readonly EarlierAnswer[],
): { pairs: readonly Pair[]; warnings: readonly string[] } {
  const earlier = new Map(before.map((answer) => [answer.id, answer]));
  const pairs = after.flatMap((answer) => {
    const same = earlier.get(answer.id);
    return same ? [{ before: same, after: answer }] : [];
  });
  if (pairs.length === 0) {
    const hint = 'Compare two runs of the same set.';
    throw new LociError('invalid_input', 'The two runs have no query in common', hint);
  }
  const reworded = pairs.filter((both) => both.before.query !== both.after.query).length;
  const counts = [
    [before.length - pairs.length, 'only in the earlier run, and left out'],
    [after.length - pairs.length, 'only in the later run, and left out'],
    [reworded, 'worded otherwise in the two runs'],
  ] as const;
  const warnings = counts.flatMap(([n, what]) =>
    n === 0 ? [] : [`${n === 1 ? '1 query is' : `${n} queries are`} ${what}`],
  );
  return { pairs, warnings };
}

/** The ranks and budgets that both runs were scored at. */
function sharedShape({ before, after }: Pair): EvalScores {
  const shared = (metric: 'recall' | 'all' | 'any' | 'recall_at_tokens'): EvalScores['recall'] =>
    Object.fromEntries(Object.entries(before[metric]).filter(([key]) => key in after[metric]));
  return {
    ...before,
    recall: shared('recall'),
    all: shared('all'),
    any: shared('any'),
    recall_at_tokens: shared('recall_at_tokens'),
  };
}

function differences(pairs: readonly Pair[], shape: EvalScores): Differences {
  return byMetric(shape, (pick, metric) =>
    difference(
      pairs.flatMap((both) => {
        const [before, after] = [pick(both.before), pick(both.after)];
        return before === null || after === null ? [] : [{ before, after }];
      }),
      FAULTS.has(metric) ? -1 : 1,
    ),
  );
}

/** @param good the sign of a change for the better */
function difference(
  values: readonly { readonly before: number; readonly after: number }[],
  good: 1 | -1,
): Difference | null {
  if (values.length === 0) return null;
  const changes = values.map(({ before, after }) => after - before);
  const [low, high] = bootstrapInterval(changes);
  return {
    n: values.length,
    before: mean(values.map(({ before }) => before)),
    after: mean(values.map(({ after }) => after)),
    difference: mean(changes),
    interval: [rounded(low), rounded(high)],
    better: changes.filter((change) => change * good > 0).length,
    worse: changes.filter((change) => change * good < 0).length,
    equal: changes.filter((change) => change === 0).length,
  };
}

function mean(numbers: readonly number[]): number {
  return rounded(meanOf(numbers) as number);
}

function mostChanged(pairs: readonly Pair[]): readonly ChangedQuery[] {
  return pairs
    .map(({ before, after }) => ({
      id: after.id,
      kind: after.kind,
      query: after.query,
      change: rounded(worth(after) - worth(before)),
      mrr: { before: before.mrr, after: after.mrr },
      ndcg10: { before: before.ndcg10, after: after.ndcg10 },
    }))
    .filter(({ change }) => change !== 0)
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || (a.id < b.id ? -1 : 1))
    .slice(0, CHANGED);
}

function worth(scores: EvalScores): number {
  const { ndcg10, forbidden_ahead, no_answer_false_positive, leak10 } = scores;
  return (ndcg10 ?? 0) - (forbidden_ahead ?? 0) - (no_answer_false_positive ?? 0) - (leak10 ?? 0);
}
