import type { EvalQuery, GoldenAnswer } from '../../domain/eval-set.ts';
import type { GoldenChange, GoldenDifference } from '../../domain/golden.ts';
import type { Labels } from './labels.ts';
import { judge, needsOf } from '../judge.ts';
import { aheadOfAnswer, firstAnswer } from '../metrics.ts';
import { DEPTH } from '../score.ts';

/** What an answer comes to. */
interface Outcome {
  /** For each need its rank from 1; null past the first 10. */
  readonly ranks: readonly (number | null)[];
  /** Forbidden memories ahead of the answer. */
  readonly ahead: readonly string[];
  /** What came back for a query without an answer. */
  readonly unwanted: readonly string[];
}

/**
 * How today's answer differs from the one in the baseline; undefined when it does not. Both are judged
 * by what the query names today. Without a baseline it is expected to bring all that it names, and
 * nothing that it forbids.
 */
export function differenceOf(
  query: EvalQuery,
  labels: Labels,
  before: GoldenAnswer | undefined,
  today: GoldenAnswer,
): GoldenDifference | undefined {
  const was = before && outcomeOf(query, labels, succeeded(before, labels));
  const is = outcomeOf(query, labels, today.results);
  const changes = needsOf(query).flatMap(({ labels: ids }, i): GoldenChange[] => {
    const now = is.ranks[i] ?? null;
    const rank = was?.ranks[i] ?? null;
    const wasMet = was === undefined || rank !== null;
    if (wasMet && now === null) return [{ change: 'lost', ids, was: rank, now }];
    if (!wasMet && now !== null) return [{ change: 'found', ids, was: rank, now }];
    return was === undefined || rank === now ? [] : [{ change: 'moved', ids, was: rank, now }];
  });
  const ahead = is.ahead.filter((id) => !was?.ahead.includes(id));
  const unwanted = was && was.unwanted.length > 0 ? [] : is.unwanted;
  const isWorse =
    changes.some(({ change }) => change === 'lost') || ahead.length > 0 || unwanted.length > 0;
  const isBetter =
    changes.some(({ change }) => change === 'found') ||
    was?.ahead.some((id) => !is.ahead.includes(id)) ||
    (was && was.unwanted.length > 0 && is.unwanted.length === 0);
  if (!isWorse && !isBetter && changes.length === 0) return undefined;
  const verdict = isWorse ? 'worse' : isBetter ? 'better' : 'moved';
  return { id: query.id, query: query.query, verdict, changes, ahead, unwanted };
}

/** Where something stood that was replaced since, the baseline counts as if its successor had. */
function succeeded({ results }: GoldenAnswer, { successors }: Labels): readonly string[] {
  return results.map((id) => successors.get(id) ?? id);
}

function outcomeOf(query: EvalQuery, { storedIds }: Labels, ranked: readonly string[]): Outcome {
  const { needs, forbidden } = judge(query, storedIds);
  if (needs.length === 0) return { ranks: [], ahead: [], unwanted: ranked };
  return {
    ranks: needs.map((need) => {
      const index = firstAnswer(ranked, [need]);
      return index < DEPTH ? index + 1 : null;
    }),
    ahead: aheadOfAnswer(ranked, needs, DEPTH).filter((id) => forbidden.has(id)),
    unwanted: [],
  };
}
