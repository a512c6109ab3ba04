import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { similarPairs, type TermSet } from '../../src/domain/similarity/similar-pairs.ts';

const set = (id: string, words: string): TermSet => ({ id, terms: new Set(words.split(' ')) });

/** Every pair, compared plainly. */
function allPairs(texts: readonly TermSet[], threshold: number): string[] {
  const found: string[] = [];
  for (const one of texts) {
    for (const other of texts) {
      if (one.id >= other.id) continue;
      const shared = [...one.terms].filter((term) => other.terms.has(term)).length;
      const likeness = shared / (one.terms.size + other.terms.size - shared);
      if (likeness >= threshold) found.push(`${one.id} ${other.id}`);
    }
  }
  return found.sort();
}

describe('pairs of similar texts', () => {
  test('are those with most words in common, the most alike first', () => {
    const { pairs, capped } = similarPairs(
      [
        set('C', 'the lock opens at nine daily'),
        set('A', 'the lock opens at nine'),
        set('D', 'nothing of the kind'),
        set('B', 'the lock opens at nine'),
      ],
      0.8,
    );
    expect(capped).toBe(0);
    expect(pairs).toEqual([
      { a: 'A', b: 'B', likeness: 1 },
      { a: 'A', b: 'C', likeness: 5 / 6 },
      { a: 'B', b: 'C', likeness: 5 / 6 },
    ]);
  });

  test('are all those that a comparison of everything finds', () => {
    const texts = fc
      .array(fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 8 }), { maxLength: 30 })
      .map((list) => list.map((terms, i) => ({ id: `T${i + 10}`, terms: new Set(terms) })))
      .map((list) => list.filter(({ terms }) => terms.size > 0));
    fc.assert(
      fc.property(texts, fc.constantFrom(0.5, 0.8, 1), (list, threshold) => {
        const { pairs } = similarPairs(list, threshold);
        expect(pairs.map(({ a, b }) => `${a} ${b}`).sort()).toEqual(allPairs(list, threshold));
      }),
      { numRuns: 300, seed: 20_260_309 },
    );
  });

  test('are cut where very many are alike, and that is said', () => {
    const texts = Array.from({ length: 400 }, (_, i) => set(`T${1000 + i}`, 'every one the same'));
    const { pairs, capped } = similarPairs(texts, 0.8);
    expect(pairs.length).toBeLessThan(400 * 51);
    expect(capped).toBe(350);
  });
});
