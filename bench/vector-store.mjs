import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DIMS, idOf } from './vector-floors.mjs';

/** @typedef {import('../src/ports/engine.ts').Engine} Engine */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PARTS = `
  export { fingerprintOf } from './src/domain/embedding.ts';
  export { openSqlite } from './src/engines/sqlite/open.ts';
  export { randomIds } from './src/models/system/ids.ts';
  export { systemClock } from './src/models/system/clock.ts';
  export { memoryOf, put } from './src/testing/memories.ts';
`;
const MODEL = {
  provider: 'fake',
  model: 'bench',
  dimensions: DIMS,
  queryPrefix: '',
  documentPrefix: '',
};
const MEMORIES_A_COMMIT = 5000;
const TEXTS_A_BATCH = 512;

/**
 * @typedef {object} Parts
 * @property {typeof import('../src/domain/embedding.ts').fingerprintOf} fingerprintOf
 * @property {typeof import('../src/engines/sqlite/open.ts').openSqlite} openSqlite
 * @property {typeof import('../src/models/system/ids.ts').randomIds} randomIds
 * @property {typeof import('../src/models/system/clock.ts').systemClock} systemClock
 * @property {typeof import('../src/testing/memories.ts').memoryOf} memoryOf
 * @property {typeof import('../src/testing/memories.ts').put} put
 */

/** @type {Parts} */
let parts;

/**
 * The sqlite engine itself: the library asks it only with what an embedder says.
 * @param {string} path
 * @param {string} bundle where the engine is, or is to be put
 */
export async function openVectorStore(path, bundle) {
  if (!existsSync(bundle)) await build(bundle);
  parts ??= /** @type {Parts} */ (await import(bundle));
  return parts.openSqlite({ path, clock: parts.systemClock, ids: parts.randomIds() });
}

/**
 * Adds memories, one for each vector, and then their vectors as a caller with an embedder does.
 * @param {Engine} engine
 * @param {Float32Array} vectors
 * @param {number} first number of the first memory
 */
export async function addVectors(engine, vectors, first) {
  const count = vectors.length / DIMS;
  for (let from = 0; from < count; from += MEMORIES_A_COMMIT) {
    const length = Math.min(MEMORIES_A_COMMIT, count - from);
    const memories = Array.from({ length }, (_, i) => {
      const at = first + from + i;
      return parts.memoryOf({ id: idOf(at), body: bodyOf(at) });
    });
    await parts.put(engine, ...memories);
  }
  const fingerprint = parts.fingerprintOf(MODEL);
  for (;;) {
    const texts = await engine.pendingVectors(fingerprint, TEXTS_A_BATCH);
    if (texts.length === 0) return;
    const rows = texts.map(({ key, passages }) => {
      const at = numberIn(passages[0] ?? '') - first;
      return { key, vectors: [vectors.subarray(at * DIMS, (at + 1) * DIMS)] };
    });
    await engine.putVectors(MODEL, rows);
  }
}

/**
 * @param {Float32Array} vector
 * @param {number} k
 * @returns {import('../src/ports/engine.ts').NearestRequest}
 */
export function request(vector, k) {
  const model = parts.fingerprintOf(MODEL);
  return { view: { projects: 'all', agents: 'all' }, filter: {}, model, vector, k };
}

/** @param {number} at */
function bodyOf(at) {
  return `Memory number ${at}.`;
}

/** @param {string} body */
function numberIn(body) {
  return Number(/\d+/.exec(body)?.[0]);
}

/** @param {string} outfile */
async function build(outfile) {
  const esbuild = await import('esbuild');
  await esbuild.build({
    stdin: { contents: PARTS, resolveDir: ROOT, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // SQLite is found from here, not from the bundle's folder.
    define: { 'import.meta.url': JSON.stringify(import.meta.url) },
    logLevel: 'error',
  });
}
