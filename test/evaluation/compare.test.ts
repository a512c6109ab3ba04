import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Comparison, Difference } from '../../src/domain/comparison.ts';
import type { EarlierAnswer } from '../../src/domain/evaluation.ts';
import { bootstrapInterval } from '../../src/evaluation/bootstrap.ts';
import { compare } from '../../src/evaluation/compare.ts';

/** An answer whose recall, MRR and nDCG are all this much. */
function answer(
  id: string,
  score: number | null,
  more: Partial<EarlierAnswer> = {},
): EarlierAnswer {
  return {
    id,
    kind: 'plain',
    query: `question ${id}`,
    recall: { 5: score, 10: score },
    all: { 5: score, 10: score },
    any: { 5: score, 10: score },
    mrr: score,
    ndcg10: score,
    recall_at_tokens: { 500: score },
    forbidden_ahead: null,
    forbidden_ahead_unmarked: null,
    no_answer_false_positive: score === null ? 0 : null,
    no_answer_forbidden_shown: null,
    leak10: 0,
    ...more,
  };
}

/** The only query of its kind. */
function of(kind: string, score: number): EarlierAnswer {
  return answer(kind, score, { kind });
}

function run(...scores: (number | null)[]): EarlierAnswer[] {
  return scores.map((score, i) => answer(`q${i}`, score));
}

function mrrOf({ mrr }: Comparison): Difference {
  return mrr as Difference;
}

describe('[I6] two runs', () => {
  test('are compared query by query', () => {
    const { mrr, recall, queries } = compare(run(0, 0.5, 1, 1), run(1, 0.5, 0.5, 1));
    expect(queries).toBe(4);
    expect(mrr).toMatchObject({
      n: 4,
      before: 0.625,
      after: 0.75,
      difference: 0.125,
      better: 1,
      worse: 1,
      equal: 2,
    });
    // The smallest and largest means of four values out of 1, 0, -0.5, 0 that are not too rare.
    expect(mrr?.interval).toEqual([-0.375, 0.75]);
    expect(recall['10']).toEqual(mrr);
  });

  test('of faults, less is better', () => {
    const before = [answer('a', 1, { forbidden_ahead: 1 }), answer('b', 1, { forbidden_ahead: 0 })];
    const after = [answer('a', 1, { forbidden_ahead: 0 }), answer('b', 1, { forbidden_ahead: 0 })];
    const { forbidden_ahead, leak10 } = compare(before, after);
    expect(forbidden_ahead).toMatchObject({ difference: -0.5, better: 1, worse: 0, equal: 1 });
    expect(leak10).toMatchObject({ difference: 0, interval: [0, 0], better: 0, worse: 0 });
  });

  test('count only queries that a metric applies to in both', () => {
    const { mrr, no_answer_false_positive: nothing } = compare(run(1, null, 1), run(1, null, null));
    expect(mrr?.n).toBe(1);
    expect(nothing?.n).toBe(1);
    expect(compare(run(1), run(1)).no_answer_false_positive).toBe(null);
  });

  test('by kind as well; adversarial ones are in no total', () => {
    const { queries, mrr, by_kind } = compare(
      [of('plain', 0), of('adversarial', 0), of('rare', 1)],
      [of('plain', 1), of('adversarial', 1), of('rare', 1)],
    );
    expect(queries).toBe(2);
    expect(mrr?.n).toBe(2);
    expect(Object.entries(by_kind).map(([kind, by]) => [kind, by.n, by.mrr?.difference])).toEqual([
      ['adversarial', 1, 1],
      ['plain', 1, 1],
      ['rare', 1, 0],
    ]);
  });

  test('at the ranks and budgets of both', () => {
    const other = answer('q0', 1, { recall: { 10: 1, 20: 1 }, recall_at_tokens: {} });
    const { recall, recall_at_tokens } = compare(run(1), [other]);
    expect(Object.keys(recall)).toEqual(['10']);
    expect(recall_at_tokens).toEqual({});
  });

  test('name the queries that changed most', () => {
    const faults = { no_answer_false_positive: 1, leak10: 1 };
    const { changed } = compare(
      [...run(0.5, 1, 0.2), answer('z', null)],
      [...run(0.6, 0, 0.2), answer('z', null, faults)],
    );
    expect(changed).toEqual([
      {
        id: 'z',
        kind: 'plain',
        query: 'question z',
        change: -2,
        mrr: { before: null, after: null },
        ndcg10: { before: null, after: null },
      },
      expect.objectContaining({ id: 'q1', change: -1, ndcg10: { before: 1, after: 0 } }),
      expect.objectContaining({ id: 'q0', change: 0.1 }),
    ]);
    expect(compare(run(...Array(12).fill(0)), run(...Array(12).fill(1))).changed).toHaveLength(10);
  });

  test('say what is not in both', () => {
    const reworded = answer('q0', 1, { query: 'something else' });
    expect(compare(run(1, 1, 1), [reworded, answer('new', 1)]).warnings).toEqual([
      '2 queries are only in the earlier run, and left out',
      '1 query is only in the later run, and left out',
      '1 query is worded otherwise in the two runs',
    ]);
    expect(() => compare(run(1), [answer('other', 1)])).toThrow('no query in common');
  });
});

describe('[I6] the interval', () => {
  // Shares as metrics have them; the bootstrap is slow, and many values add nothing.
  const share = fc.integer({ min: 0, max: 60 }).map((part) => part / 60);
  const runs = fc
    .array(fc.tuple(share, share), { minLength: 1, maxLength: 40 })
    .map((pairs) => [run(...pairs.map(([a]) => a)), run(...pairs.map(([, b]) => b))] as const);

  test('holds the mean difference', () => {
    fc.assert(
      fc.property(runs, ([before, after]) => {
        const { difference, interval } = mrrOf(compare(before, after));
        expect(interval[0]).toBeLessThanOrEqual(difference);
        expect(interval[1]).toBeGreaterThanOrEqual(difference);
      }),
      { numRuns: 25 },
    );
  });

  test('is nothing for a run and itself', () => {
    fc.assert(
      fc.property(runs, ([before]) => {
        const comparison = compare(before, before);
        const { difference, interval, better, worse } = mrrOf(comparison);
        expect([difference, ...interval, better, worse]).toEqual([0, 0, 0, 0, 0]);
        expect(comparison.changed).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  test('is the negative when the runs change places', () => {
    fc.assert(
      fc.property(runs, ([before, after]) => {
        const there = mrrOf(compare(before, after));
        const back = mrrOf(compare(after, before));
        expect(back.difference + there.difference).toBe(0);
        expect(back.interval[0] + there.interval[1]).toBe(0);
        expect(back.interval[1] + there.interval[0]).toBe(0);
        expect([back.better, back.worse]).toEqual([there.worse, there.better]);
      }),
      { numRuns: 25 },
    );
  });

  test('is the one that theory gives for many values', () => {
    // 400 values, a quarter of them 1: 0.25 ± 1.96 × √(0.25 × 0.75 / 400) is 0.2076 to 0.2924.
    const values = Array.from({ length: 400 }, (_, i) => Number(i % 4 === 0));
    const [low, high] = bootstrapInterval(values);
    expect(Math.abs(low - 0.2076)).toBeLessThan(0.005);
    expect(Math.abs(high - 0.2924)).toBeLessThan(0.005);
    expect(bootstrapInterval(values)).toEqual([low, high]);
  });
});
