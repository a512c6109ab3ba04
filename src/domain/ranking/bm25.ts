import { EXACT } from '../text/identifiers.ts';
import type { ParsedQuery } from '../text/query.ts';
import { bloomBit } from './bloom.ts';
import { countIn, HEAD_MASK } from './counts.ts';
import type { IndexEntry } from './entry.ts';
import { KEYWORD } from './weights.ts';
import type { KeywordWeights } from './settings.ts';

/*
 * Two ways to the same score, bit for bit, since additions happen in the same order:
 * term at a time (postings)   for each term i in query order, for each document that holds it:
 *                             sum += termScore(i), marks |= termMarks(i); then finishScore
 * document at a time (oracle) scoreEntry
 */

/** Counted over the current documents of the caller's view; both are integers. */
export interface ViewStats {
  documents: number;
  /** Sum of `IndexEntry.length` over these documents. */
  totalLength: number;
}

/** What a query weighs in a view: prepared once, read in the inner loop. */
export interface ScorePlan {
  /** Weight of each term: its information (nats) × the weight of its kind. */
  weights: Float64Array;
  /** Saturation of a term in a document of length L is base + slope × max(L, minLength). */
  base: Float64Array;
  slope: Float64Array;
  /** Information asked: the sum of the weights. */
  asked: number;
  /** 0 to 1: mean information of its words, as a share of that of a word in one memory only. */
  specificity: number;
  pairs: readonly PairPlan[];
  /** What term frequencies weigh, and the other numbers of the inner loop. */
  tables: Tables;
  /** By term: the pairs it begins. */
  begins: readonly (readonly { mark: number; bit: number }[])[];
}

/** An adjacent pair of query terms. */
interface PairPlan {
  /** Index of its second term. */
  second: number;
  /** Its bit in a document's marks. */
  mark: number;
  /** Added to a document that holds it. */
  bonus: number;
}

/** Bit of a document's marks: a term stands in its head. Pairs use the bits 0..30. */
const SUBJECT = 1 << 31;

/** Weights in the form that the inner loop reads. */
interface Tables {
  readonly k1: number;
  readonly minLength: number;
  /** Factor of a document whose head holds a term. */
  readonly subject: number;
  /** Weighted term frequency of the lower ten bits of the counts (body, head) … */
  readonly low: Float64Array;
  /** … and of the upper six (tags, context). */
  readonly high: Float64Array;
}

const tablesByWeights = new WeakMap<KeywordWeights, Tables>();

function tablesOf(weights: KeywordWeights): Tables {
  const known = tablesByWeights.get(weights);
  if (known) return known;
  const { k1, minLength, subject, body, head, tags, context } = weights;
  const tables: Tables = {
    k1,
    minLength,
    subject: 1 + subject,
    low: Float64Array.from(
      { length: 1024 },
      (_, counts) => body * countIn(counts, 'body') + head * countIn(counts, 'head'),
    ),
    high: Float64Array.from({ length: 64 }, (_, upper) => {
      const counts = upper << 10;
      return tags * countIn(counts, 'tags') + context * countIn(counts, 'context');
    }),
  };
  tablesByWeights.set(weights, tables);
  return tables;
}

/** Information of a term in nats, never negative: the idf of BM25 (Robertson, Zaragoza 2009), plus one. */
const informationOf = (df: number, documents: number): number =>
  Math.log(1 + (documents - df + 0.5) / (df + 0.5));

/**
 * Weighs a query.
 * @param keyword default: the measured ones
 * @param df for each of `query.terms`, the documents of the view that hold it in any field
 */
export function planQuery(
  query: ParsedQuery,
  df: ArrayLike<number>,
  stats: ViewStats,
  keyword: KeywordWeights = KEYWORD,
): ScorePlan {
  const { terms } = query;
  const { k1, b, minLength } = keyword;
  const information = terms.map((_, i) => informationOf(df[i]!, stats.documents));
  const missing = new Set<string>();
  let ordinary = 0;
  terms.forEach(({ kind, surface }, i) => {
    if (kind === 'exact' && df[i] === 0) missing.add(surface);
    if (kind === 'word' && df[i]! > 0) ordinary += information[i]!;
  });
  const rarest = informationOf(1, Math.max(1, stats.documents));
  const exact = Math.max(keyword.exact, (keyword.dominance * ordinary) / rarest);
  const weights = Float64Array.from(terms, ({ term, kind, surface }, i) => {
    if (kind === 'exact') return information[i]! * exact;
    // `long-term` was written apart everywhere: nothing is missing.
    if (kind === 'word' && df[i] === 0 && term.startsWith(EXACT)) return 0;
    return information[i]! * (kind === 'part' && !missing.has(surface) ? keyword.part : 1);
  });

  const mean = Math.max(minLength, stats.documents > 0 ? stats.totalLength / stats.documents : 0);
  // An identifier counts the same in a long memory: it is there or not.
  const normalised = Float64Array.from(terms, ({ kind }) => (kind === 'exact' ? 0 : b));
  const pairs = query.pairs.map(([first, second], k) => ({
    first,
    second,
    mark: 1 << k,
    bit: bloomBit(terms[second]!.term),
    bonus: keyword.pair * Math.min(weights[first]!, weights[second]!),
  }));
  return {
    weights,
    base: normalised.map((share) => k1 * (1 - share)),
    slope: normalised.map((share) => (k1 * share) / mean),
    asked: weights.reduce((sum, weight) => sum + weight, 0),
    specificity: meanOf(information.filter((_, i) => terms[i]!.kind !== 'part')) / rarest,
    pairs,
    tables: tablesOf(keyword),
    begins: terms.map((_, i) => pairs.filter((pair) => pair.first === i)),
  };
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** What term `index` adds to a document that holds it: BM25F (Robertson, Zaragoza, Taylor 2004). */
export function termScore(plan: ScorePlan, index: number, counts: number, length: number): number {
  const { k1, minLength, low, high } = plan.tables;
  const tf = low[counts & 1023]! + high[counts >>> 10]!;
  const norm = plan.base[index]! + plan.slope[index]! * (length > minLength ? length : minLength);
  return (plan.weights[index]! * tf * (k1 + 1)) / (tf + norm);
}

/** Bits that term `index` adds to the marks of a document that holds it. */
export function termMarks(plan: ScorePlan, index: number, counts: number, next: number): number {
  let marks = (counts & HEAD_MASK) !== 0 ? SUBJECT : 0;
  const begins = plan.begins[index]!;
  for (let k = 0; k < begins.length; k += 1) {
    if ((next & begins[k]!.bit) !== 0) marks |= begins[k]!.mark;
  }
  return marks;
}

/** Bit of term `index` in `seen`; terms past the 32nd have none (and begin and end no pair). */
export const seenBit = (index: number): number => (index < 32 ? 1 << index : 0);

/**
 * Raw score of a document, unbounded; comparable within one query only.
 * @param sum its term scores, added in the order of the query's terms, starting from 0
 * @param marks its {@link termMarks}, or-ed
 * @param seen the {@link seenBit}s of the terms it holds, or-ed
 */
export function finishScore(plan: ScorePlan, sum: number, marks: number, seen: number): number {
  let score = sum;
  if ((marks & ~SUBJECT) !== 0) {
    for (const pair of plan.pairs) {
      if ((marks & pair.mark) !== 0 && (seen & (1 << pair.second)) !== 0) score += pair.bonus;
    }
  }
  return (marks & SUBJECT) !== 0 ? score * plan.tables.subject : score;
}

/** Raw score of one document; undefined if it holds no term of the query that weighs anything. */
export function scoreEntry(
  plan: ScorePlan,
  query: ParsedQuery,
  entry: IndexEntry,
): number | undefined {
  let sum = 0;
  let marks = 0;
  let seen = 0;
  for (let i = 0; i < query.terms.length; i += 1) {
    const posting = entry.terms.get(query.terms[i]!.term);
    if (posting === undefined) continue;
    sum += termScore(plan, i, posting.counts, entry.length);
    marks |= termMarks(plan, i, posting.counts, posting.next);
    seen |= seenBit(i);
  }
  return sum > 0 ? finishScore(plan, sum, marks, seen) : undefined;
}

/**
 * Score from 0 to 1: information matched ÷ information asked, bent so that a full match of an
 * average document is about 0.8. It grows with the raw score, so it never changes the order.
 */
export function calibrate(plan: ScorePlan, raw: number): number {
  return plan.asked > 0 ? 1 - Math.exp((-KEYWORD.certainty * raw) / plan.asked) : 0;
}
