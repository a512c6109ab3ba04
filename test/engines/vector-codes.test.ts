import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CodeRows } from '../../src/engines/shared/vectors/code-rows.ts';
import {
  bestCosine,
  codedCosine,
  encode,
  encodeQuery,
  errorOf,
  joined,
} from '../../src/engines/shared/vectors/codes.ts';
import { plainKernel, wasmKernel, type Kernel } from '../../src/engines/shared/vectors/kernel.ts';
import { Moments } from '../../src/engines/shared/vectors/moments.ts';
import { seededRandom } from '../../src/domain/random.ts';

afterEach(() => vi.unstubAllGlobals());

function requireWasm(): Kernel {
  const kernel = wasmKernel();
  if (!kernel) throw new Error('this Node has no WebAssembly with SIMD');
  return kernel;
}

/** Products of all rows with a question, by the definition. */
function products(codes: Int8Array, query: Int16Array): number[] {
  const dims = query.length;
  return Array.from({ length: codes.length / dims }, (_, row) =>
    query.reduce((sum, number, d) => sum + number * (codes[row * dims + d] as number), 0),
  );
}

function sumsOf(kernel: Kernel, codes: Int8Array, query: Int16Array, rows: readonly number[]) {
  const table = new CodeRows(query.length, kernel);
  table.reserve(codes.length / query.length);
  table.set(0, codes);
  const sums = new Int32Array(rows.length);
  table.dots(query, Uint32Array.from(rows), rows.length, sums);
  return [...sums];
}

function unitVector(random: () => number, dims: number): Float32Array {
  const vector = Float32Array.from({ length: dims }, () => random() + random() + random() - 1.5);
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}

describe('the product of codes', () => {
  const anyByte = fc.integer({ min: -127, max: 127 });

  test('is the same by WebAssembly, by JavaScript and by definition', () => {
    const table = fc
      .record({ dims: fc.integer({ min: 1, max: 130 }), count: fc.integer({ min: 1, max: 20 }) })
      .chain(({ dims, count }) =>
        fc.record({
          codes: fc.array(anyByte, { minLength: dims * count, maxLength: dims * count }),
          query: fc.array(fc.integer({ min: -32_767, max: 32_767 }), {
            minLength: dims,
            maxLength: dims,
          }),
          rows: fc.array(fc.integer({ min: 0, max: count - 1 }), { minLength: 1 }),
        }),
      );
    fc.assert(
      fc.property(table, ({ codes: all, query, rows }) => {
        const [bytes, asked] = [Int8Array.from(all), Int16Array.from(query)];
        const right = products(bytes, asked);
        const wanted = rows.map((row) => right[row]);
        expect(sumsOf(requireWasm(), bytes, asked, rows)).toEqual(wanted);
        expect(sumsOf(plainKernel(), bytes, asked, rows)).toEqual(wanted);
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  test.each([1, 31, 384, 1536, 4096])('never leaves 32 bits, with %i numbers', (dims) => {
    const vector = new Float32Array(dims).fill(1);
    const { codes: query } = encodeQuery(vector);
    const most = encode(vector, dims).codes;
    const least = most.map((code) => -code);
    const right = 127 * (query[0] as number) * dims;
    expect(right).toBeLessThan(2 ** 31);
    for (const kernel of [requireWasm(), plainKernel()]) {
      expect(sumsOf(kernel, Int8Array.from([...most, ...least]), query, [0, 1])).toEqual([
        right,
        -right,
      ]);
    }
  });

  test('holds for more rows than are multiplied at a time, while their number grows', () => {
    const random = seededRandom(3);
    const byte = (): number => Math.floor(random() * 255) - 127;
    const query = Int16Array.from({ length: 40 }, () => byte() * 200);
    const all = Int8Array.from({ length: 40 * 10_000 }, byte);
    for (const kernel of [requireWasm(), plainKernel()]) {
      const table = new CodeRows(40, kernel);
      for (let row = 0; row < 10_000; row += 2500) {
        table.reserve(row + 2500);
        table.set(row, all.subarray(row * 40, (row + 2500) * 40));
      }
      const sums = new Int32Array(10_000);
      const rows = Uint32Array.from(sums, (_, row) => row);
      table.dots(query, rows, rows.length, sums);
      expect([...sums]).toEqual(products(all, query));
    }
  });

  test('goes on in JavaScript where WebAssembly is missing, or gets no more memory', () => {
    const query = Int16Array.of(3, -5);
    const codes = Int8Array.of(1, 2, -127, 127);
    const { memory, dots } = requireWasm();
    const full: Kernel = {
      dots,
      memory: {
        get buffer() {
          return memory.buffer;
        },
        grow() {
          throw new RangeError('WebAssembly.Memory.grow(): Maximum memory size exceeded');
        },
      },
    };
    const table = new CodeRows(2, full);
    table.reserve(1);
    table.set(0, codes.subarray(0, 2));
    table.reserve(5000);
    table.set(4999, codes.subarray(2));
    const sums = new Int32Array(2);
    table.dots(query, Uint32Array.of(0, 4999), 2, sums);
    expect([...sums]).toEqual([-7, -1016]);
    vi.stubGlobal('WebAssembly', undefined);
    expect(wasmKernel()).toBeUndefined();
    const plain = new CodeRows(2);
    plain.reserve(2);
    plain.set(0, codes);
    plain.dots(query, Uint32Array.of(1, 0), 2, sums);
    expect([...sums]).toEqual([-1016, -7]);
  });
});

/** How far it is from the exact one, and how far it may be. */
function distance(vector: Float32Array, question: Float32Array): { error: number; bound: number } {
  const query = encodeQuery(question);
  const { codes, measures } = encode(vector, vector.length);
  const [scale, length, remainder] = [...measures] as [number, number, number];
  const [sum] = products(codes, query.codes);
  const coded = codedCosine(sum as number, scale, query);
  return {
    error: Math.abs(coded - bestCosine(vector, question)),
    bound: errorOf(length, remainder, query),
  };
}

describe('a coded cosine', () => {
  test('is never further from the exact one than its bound, whatever the numbers', () => {
    const number = fc.oneof(
      fc.float({ noNaN: true, noDefaultInfinity: true, min: -1, max: 1 }),
      fc.constantFrom(0, 1, -1, 1e-30, -1e-38, Math.fround(1e-44), Math.fround(0.1)),
      fc.float({
        noNaN: true,
        noDefaultInfinity: true,
        min: Math.fround(-1e6),
        max: Math.fround(1e6),
      }),
    );
    const pair = fc.integer({ min: 1, max: 70 }).chain((dims) => {
      const numbers = fc.array(number, { minLength: dims, maxLength: dims });
      return fc.tuple(numbers, numbers);
    });
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const { error, bound } = distance(Float32Array.from(a), Float32Array.from(b));
        expect(error).toBeLessThanOrEqual(bound);
      }),
      { numRuns: 3000, seed: 12 },
    );
  });

  test('reaches its bound where all that was rounded off points the same way', () => {
    // One large number sets the scale; the others lie half a step away from a code.
    const half = Math.fround(0.5 / 127);
    const vector = new Float32Array(384).fill(half * 0.999);
    const question = new Float32Array(384).fill(1 / Math.sqrt(383));
    vector[0] = 1;
    question[0] = 0;
    const { error, bound } = distance(vector, question);
    expect(error).toBeLessThanOrEqual(bound);
    expect(error).toBeGreaterThan(0.99 * bound);
  });

  test('is near for vectors as models make them, and its bound is small', () => {
    const random = seededRandom(4);
    let [worst, widest] = [0, 0];
    for (let i = 0; i < 2000; i++) {
      const { error, bound } = distance(unitVector(random, 384), unitVector(random, 384));
      worst = Math.max(worst, error);
      widest = Math.max(widest, bound);
    }
    expect(worst).toBeLessThan(0.002);
    expect(widest).toBeLessThan(0.011);
  });

  test('of a vector of zeros is zero', () => {
    const zeros = new Float32Array(8);
    expect(encode(zeros, 8).codes).toEqual(new Int8Array(8));
    expect(distance(zeros, Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0)).error).toBe(0);
    expect(distance(Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0), zeros).error).toBe(0);
  });
});

test('the best passage of a text counts', () => {
  const passages = joined([
    Float32Array.of(0, 1),
    Float32Array.of(0.5, 0.5),
    Float32Array.of(-1, 0),
  ]);
  expect(bestCosine(passages, Float32Array.of(1, 0))).toBe(0.5);
  expect(bestCosine(passages, Float32Array.of(-1, 0))).toBe(1);
});

describe('moments', () => {
  test('are those of the values, to a step', () => {
    const moments = new Moments();
    for (const value of [0.25, 0.5, 0.75]) moments.add(value);
    const { mean, deviation, compared } = moments.result();
    expect([mean, compared]).toEqual([0.5, 3]);
    expect(deviation).toBeCloseTo(Math.sqrt(1 / 24), 12);
    expect(new Moments().result()).toEqual({ mean: 0, deviation: 0, compared: 0 });
  });

  test('do not depend on the order, to the last bit', () => {
    const cosines = fc.array(fc.double({ min: -1.01, max: 1.01, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(cosines, fc.integer(), (values, seed) => {
        const random = seededRandom(seed);
        const shuffled = values
          .map((value) => ({ value, key: random() }))
          .toSorted((a, b) => a.key - b.key);
        const [here, there] = [new Moments(), new Moments()];
        for (const value of values) here.add(value);
        for (const { value } of shuffled) there.add(value);
        expect(there.result()).toEqual(here.result());
      }),
      { numRuns: 300, seed: 13 },
    );
  });

  test('of coded cosines are near those of exact ones', () => {
    const random = seededRandom(5);
    const question = unitVector(random, 128);
    const query = encodeQuery(question);
    const [coded, exact] = [new Moments(), new Moments()];
    for (let i = 0; i < 1000; i++) {
      const vector = unitVector(random, 128);
      const { codes, measures } = encode(vector, 128);
      const [sum] = products(codes, query.codes);
      coded.add(codedCosine(sum as number, measures[0] as number, query));
      exact.add(bestCosine(vector, question));
    }
    expect(Math.abs(coded.result().mean - exact.result().mean)).toBeLessThan(1e-4);
    expect(Math.abs(coded.result().deviation - exact.result().deviation)).toBeLessThan(1e-4);
  });
});
