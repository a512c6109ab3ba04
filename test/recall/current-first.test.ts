import { expect, test } from 'vitest';
import { currentFirst } from '../../src/recall/current-first.ts';
import { memoryOf } from '../../src/testing/memories.ts';

const found = (id: string, score: number, superseded_by?: string) => ({
  id,
  score,
  stored: {
    memory: memoryOf({ id, ...(superseded_by ? { superseded_by, status: 'superseded' } : {}) }),
    version: 1,
    heads: [],
  },
});
const order = (...all: ReturnType<typeof found>[]) =>
  currentFirst(all).map(({ stored, score }) => [stored.memory.id, score]);

test('[A7] a successor takes the place of what it replaced', () => {
  expect(order(found('OLD', 0.9, 'NEW'), found('OTHER', 0.7), found('NEW', 0.2))).toEqual([
    ['NEW', 0.9],
    ['OLD', 0.9],
    ['OTHER', 0.7],
  ]);
});

test('[A7] a chain comes newest first', () => {
  expect(order(found('A', 0.9, 'B'), found('C', 0.5), found('B', 0.4, 'C'))).toEqual([
    ['C', 0.9],
    ['B', 0.9],
    ['A', 0.9],
  ]);
});

test('[A7] what stands right stays, also without its successor', () => {
  expect(order(found('NEW', 0.9), found('OLD', 0.8, 'NEW'), found('LEFT', 0.7, 'GONE'))).toEqual([
    ['NEW', 0.9],
    ['OLD', 0.8],
    ['LEFT', 0.7],
  ]);
});

test('[A7] two predecessors of one', () => {
  expect(order(found('X', 0.6, 'NEW'), found('Y', 0.5, 'NEW'), found('NEW', 0.1))).toEqual([
    ['NEW', 0.6],
    ['X', 0.6],
    ['Y', 0.5],
  ]);
});

test('[A7] a circle loses nobody', () => {
  const ids = order(found('A', 0.9, 'B'), found('B', 0.8, 'A'), found('C', 0.7)).map(([id]) => id);
  expect(ids.toSorted()).toEqual(['A', 'B', 'C']);
});
