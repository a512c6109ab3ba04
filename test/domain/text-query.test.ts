import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_TERMS, parseQuery, unmatchedWords } from '../../src/domain/text/query.ts';

const words = (text: string): string[] => parseQuery(text).terms.map((term) => term.term);

describe('parseQuery', () => {
  test('terms, kinds and surfaces', () => {
    expect(parseQuery('Where is ADR-042 about Straßen?')).toEqual({
      terms: [
        { term: '=adr-042', kind: 'exact', surface: 'ADR-042' },
        { term: 'adr', kind: 'part', surface: 'ADR-042' },
        { term: '42', kind: 'part', surface: 'ADR-042' },
        { term: 'strassen', kind: 'word', surface: 'Straßen' },
      ],
      pairs: [
        [1, 2],
        [2, 3],
      ],
      text: 'Where is ADR-042 about Straßen?',
    });
  });

  test.each([
    ['E11000', 'exact'],
    ['a1b2c3d', 'exact'],
    ['v1.9', 'exact'],
    ['createUser', 'exact'],
    ['.env', 'exact'],
    ['GitHub', 'word'],
    ['long-term', 'word'],
    ['and/or', 'word'],
    ['6-month', 'word'],
    ['10:30', 'word'],
    ['3pm', 'word'],
  ])('%s asks for an %s term', (text, kind) => {
    expect(parseQuery(text).terms[0]?.kind).toBe(kind);
  });

  test('a term is asked once; a word that is also a part is a word', () => {
    expect(
      parseQuery('ADR-042: the adr, the ADR').terms.map(({ term, kind }) => [term, kind]),
    ).toEqual([
      ['=adr-042', 'exact'],
      ['adr', 'word'],
      ['42', 'part'],
    ]);
    expect(parseQuery('index the index of the index').pairs).toEqual([]);
  });

  test('no character is syntax', () => {
    expect(words('foo OR')).toEqual(['foo']);
    expect(words('picks -SQLite')).toEqual(['pick', 'sqlite']);
    expect(words('"unbalanced')).toEqual(['unbalanc']);
    expect(words('NEAR(')).toEqual(['near']);
    expect(words('title:')).toEqual(['titl']);
    expect(words('a^b')).toEqual(['b']);
    expect(words('深色 OR 主题')).toEqual(['深色', '主题']);
    for (const blank of ['', '   ', '(', '*', '%', '...']) expect(words(blank)).toEqual([]);
  });

  test('only stop words: they are the terms', () => {
    expect(words('AND')).toEqual(['AND']);
    expect(words('what is it')).toEqual(['WHAT', 'IS', 'IT']);
    expect(words('a '.repeat(5000))).toEqual(['A']);
  });

  test('function words of the language that is spoken', () => {
    expect(words('¿te acuerdas de lo que hablamos de facturas?')).toEqual([
      'acuerda',
      'hablamo',
      'factura',
    ]);
    expect(words('wie oft wird die Sicherung geprüft')).toEqual(['oft', 'sicherung', 'gepruft']);
    expect(words('does the die casting die')).toEqual(['die', 'cast']);
    expect(words('配布はいつですか')).toEqual(['配布', '布は', 'はい', 'つで']);
  });

  test('very long text is capped', () => {
    const text = Array.from({ length: 3000 }, (_, i) => `w${i}x`).join(' ');
    expect(parseQuery(text).terms).toHaveLength(MAX_TERMS);
    expect(parseQuery('x'.repeat(5_000_000)).terms).toHaveLength(1);
  });

  test('any text: never fails, terms are unique, pairs point at them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const { terms, pairs } = parseQuery(text);
        expect(new Set(terms.map(({ term }) => term)).size).toBe(terms.length);
        for (const index of pairs.flat()) expect(index < terms.length && index < 32).toBe(true);
        expect(pairs.length).toBeLessThan(32);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('unmatchedWords', () => {
  test('a word by any of its terms, an identifier only as a whole', () => {
    const query = parseQuery('zebra ADR-042 long-term plan');
    expect(query.terms.map(({ term }) => term)).toEqual([
      'zebra',
      '=adr-042',
      'adr',
      '42',
      '=long-term',
      'long',
      'term',
      'plan',
    ]);
    expect(unmatchedWords(query, [0, 0, 5, 1, 0, 2, 2, 4])).toEqual(['zebra', 'ADR-042']);
    expect(unmatchedWords(query, [1, 1, 1, 1, 0, 0, 0, 0])).toEqual(['long-term', 'plan']);
  });
});
