import type { Explanation } from '../../domain/explanation.ts';
import type { ParsedQuery } from '../../domain/text/query.ts';
import type { Engine, KeywordHit, KeywordResult } from '../../ports/engine.ts';
import type { Question } from '../candidate.ts';

/** Memories that hold words of the question, by BM25. */
export function keywordChannel(
  { view, filter, query, explain, weights }: Question,
  k: number,
  engine: Engine,
): Promise<KeywordResult> {
  return engine.keyword({ view, filter, query, k, explain, weights: weights.keyword });
}

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
      part: rounded(terms[i] ?? 0),
      documents: documentFrequency[i] ?? 0,
    })),
    pairs_and_subject: rounded(sum > 0 ? raw / sum : 1),
    raw: rounded(raw),
    asked: rounded(plan.asked),
  };
}

/** To three decimals, as explanations show numbers. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
