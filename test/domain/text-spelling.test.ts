import { expect, test } from 'vitest';
import { parseQuery } from '../../src/domain/text/query.ts';
import {
  doubtfulWords,
  nearSpellings,
  respell,
  spellingsByTerm,
} from '../../src/domain/text/spelling.ts';

test('one slip away: left out, put in, replaced, swapped; never the first letter', () => {
  const near = nearSpellings('clokc');
  expect([...near]).toEqual(expect.arrayContaining(['clock', 'cloc', 'clokcs', 'clobc']));
  expect(near.has('clokc')).toBe(false);
  expect([...near].filter((word) => !word.startsWith('c'))).toEqual([]);
  expect(nearSpellings('levle').has('level')).toBe(true);
  expect(nearSpellings('feild').has('field')).toBe(true);
  expect(nearSpellings('hybird').has('hybrid')).toBe(true);
});

test('only plain words that nothing holds are doubtful', () => {
  const query = parseQuery('Parqet v1.2 tiem src/main.py 深色 naïve parquet');
  const held = query.terms.map(({ surface }) => (surface === 'parquet' ? 1 : 0));
  expect(doubtfulWords(query, held)).toEqual(['parqet', 'naive']);
});

test('a long text is no misspelt question', () => {
  const words = Array.from(
    { length: 50 },
    (_, i) => `abcde${String.fromCharCode(97 + (i % 26))}${'z'.repeat(i % 7)}`,
  );
  const query = parseQuery(words.join(' '));
  expect(
    doubtfulWords(
      query,
      query.terms.map(() => 0),
    ),
  ).toHaveLength(6);
});

test('spellings of one stem are looked up once', () => {
  expect([...spellingsByTerm(['indexes', 'indexed', 'the'])]).toEqual([['index', 'indexes']]);
});

test('the question is read anew with its words mended, whatever their case', () => {
  const mended = respell(parseQuery('Dagstr partitons in `dagstr.yaml`'), [
    { from: 'dagstr', to: 'dagster' },
    { from: 'partitons', to: 'partitions' },
  ]);
  expect(mended.text).toBe('dagster partitions in `dagster.yaml`');
});
