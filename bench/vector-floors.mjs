/** Numbers of a vector, as small encoders have them. */
export const DIMS = 384;
/** Vectors lie around this many points, closer to one than to the others, as texts on subjects do. */
const SUBJECTS = 200;
const OWN_PART = 0.8;

/**
 * Vectors of unit length, one after another.
 * @param {number} count
 * @param {number} seed
 */
export function randomVectors(count, seed) {
  const subjects = gaussians(SUBJECTS * DIMS, randomOf(7));
  const random = randomOf(seed);
  const all = gaussians(count * DIMS, random);
  for (let i = 0; i < count; i++) {
    const subject = Math.floor(random() * SUBJECTS) * DIMS;
    const vector = all.subarray(i * DIMS, (i + 1) * DIMS);
    let square = 0;
    for (let d = 0; d < DIMS; d++) {
      const number = OWN_PART * Number(vector[d]) + (1 - OWN_PART) * Number(subjects[subject + d]);
      vector[d] = number;
      square += number * number;
    }
    const length = Math.sqrt(square);
    for (let d = 0; d < DIMS; d++) vector[d] = Number(vector[d]) / length;
  }
  return all;
}

/**
 * Places of the k vectors nearest to a question, best first, by a scan of all.
 * @param {Float32Array} vectors
 * @param {Float32Array} question
 * @param {number} k
 */
export function exactScan(vectors, question, k) {
  /** @type {{ at: number, cosine: number }[]} */
  const best = [];
  let least = -Infinity;
  for (let i = 0, from = 0; from < vectors.length; i++, from += DIMS) {
    let cosine = 0;
    for (let d = 0; d < DIMS; d++) {
      cosine += /** @type {number} */ (question[d]) * /** @type {number} */ (vectors[from + d]);
    }
    if (cosine <= least) continue;
    best.push({ at: i, cosine });
    best.sort((a, b) => b.cosine - a.cosine);
    if (best.length > k) best.pop();
    if (best.length === k) least = best.at(-1)?.cosine ?? least;
  }
  return best;
}

/**
 * The same, as the engine names them.
 * @param {Float32Array} vectors
 * @param {Float32Array} question
 * @param {number} k
 */
export function nearestTo(vectors, question, k) {
  return exactScan(vectors, question, k).map(({ at, cosine }) => ({ id: idOf(at), cosine }));
}

/** @param {number} at */
export function idOf(at) {
  return `FACT-${at}`;
}

/** @param {Buffer} bytes */
export function floatsIn(bytes) {
  return Float32Array.from(new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2));
}

/**
 * @param {number} count
 * @param {() => number} random
 */
function gaussians(count, random) {
  const numbers = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    // Box and Muller.
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    numbers[i] = radius * Math.cos(2 * Math.PI * random());
  }
  return numbers;
}

/**
 * Numbers from 0 to 1 (mulberry32).
 * @param {number} seed
 */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
