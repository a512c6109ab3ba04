import { describe, expect, test } from 'vitest';
import {
  aheadOfAnswer,
  allAt,
  anyAt,
  firstAnswer,
  meanOf,
  ndcgAt,
  percentileOf,
  recallAt,
  reciprocalRank,
  rounded,
} from '../../src/evaluation/metrics.ts';

const need = (...ids: string[]): ReadonlySet<string> => new Set(ids);

describe('needs', () => {
  const ranked = ['x', 'b1', 'a', 'y', 'c'];
  const needs = [need('a'), need('b1', 'b2'), need('c'), need('lost')];

  test('recall is the share of needs met, any member of a group will do', () => {
    expect(recallAt(ranked, needs, 1)).toBe(0);
    expect(recallAt(ranked, needs, 2)).toBe(0.25);
    expect(recallAt(ranked, needs, 3)).toBe(0.5);
    expect(recallAt(ranked, needs, 99)).toBe(0.75);
  });

  test('one hit meets every need that it belongs to', () => {
    expect(recallAt(['a'], [need('a'), need('a', 'b')], 1)).toBe(1);
  });

  test('a need without members is never met', () => {
    expect(recallAt(ranked, [need()], 10)).toBe(0);
    expect(allAt(ranked, [need('a'), need()], 10)).toBe(0);
  });

  test('all wants every need, any wants one', () => {
    const [a, b, c] = needs as [ReadonlySet<string>, ReadonlySet<string>, ReadonlySet<string>];
    expect(allAt(ranked, [a, b, c], 4)).toBe(0);
    expect(allAt(ranked, [a, b, c], 5)).toBe(1);
    expect(anyAt(ranked, [a, b, c], 1)).toBe(0);
    expect(anyAt(ranked, [a, b, c], 2)).toBe(1);
  });

  test('the reciprocal rank stops at its depth', () => {
    expect(firstAnswer(ranked, needs)).toBe(1);
    expect(reciprocalRank(ranked, needs, 10)).toBe(0.5);
    expect(reciprocalRank(ranked, [need('c')], 5)).toBe(0.2);
    expect(reciprocalRank(ranked, [need('c')], 4)).toBe(0);
    expect(reciprocalRank(ranked, [need('lost')], 10)).toBe(0);
  });

  test('what stands ahead of the answer', () => {
    expect(aheadOfAnswer(ranked, [need('a')], 10)).toEqual(['x', 'b1']);
    expect(aheadOfAnswer(ranked, [need('x')], 10)).toEqual([]);
    expect(aheadOfAnswer(ranked, [need('lost')], 2)).toEqual(['x', 'b1']);
    expect(aheadOfAnswer(ranked, [need('c')], 2)).toEqual(['x', 'b1']);
  });
});

describe('nDCG', () => {
  const graded = [
    { ids: need('a'), grade: 2 },
    { ids: need('b'), grade: 1 },
  ];

  test('the best order is 1, none is 0', () => {
    expect(ndcgAt(['a', 'b', 'x'], graded, 10)).toBe(1);
    expect(ndcgAt(['x', 'y'], graded, 10)).toBe(0);
    expect(ndcgAt(['x'], [], 10)).toBe(0);
  });

  test('later and lesser answers count less', () => {
    // (1 + 2 / log2 3) / (2 + 1 / log2 3)
    expect(ndcgAt(['b', 'a'], graded, 10)).toBeCloseTo(0.859_72, 5);
    // (2 / log2 3) / (2 + 1 / log2 3)
    expect(ndcgAt(['x', 'a'], graded, 10)).toBeCloseTo(0.479_62, 5);
    expect(ndcgAt(['x', 'a', 'b'], graded, 1)).toBe(0);
  });

  test('a group earns its grade once', () => {
    const group = [{ ids: need('a', 'b'), grade: 2 }];
    expect(ndcgAt(['a', 'b'], group, 10)).toBe(1);
    expect(ndcgAt(['b', 'a'], group, 10)).toBe(1);
  });
});

test('means leave out what does not apply', () => {
  expect(meanOf([1, null, 0, null])).toBe(0.5);
  expect(meanOf([null])).toBe(null);
  expect(meanOf([])).toBe(null);
});

test('percentiles are nearest ranks', () => {
  expect(percentileOf([5, 1, 4, 2, 3], 0.5)).toBe(3);
  expect(percentileOf([5, 1, 4, 2, 3], 0.95)).toBe(5);
  expect(percentileOf([1, 2, 3, 4], 0.5)).toBe(2);
  expect(percentileOf([7], 0.5)).toBe(7);
  expect(percentileOf([], 0.5)).toBe(null);
});

test('numbers are rounded to four digits, on either side of 0 alike', () => {
  expect([0.031_25, -0.031_25, 1 / 3, 0].map(rounded)).toEqual([0.0313, -0.0313, 0.3333, 0]);
  expect(rounded(null)).toBe(null);
});
