/** Vectors are kept in 16 bits a number: half the size, and no cosine is off by more than 0.001. */
const UNIT = 32_767;

/** Vectors of one text, one passage after another. */
export function quantise(vectors: readonly Float32Array[]): Int16Array {
  const dims = vectors[0]?.length ?? 0;
  const codes = new Int16Array(vectors.length * dims);
  vectors.forEach((vector, i) => {
    for (let d = 0; d < dims; d++) codes[i * dims + d] = Math.round((vector[d] as number) * UNIT);
  });
  return codes;
}

/** The vectors that codes stand for; quantised again, they give the same codes. */
export function vectorsFrom(codes: Int16Array, dims: number): readonly Float32Array[] {
  const vectors: Float32Array[] = [];
  for (let at = 0; at < codes.length; at += dims) {
    vectors.push(Float32Array.from(codes.subarray(at, at + dims), (code) => code / UNIT));
  }
  return vectors;
}

/**
 * Cosine of the best of the passages from `start` up to, not including, `end`; the same to the last
 * bit on every engine.
 */
export function bestCosine(
  codes: Int16Array,
  start: number,
  end: number,
  query: Float32Array,
): number {
  const dims = query.length;
  let best = -UNIT;
  for (let at = start * dims; at < end * dims; at += dims) {
    let sum = 0;
    for (let d = 0; d < dims; d++) sum += (query[d] as number) * (codes[at + d] as number);
    if (sum > best) best = sum;
  }
  return best / UNIT;
}
