import { calibrate } from '../domain/ranking/bm25.ts';
import { sessionPrior } from '../domain/ranking/session.ts';
import { KEYWORD } from '../domain/ranking/weights.ts';
import type { StoredMemory } from '../domain/memory.ts';
import type { Explanation } from '../domain/results.ts';
import { unmatchedWords, type ParsedQuery } from '../domain/text/query.ts';
import type { Filter, View } from '../domain/view.ts';
import type { Engine, KeywordHit, KeywordResult } from '../ports/engine.ts';

export interface Found {
  readonly stored: StoredMemory;
  /** 0 to 1. */
  readonly score: number;
  readonly explain?: Explanation;
}

export interface KeywordAnswer {
  /** Best first. */
  readonly found: readonly Found[];
  /** Words of the question that no visible memory holds. */
  readonly unmatched: readonly string[];
  readonly matched: number;
}

/**
 * The keyword channel: BM25 over the visible memories, then the session prior on the best of them,
 * then one calibrated score.
 */
export async function findByKeyword(
  engine: Engine,
  request: { view: View; filter: Filter; query: ParsedQuery; k: number; explain: boolean },
): Promise<KeywordAnswer> {
  const k = Math.max(request.k, KEYWORD.sessionCandidates);
  const result = await engine.keyword({ ...request, k });
  const head = result.hits.slice(0, KEYWORD.sessionCandidates);
  const raised = sessionPrior(head.map(({ raw, length, session }) => ({ raw, length, session })));
  const ranked = head
    .map((hit, i) => ({ hit, raw: raised[i] as number }))
    .sort((a, b) => b.raw - a.raw || (a.hit.id < b.hit.id ? -1 : 1));
  const rest = result.hits.slice(head.length).map((hit) => ({ hit, raw: hit.raw }));
  const found = [...ranked, ...rest].map(({ hit, raw }) => {
    const explain = request.explain ? explanation(hit, raw, request.query, result) : undefined;
    return new HitFound(hit, calibrate(result.plan, raw), explain);
  });
  return {
    found,
    unmatched: unmatchedWords(request.query, result.documentFrequency),
    matched: result.matched,
  };
}

/** Looks at the memory of a hit only when it is shown. */
class HitFound implements Found {
  readonly score: number;
  readonly explain?: Explanation;
  readonly #hit: KeywordHit;

  constructor(hit: KeywordHit, score: number, explain: Explanation | undefined) {
    this.#hit = hit;
    this.score = score;
    if (explain) this.explain = explain;
  }

  get stored(): StoredMemory {
    return this.#hit.stored;
  }
}

function explanation(
  { terms = [], raw }: KeywordHit,
  raised: number,
  query: ParsedQuery,
  { documentFrequency, plan }: KeywordResult,
): Explanation {
  const sum = terms.reduce((total, part) => total + part, 0);
  return {
    terms: query.terms.map(({ surface, kind }, i) => ({
      term: kind === 'word' ? surface : `${surface} (${kind})`,
      part: round(terms[i] ?? 0),
      documents: documentFrequency[i] ?? 0,
    })),
    factors: {
      pairs_and_subject: round(sum > 0 ? raw / sum : 1),
      session: round(raw > 0 ? raised / raw : 1),
    },
    raw: round(raised),
    asked: round(plan.asked),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
