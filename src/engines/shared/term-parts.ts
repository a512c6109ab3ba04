import { termScore, type ScorePlan } from '../../domain/ranking/bm25.ts';
import type { IndexEntry } from '../../domain/ranking/entry.ts';
import type { ParsedQuery } from '../../domain/text/query.ts';

/** What each term of a query brings to one document; 0 where it does not stand in it. */
export function termParts(plan: ScorePlan, query: ParsedQuery, entry: IndexEntry): number[] {
  return query.terms.map(({ term }, i) => {
    const posting = entry.terms.get(term);
    return posting ? termScore(plan, i, posting.counts, entry.length) : 0;
  });
}
