// A process that asks or writes as fast as it can, for bench/postgres-costs.mjs. Arguments: the store,
// `recall` or `remember`, how many calls wait at a time, seconds, and a number no other caller has. It
// says `ready`, begins at a line on stdin, prints its figures as JSON and stays until stdin ends.
import { createInterface } from 'node:readline';
import { memories, questions } from './corpus.mjs';
import { ENVIRONMENT } from './store.mjs';

const LOCI = new URL('../dist/index.js', import.meta.url).href;
const DIMS = 384;
const WARM_UP = 20;

const [store = '', verb = '', width = '1', seconds = '5', number = '0'] = process.argv.slice(2);
/** @type {typeof import('../src/index.ts')} */
const { open } = await import(LOCI);
const env = { ...ENVIRONMENT, LOCI_EMBEDDER: 'fake', LOCI_EMBED_DIMENSIONS: String(DIMS) };
const loci = await open(store, { project: 'bench', env });
const asked = questions(memories(1000, 1), 500).map((words) => words.join(' '));
const written = verb === 'remember' ? memories(20_000, 100 + Number(number)) : [];

/** @param {number} n */
const call = (n) =>
  verb === 'recall'
    ? loci.recall({ query: asked[n % asked.length] ?? '' })
    : loci.remember(written.slice(n, n + 1));

let calls = 0;
while (calls < WARM_UP) await call(calls++);
process.stdout.write('ready\n');
for await (const _line of createInterface({ input: process.stdin })) {
  calls = WARM_UP;
  const before = process.cpuUsage();
  const began = performance.now();
  const until = began + Number(seconds) * 1000;
  const callers = Array.from({ length: Number(width) }, async () => {
    while (performance.now() < until) await call(calls++);
  });
  await Promise.all(callers);
  const { user, system } = process.cpuUsage(before);
  const figures = {
    calls: calls - WARM_UP,
    ms: performance.now() - began,
    cpuMs: (user + system) / 1000,
    megabytes: process.memoryUsage().rss / 2 ** 20,
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
await loci.close();
