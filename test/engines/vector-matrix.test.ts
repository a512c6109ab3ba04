import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/domain/random.ts';
import { bestCosine, encode } from '../../src/engines/shared/vectors/codes.ts';
import { VectorMatrix } from '../../src/engines/sqlite/vectors/matrix.ts';
import type { Pack } from '../../src/engines/sqlite/vectors/packs.ts';

const DIMS = 33;

/** Exact vectors by text, the codes of all in one matrix, and how many exact ones were read. */
function crowd(count: number, vectorOf: (i: number) => Float32Array, passages = 1) {
  const exact = new Map<number, Float32Array>();
  const gone: number[] = [];
  const matrix = new VectorMatrix(DIMS, (doc) => gone.push(doc));
  for (let doc = 0; doc < count; doc++) {
    const numbers = new Float32Array(DIMS * passages);
    for (let p = 0; p < passages; p++) numbers.set(vectorOf(doc * passages + p), p * DIMS);
    exact.set(doc + 1000, numbers);
    matrix.add(packOf(doc, doc + 1000, numbers));
  }
  const seen = { read: 0 };
  const read = (texts: readonly number[]): Map<number, Float32Array> => {
    seen.read += texts.length;
    return new Map(
      texts.flatMap((text) => {
        const numbers = exact.get(text);
        return numbers ? [[text, numbers]] : [];
      }),
    );
  };
  return { matrix, exact, gone, seen, read };
}

function packOf(doc: number, text: number, numbers: Float32Array): Pack {
  return {
    docs: Uint32Array.of(doc),
    texts: Uint32Array.of(text),
    passages: Uint16Array.of(numbers.length / DIMS),
    ...encode(numbers, DIMS),
  };
}

function unitVector(random: () => number): Float32Array {
  const numbers = Float32Array.from({ length: DIMS }, () => random() - 0.5);
  const length = Math.hypot(...numbers);
  return numbers.map((number) => number / length);
}

const all = (): boolean => true;

/** The k best, and whoever ties with the last of them. */
function byScan(
  exact: ReadonlyMap<number, Float32Array>,
  query: Float32Array,
  k: number,
  wants: (doc: number) => boolean,
) {
  const found = [...exact]
    .map(([text, numbers]) => ({ doc: text - 1000, raw: bestCosine(numbers, query) }))
    .filter(({ doc }) => wants(doc))
    .toSorted((a, b) => b.raw - a.raw || a.doc - b.doc);
  const least = found[Math.min(k, found.length) - 1]?.raw ?? Infinity;
  return found.filter(({ raw }) => raw >= least);
}

function sorted(best: readonly { doc: number; raw: number }[]) {
  return best.toSorted((a, b) => b.raw - a.raw || a.doc - b.doc);
}

test('the best are those of a scan, however close the others are', () => {
  const play = fc.record({
    seed: fc.nat(),
    count: fc.integer({ min: 1, max: 700 }),
    passages: fc.constantFrom(1, 1, 3),
    spread: fc.constantFrom(0, 2 ** -22, 1e-4, 0.003, 0.02, 1),
    k: fc.constantFrom(1, 3, 10, 100),
    share: fc.constantFrom(1, 2, 7),
  });
  fc.assert(
    fc.property(play, ({ seed, count, passages, spread, k, share }) => {
      const random = seededRandom(seed);
      const centre = unitVector(random);
      const vectorOf = (): Float32Array =>
        unitVector(random).map((number, d) => (centre[d] as number) + spread * number);
      const { matrix, exact, read } = crowd(count, vectorOf, passages);
      const wants = (doc: number): boolean => doc % share === 0;
      for (const query of [centre, vectorOf(), unitVector(random)]) {
        const { best, compared } = matrix.nearest(query, k, wants, read);
        expect(sorted(best)).toEqual(byScan(exact, query, k, wants));
        expect(compared).toBe(Math.ceil(count / share));
      }
    }),
    { numRuns: 150, seed: 21 },
  );
});

test('few exact vectors are read where the others are far away', () => {
  const random = seededRandom(2);
  const { matrix, seen, read } = crowd(5000, () => unitVector(random));
  for (let i = 0; i < 20; i++) matrix.nearest(unitVector(random), 10, all, read);
  expect(seen.read / 20).toBeLessThan(100);
});

test('no exact vector is read for those that the filter leaves out', () => {
  const random = seededRandom(6);
  const { matrix, seen, read } = crowd(500, () => unitVector(random));
  const { best, compared } = matrix.nearest(unitVector(random), 10, (doc) => doc === 17, read);
  expect(best.map(({ doc }) => doc)).toEqual([17]);
  expect([seen.read, compared]).toEqual([1, 1]);
});

test('a document whose exact vectors are gone is told and left out, until it has others', () => {
  const random = seededRandom(7);
  const { matrix, exact, gone, read } = crowd(200, () => unitVector(random));
  const query = exact.get(1042) as Float32Array;
  exact.delete(1042);
  expect(sorted(matrix.nearest(query, 5, all, read).best)).toEqual(byScan(exact, query, 5, all));
  expect(gone).toEqual([42]);
  expect(matrix.nearest(query, 5, all, read).compared).toBe(199);
  exact.set(1500, query);
  matrix.add(packOf(42, 1500, query));
  const [first] = sorted(matrix.nearest(query, 1, all, read).best);
  expect(first?.doc).toBe(42);
});

test('the same document twice is one; of another text, the later counts', () => {
  const random = seededRandom(8);
  const [one, other] = [unitVector(random), unitVector(random)];
  const { matrix, read, exact } = crowd(0, () => one);
  for (const [text, numbers] of [
    [1, one],
    [1, one],
    [2, other],
    [2, other],
  ] as const) {
    exact.set(text, numbers);
    matrix.add(packOf(5, text, numbers));
  }
  expect(matrix.size).toBe(2);
  const { best, compared } = matrix.nearest(other, 9, all, read);
  expect([best, compared]).toEqual([[{ doc: 5, raw: bestCosine(other, other) }], 1]);
  const cosines = matrix.cosinesOf([5, 6], one, read);
  expect([...cosines]).toEqual([[5, bestCosine(other, one)]]);
});
