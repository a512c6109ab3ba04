import {
  finishScore,
  planQuery,
  seenBit,
  termMarks,
  termScore,
  type ScorePlan,
  type ViewStats,
} from '../../../domain/ranking/bm25.ts';
import type { KeywordWeights } from '../../../domain/ranking/settings.ts';
import type { ParsedQuery } from '../../../domain/text/query.ts';
import { Candidates, type Scored } from '../candidates.ts';

interface Columns {
  readonly locals: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
  readonly next: ArrayLike<number>;
}

/** One segment as a search sees it. */
export interface SearchableSegment {
  readonly docs: ArrayLike<number>;
  readonly lengths: ArrayLike<number>;
  /** By local document: 0 = replaced since; anything else is current. */
  readonly states: Uint8Array;
  /** Whether no document of it has been replaced. */
  readonly whole: boolean;
  /** Postings of the query's terms, by index into `query.terms`. */
  readonly postings: readonly (Columns | undefined)[];
}

export interface SearchRequest {
  readonly query: ParsedQuery;
  readonly stats: ViewStats;
  readonly weights?: KeywordWeights | undefined;
  readonly segments: readonly SearchableSegment[];
  /** Whether a current document may be returned. */
  readonly admits: (doc: number, state: number) => boolean;
  readonly k: number;
}

export interface SearchOutcome {
  readonly plan: ScorePlan;
  readonly documentFrequency: readonly number[];
  /** How many admitted documents matched. */
  readonly matched: number;
  /** At least the best k, with everything that ties with the last; in no order. */
  readonly best: readonly Scored[];
}

/**
 * Scores every posting of the query, term by term, in the order of the query's terms: the sums are
 * bit for bit those of a scan over the documents. Two passes: document frequencies are counted
 * over the current documents first, because what a term weighs depends on them.
 */
export function searchSegments(request: SearchRequest): SearchOutcome {
  const { query, stats, segments, weights } = request;
  const documentFrequency = query.terms.map((_, term) =>
    segments.reduce((sum, segment) => sum + countCurrent(segment, term), 0),
  );
  const plan = planQuery(query, documentFrequency, stats, weights);
  const found = new Candidates(request.k);
  for (const segment of segments) scoreSegment(segment, plan, request, found);
  return { plan, documentFrequency, matched: found.size, best: found.best() };
}

function countCurrent({ postings, states, whole }: SearchableSegment, term: number): number {
  const list = postings[term];
  if (!list) return 0;
  if (whole) return list.locals.length;
  let count = 0;
  for (let i = 0; i < list.locals.length; i++) {
    if (states[list.locals[i] as number] !== 0) count += 1;
  }
  return count;
}

/** Scratch space, one set for all searches of the process: searches do not overlap. */
let sums = new Float64Array(0);
let marks = new Int32Array(0);
let seen = new Int32Array(0);

function scoreSegment(
  segment: SearchableSegment,
  plan: ScorePlan,
  { admits }: SearchRequest,
  found: Candidates,
): void {
  const { docs, lengths, states, postings } = segment;
  const n = docs.length;
  if (sums.length < n) {
    sums = new Float64Array(n);
    marks = new Int32Array(n);
    seen = new Int32Array(n);
  }
  sums.fill(0, 0, n);
  marks.fill(0, 0, n);
  seen.fill(0, 0, n);
  for (let term = 0; term < postings.length; term++) {
    const list = postings[term];
    if (!list) continue;
    const { locals, counts, next } = list;
    const bit = seenBit(term);
    for (let i = 0; i < locals.length; i++) {
      const local = locals[i] as number;
      const count = counts[i] as number;
      (sums[local] as number) += termScore(plan, term, count, lengths[local] as number);
      (marks[local] as number) |= termMarks(plan, term, count, next[i] as number);
      (seen[local] as number) |= bit;
    }
  }
  for (let local = 0; local < n; local++) {
    const sum = sums[local] as number;
    const state = states[local] as number;
    if (sum === 0 || state === 0) continue;
    const doc = docs[local] as number;
    if (!admits(doc, state)) continue;
    found.add(doc, finishScore(plan, sum, marks[local] as number, seen[local] as number));
  }
}
