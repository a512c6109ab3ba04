import { questions } from './corpus.mjs';
import { fullText } from './floors.mjs';
import { inTurn, timeOnce } from './measure.mjs';
import { beside } from './store.mjs';

const QUESTIONS = 200;
const WARM_UP = 20;
/** @type {Record<number, number>} */
const BOUNDS = { 10_000: 1, 100_000: 0.2 };

/**
 * Questions to an open vault, in turn with the same words to a full-text table of the same texts.
 * @param {import('./store.mjs').Loci} loci
 * @param {import('./store.mjs').Vault} vault
 * @param {import('./report.mjs').Report} report
 */
export async function benchRecall(loci, vault, report) {
  const { size, corpus, written } = vault;
  const text = fullText(beside(vault, 'text.db'), written);
  const asked = questions(corpus, QUESTIONS);
  const words = (/** @type {number} */ round) => asked[round] ?? [];
  /** @param {number} count */
  const ask = (count) =>
    inTurn(
      count,
      (round) => timeOnce(() => loci.recall({ query: words(round).join(' ') })),
      (round) => timeOnce(() => text.ask(words(round))),
    );
  await ask(WARM_UP);
  const times = await ask(QUESTIONS);
  text.close();
  report.add('recall p50 / FTS5 bm25 OR', size, times.at(0.5), BOUNDS[size]);
  report.add('recall p95 / FTS5 bm25 OR', size, times.at(0.95), BOUNDS[size]);
}
