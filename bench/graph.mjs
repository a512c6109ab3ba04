import { questions } from './corpus.mjs';
import { inTurn, timeOnce } from './measure.mjs';

const ROUNDS = 100;
const WARM_UP = 10;
/** Of one recall, at this size. */
const BOUND_AT_10_000 = 10;

/**
 * Walks from memory to memory in an open vault, each in turn with a question: from the newest
 * memories, and from a memory of its own.
 * @param {import('./store.mjs').Loci} loci
 * @param {import('./store.mjs').Vault} vault
 * @param {import('./report.mjs').Report} report
 */
export async function benchGraph(loci, { size, corpus, written }, report) {
  const asked = questions(corpus, ROUNDS);
  const recall = (/** @type {number} */ round) =>
    timeOnce(() => loci.recall({ query: (asked[round] ?? []).join(' ') }));
  const seed = (/** @type {number} */ round) => written[(round * 7919) % written.length]?.id ?? '';
  const walks = /** @type {const} */ ([
    ['wander from the newest / recall', () => timeOnce(() => loci.wander())],
    [
      'wander from a memory / recall',
      (/** @type {number} */ round) => timeOnce(() => loci.wander({ seeds: [seed(round)] })),
    ],
  ]);
  const citations = await timeOnce(() => loci.citations());
  report.note(`citations of ${size.toLocaleString('en')} memories: ${citations.toFixed(0)} ms`);
  for (const [what, walk] of walks) {
    await inTurn(WARM_UP, walk, recall);
    const times = await inTurn(ROUNDS, walk, recall);
    report.add(what, size, times.at(0.5), size === 10_000 ? BOUND_AT_10_000 : undefined);
  }
}
