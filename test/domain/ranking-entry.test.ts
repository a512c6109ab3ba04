import { describe, expect, test } from 'vitest';
import { bloomBit } from '../../src/domain/ranking/bloom.ts';
import { addOne, countIn } from '../../src/domain/ranking/counts.ts';
import { entryOf } from '../../src/domain/ranking/entry.ts';

const counts = (value: number): number[] =>
  (['body', 'head', 'tags', 'context'] as const).map((field) => countIn(value, field));

describe('counts', () => {
  test('fields do not touch each other and saturate', () => {
    let value = 0;
    for (let i = 0; i < 100; i += 1) value = addOne(value, 'head');
    expect(counts(value)).toEqual([0, 15, 0, 0]);
    for (let i = 0; i < 100; i += 1) {
      for (const field of ['body', 'tags', 'context'] as const) value = addOne(value, field);
    }
    expect(counts(value)).toEqual([63, 15, 3, 15]);
    expect(value).toBe(0xffff);
  });
});

describe('entryOf', () => {
  const memory = {
    title: 'Index choice',
    body: 'We picked SQLite for the index. SQLite needs no server.',
    tags: ['storage', 'adr/042'],
    speaker: 'Ann',
    paths: ['src/index.ts'],
    created_at: '2025-11-03T10:00:00Z',
  };
  const entry = entryOf(memory, {
    body: 'Which server shall we take, Postgres?',
    tags: [],
    created_at: '2025-11-03T09:59:00Z',
  });
  const of = (term: string): number[] => counts(entry.terms.get(term)?.counts ?? 0);

  test('counts by field: body, head, tags, context', () => {
    expect(of('sqlite')).toEqual([2, 0, 0, 0]);
    expect(of('index')).toEqual([1, 1, 1, 0]);
    expect(of('server')).toEqual([1, 0, 0, 1]);
    expect(of('postgr')).toEqual([0, 0, 0, 1]);
    expect(of('ann')).toEqual([0, 1, 0, 0]);
    expect(of('storag')).toEqual([0, 0, 1, 0]);
    expect(of('=src/index.ts')).toEqual([0, 0, 1, 0]);
    expect(of('novemb')).toEqual([0, 1, 0, 0]);
  });

  test('length is that of the body', () => {
    // picked SQLite index SQLite needs server
    expect(entry.length).toBe(6);
  });

  test('next holds the terms that follow, not over sentence marks and not in the context', () => {
    expect(entry.terms.get('sqlite')?.next).toBe(bloomBit('index') | bloomBit('need'));
    expect(entry.terms.get('index')?.next).toBe(bloomBit('choic') | bloomBit('ts'));
    expect(entry.terms.get('postgr')?.next).toBe(0);
  });

  test('only the first 30 words of the preceding memory', () => {
    const words = Array.from({ length: 50 }, (_, i) => `w${i}x`).join(' ');
    const { terms } = entryOf(
      { body: 'fine', tags: [], created_at: '' },
      { body: words, tags: [], created_at: '' },
    );
    expect([...terms.keys()]).toEqual(['fine', ...Array.from({ length: 30 }, (_, i) => `w${i}x`)]);
  });
});
