import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTurn, quantile, timeOnce } from './measure.mjs';
import { DIMS, exactScan, floatsIn, nearestTo, randomVectors } from './vector-floors.mjs';
import { addVectors, openVectorStore, request } from './vector-store.mjs';

const K = 10;
const QUESTIONS = 200;
const WARM_UP = 20;
const ADDED = 30;
const LOADS = 5;
const MEGABYTE = 2 ** 20;
/** @type {Record<number, number>} */
const BOUNDS = { 10_000: 1.5, 100_000: 1.5 };

/**
 * The nearest of many vectors, against a scan of one Float32Array that holds them all. Every answer has
 * to be that of the scan, to the last bit of each cosine.
 * @param {string} folder
 * @param {number} size memories, each with one vector
 * @param {import('./report.mjs').Report} report
 * @throws AssertionError where an answer differs
 */
export async function benchVectors(folder, size, report) {
  const path = `${folder}/${size}-vectors.db`;
  const plainPath = `${folder}/${size}-vectors.f32`;
  const vectors = randomVectors(size, 1);
  const questions = randomVectors(QUESTIONS, 2);
  writeFileSync(plainPath, vectors);

  const bundle = join(folder, 'vector-engine.mjs');
  const filling = await openVectorStore(path, bundle);
  const fillMs = await timeOnce(() => addVectors(filling, vectors, 0));
  await filling.close();

  const questionPath = `${folder}/question.f32`;
  writeFileSync(questionPath, questions.subarray(0, DIMS));
  const loads = Array.from({ length: LOADS }, () => loadOnce(bundle, path, questionPath));
  const reads = [];
  for (let i = 0; i < LOADS; i++) {
    reads.push(await timeOnce(() => floatsIn(readFileSync(plainPath))));
  }
  const load = {
    ours: quantile(
      loads.map(({ ms }) => ms),
      0.5,
    ),
    floor: quantile(reads, 0.5),
  };
  const memory = {
    ours: quantile(
      loads.map(({ megabytes }) => megabytes),
      0.5,
    ),
    floor: vectors.byteLength / MEGABYTE,
  };
  report.add('vectors, first nearest / read of the floats', size, load);
  report.add('vectors, memory in MB / the floats', size, memory);

  const engine = await openVectorStore(path, bundle);
  /** @param {number} round */
  const asked = (round) => questions.subarray(round * DIMS, (round + 1) * DIMS);
  /** @type {import('../src/ports/engine.ts').NearestResult | undefined} */
  let answer;
  let right = 0;
  /** @param {number} count */
  const ask = (count) =>
    inTurn(
      count,
      (round) =>
        timeOnce(async () => {
          answer = await engine.nearest(request(asked(round), K));
        }),
      (round) => timeOnce(() => exactScan(vectors, asked(round), K)),
    );
  await ask(WARM_UP);
  const times = await ask(QUESTIONS);
  report.add('vectors, nearest p50 / scan of floats', size, times.at(0.5), BOUNDS[size]);
  report.add('vectors, nearest p95 / scan of floats', size, times.at(0.95), BOUNDS[size]);

  for (let round = 0; round < QUESTIONS; round++) {
    answer = await engine.nearest(request(asked(round), K));
    const hits = answer.hits.map(({ id, cosine }) => ({ id, cosine }));
    assert.deepEqual(hits, nearestTo(vectors, asked(round), K));
    right += hits.length;
  }
  report.note(
    `checked: ${right} of ${QUESTIONS * K} nearest are those of the scan, to the last bit`,
  );

  const added = await inTurn(
    ADDED,
    (round) =>
      timeOnce(async () => {
        await addVectors(engine, randomVectors(1, 100 + round), size + round);
        await engine.nearest(request(asked(round), K));
      }),
    (round) => timeOnce(() => exactScan(vectors, asked(round), K)),
  );
  report.add('vectors, one more and nearest / scan of floats', size, added.at(0.5));
  await engine.close();
  report.note(
    `${size} memories with vectors stored in ${Math.round(fillMs)} ms ` +
      `(${(fillMs / size).toFixed(2)} ms each), ${Math.round(statSync(path).size / MEGABYTE)} MB on disk`,
  );
}

/**
 * The first answer in a process of its own.
 * @param {...string} args
 * @returns {{ ms: number, megabytes: number }}
 */
function loadOnce(...args) {
  const script = fileURLToPath(new URL('vector-load.mjs', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [script, ...args], { encoding: 'utf8' }));
}
