import type { Explanation } from '../domain/results.ts';
import type { ParsedQuery } from '../domain/text/query.ts';
import type { KeywordHit, KeywordResult } from '../ports/engine.ts';

/** What the keyword channel has to say about one memory; without a hit, what was asked. */
export function keywordParts(
  hit: KeywordHit | undefined,
  query: ParsedQuery,
  { documentFrequency, plan }: KeywordResult,
): Pick<Explanation, 'terms' | 'raw' | 'asked' | 'pairs_and_subject'> {
  const terms = hit?.terms ?? [];
  const raw = hit?.raw ?? 0;
  const sum = terms.reduce((total, part) => total + part, 0);
  return {
    terms: query.terms.map(({ surface, kind }, i) => ({
      term: kind === 'word' ? surface : `${surface} (${kind})`,
      part: round(terms[i] ?? 0),
      documents: documentFrequency[i] ?? 0,
    })),
    pairs_and_subject: round(sum > 0 ? raw / sum : 1),
    raw: round(raw),
    asked: round(plan.asked),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
