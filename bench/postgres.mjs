import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { missingPostgres, startPostgres } from '../scripts/postgres.mjs';
import { memories, questions } from './corpus.mjs';
import { inTurn, timeOnce } from './measure.mjs';
import { benchPostgresCosts } from './postgres-costs.mjs';
import { plainTable } from './postgres-floors.mjs';
import { ENVIRONMENT } from './store.mjs';

const QUESTIONS = 200;
const WARM_UP = 20;
const WRITES = 200;
const A_CALL = 5000;
const DIMS = 384;
const SMALLEST = 10_000;
const CLI = fileURLToPath(new URL('../bin/loci.js', import.meta.url));
const LOCI = new URL('../dist/index.js', import.meta.url).href;

/**
 * A store on a server of its own with vectors, against one plain table with a `tsvector` and an HNSW
 * index on the same server. Says why where there is no server.
 * @param {number} size
 * @param {import('./report.mjs').Report} report
 */
export async function benchPostgres(size, report) {
  if (size < SMALLEST) return;
  const missing = missingPostgres();
  if (missing) {
    report.note(`postgres: not measured, ${missing} (npm run postgres -- --install)`);
    return;
  }
  // As a server is out of the box: it waits for the disk.
  const server = await startPostgres({ settings: { shared_buffers: '256MB' } });
  try {
    await measure(server.url, size, report);
  } finally {
    await server.stop();
  }
}

/**
 * @param {string} url
 * @param {number} size
 * @param {import('./report.mjs').Report} report
 */
async function measure(url, size, report) {
  /** @type {typeof import('../src/index.ts')} */
  const { open } = await import(LOCI);
  execFileSync(process.execPath, [CLI, 'setup', '--store', url], { env: ENVIRONMENT });
  const env = { ...ENVIRONMENT, LOCI_EMBEDDER: 'fake', LOCI_EMBED_DIMENSIONS: String(DIMS) };
  const corpus = memories(size, 1);
  const filling = await open(url, { project: 'bench', env });
  const fillMs = await timeOnce(async () => {
    for (let from = 0; from < size; from += A_CALL) {
      await filling.remember(corpus.slice(from, from + A_CALL));
    }
    await filling.reindex({ embed: true });
  });
  await filling.close();
  report.note(`${size} memories with vectors stored in ${Math.round(fillMs / 1000)} s`);

  const plain = await plainTable(url, DIMS);
  const loci = await open(url, { project: 'bench', env });
  try {
    const asked = questions(corpus, QUESTIONS).map((words) => words.join(' '));
    const first = await timeOnce(() => loci.recall({ query: asked[0] ?? '' }));
    report.note(`the first question of a process: ${Math.round(first)} ms`);
    /** @param {number} count */
    const ask = (count) =>
      inTurn(
        count,
        (round) => timeOnce(() => loci.recall({ query: asked[round] ?? '' })),
        (round) => timeOnce(() => plain.ask(asked[round] ?? '', round)),
      );
    await ask(WARM_UP);
    const times = await ask(QUESTIONS);
    report.add('postgres, recall p50 / tsvector + hnsw', size, times.at(0.5));
    report.add('postgres, recall p95 / tsvector + hnsw', size, times.at(0.95), 1);

    const more = memories(WRITES, 3);
    const writes = await inTurn(
      WRITES,
      (round) => timeOnce(() => loci.remember(more.slice(round, round + 1))),
      (round) => timeOnce(() => plain.insert(more[round] ?? { title: '', body: '' }, round)),
    );
    report.add('postgres, remember p50 / insert', size, writes.at(0.5));
    report.add('postgres, remember p95 / insert', size, writes.at(0.95), 2);
  } finally {
    await loci.close();
    await plain.close();
  }
  await benchPostgresCosts(url, size + WRITES, report);
}
