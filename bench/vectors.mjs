import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { inTurn, timeOnce } from './measure.mjs';
import { DIMS, exactScan, floatsIn, nearestTo, randomVectors } from './vector-floors.mjs';
import { addVectors, openVectorStore, request } from './vector-store.mjs';

const K = 10;
const QUESTIONS = 200;
const WARM_UP = 20;
const ADDED = 30;
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

  const filling = await openVectorStore(path, folder);
  const ours = await timeOnce(() => addVectors(filling, vectors, 0));
  const floor = await timeOnce(() => floatsIn(readFileSync(plainPath)));
  await filling.close();

  const engine = await openVectorStore(path, folder);
  const before = process.memoryUsage().rss;
  const load = await timeOnce(() => engine.nearest(request(questions.subarray(0, DIMS), K)));
  const memory = (process.memoryUsage().rss - before) / MEGABYTE;
  report.add('vectors, first nearest / read of the floats', size, { ours: load, floor });
  const plainMemory = vectors.byteLength / MEGABYTE;
  report.add('vectors, memory in MB / the floats', size, { ours: memory, floor: plainMemory });

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
  const perMemory = ours / size;
  report.note(
    `${size} memories with ${DIMS} numbers: stored in ${Math.round(ours)} ms ` +
      `(${perMemory.toFixed(2)} ms each), ${Math.round(statSync(path).size / MEGABYTE)} MB on disk`,
  );
}
