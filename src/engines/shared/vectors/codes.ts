/**
 * Vectors in whole numbers. A vector v is its codes times its scale, and what rounding left over:
 * v = s·c + r. A question q is coded the same way, finer: q = t·k + p. Then
 *
 *   v·q = s·t·(c·k) + s·c·p + r·q
 *
 * c·k is a sum of whole numbers, the same on every machine and in any order. By Cauchy and Schwarz
 * the rest is at most |s·c|·|p| + |r|·|q|, so the lengths of codes and remainders, kept beside the
 * codes, say how far the cosine can be off.
 */

/** Largest code of a kept vector: one byte a number. */
const VECTOR_MOST = 127;
/** Largest code of a question: two bytes a number. */
const QUERY_MOST = 32_767;
/** What a sum of whole numbers may reach in 32 bits. */
const SUM_MOST = 2 ** 31 - 1;
/** Twice the share of a number that one rounding of 64 bits takes away. */
const ROUNDING = 2 ** -52;
/** A little more than rounding to 32 bits takes away. */
const ABOVE = 1 + 2 ** -23;
const SMALLEST = 2 ** -126;

/** What is kept of a vector beside its codes. */
interface Measures {
  readonly scale: number;
  /** At least the length of the codes times the scale. */
  readonly length: number;
  /** At least the length of what rounding left over. */
  readonly remainder: number;
}

/** Codes of some vectors, one after another, with their measures by vector. */
export interface VectorCodes {
  readonly codes: Int8Array;
  /** Scale, length and remainder of each, all 32 bits: {@link MEASURES} a vector. */
  readonly measures: Float32Array;
}

export const MEASURES = 3;

/** A question, ready to be compared with codes. */
export interface QueryCodes {
  readonly vector: Float32Array;
  readonly codes: Int16Array;
  readonly scale: number;
  /** How far off a cosine is for each unit of a vector's length, and of its remainder. */
  readonly perLength: number;
  readonly perRemainder: number;
}

/** @param numbers vectors of `dims` numbers, one after another */
export function encode(numbers: Float32Array, dims: number): VectorCodes {
  const count = numbers.length / dims;
  const codes = new Int8Array(numbers.length);
  const measures = new Float32Array(count * MEASURES);
  for (let i = 0; i < count; i++) {
    const at = i * dims;
    const one = numbers.subarray(at, at + dims);
    const { scale, length, remainder } = code(one, VECTOR_MOST, codes.subarray(at, at + dims));
    measures.set([scale, length, remainder], i * MEASURES);
  }
  return { codes, measures };
}

export function encodeQuery(vector: Float32Array): QueryCodes {
  const dims = vector.length;
  // No sum of products may leave 32 bits, whatever the signs are.
  const most = Math.min(QUERY_MOST, Math.floor(SUM_MOST / (VECTOR_MOST * Math.max(1, dims))));
  const codes = new Int16Array(dims);
  const { scale, remainder } = code(vector, most, codes);
  let square = 0;
  for (const number of vector) square += number * number;
  const length = roundedUp(Math.sqrt(square));
  // The exact cosine is itself a sum that is rounded at each step.
  const slack = (dims + 4) * ROUNDING * (length + remainder);
  return { vector, codes, scale, perLength: remainder + slack, perRemainder: length + slack };
}

/** What codes say of a cosine; `sum` is the product of both rows of codes. */
export function codedCosine(sum: number, scale: number, query: QueryCodes): number {
  return sum * (scale * query.scale);
}

/** Cosine of the passage that lies nearest to a question, as the codes tell it; -Infinity for none. */
export function bestCodedCosine({ codes, measures }: VectorCodes, query: QueryCodes): number {
  const dims = query.codes.length;
  let best = -Infinity;
  for (let i = 0; i * dims < codes.length; i++) {
    let sum = 0;
    for (let d = 0; d < dims; d++) {
      sum += (query.codes[d] as number) * (codes[i * dims + d] as number);
    }
    best = Math.max(best, codedCosine(sum, measures[i * MEASURES] as number, query));
  }
  return best;
}

/** How far {@link codedCosine} can be from {@link bestCosine} of the same vector, at most. */
export function errorOf(length: number, remainder: number, query: QueryCodes): number {
  return length * query.perLength + remainder * query.perRemainder;
}

/**
 * Cosine of the best of several passages of a text, with numbers of 64 bits added in order: the same
 * to the last bit on every engine.
 */
export function bestCosine(numbers: Float32Array, query: Float32Array): number {
  const dims = query.length;
  let best = -Infinity;
  for (let at = 0; at < numbers.length; at += dims) {
    let sum = 0;
    for (let d = 0; d < dims; d++) sum += (query[d] as number) * (numbers[at + d] as number);
    if (sum > best) best = sum;
  }
  return best;
}

/** Vectors one after another. */
export function joined(vectors: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(vectors.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const vector of vectors) {
    all.set(vector, at);
    at += vector.length;
  }
  return all;
}

/** What was {@link joined}: vectors of `dims` numbers, copies of their own. */
export function split(numbers: Float32Array, dims: number): readonly Float32Array[] {
  const vectors: Float32Array[] = [];
  for (let at = 0; at < numbers.length; at += dims) vectors.push(numbers.slice(at, at + dims));
  return vectors;
}

function code(vector: Float32Array, most: number, codes: Int8Array | Int16Array): Measures {
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  // Of 32 bits, so that a code times the scale is exact in 64.
  const scale = Math.fround(largest / most);
  let square = 0;
  let rest = 0;
  for (let d = 0; d < vector.length; d++) {
    const number = vector[d] as number;
    const nearest = scale === 0 ? 0 : Math.round(number / scale);
    const one = Math.max(-most, Math.min(most, nearest));
    codes[d] = one;
    square += (one * scale) ** 2;
    rest += (number - one * scale) ** 2;
  }
  return { scale, length: roundedUp(Math.sqrt(square)), remainder: roundedUp(Math.sqrt(rest)) };
}

/** A number of 32 bits that is not below. */
function roundedUp(length: number): number {
  return Math.fround(length * ABOVE + SMALLEST);
}
