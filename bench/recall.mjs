import { questions } from './corpus.mjs';
import { fullText } from './floors.mjs';
import { inTurn, timeOnce } from './measure.mjs';
import { beside, openStore } from './store.mjs';

const QUESTIONS = 200;
const WARM_UP = 20;
/** @type {Record<number, number>} */
const BOUNDS = { 10_000: 1.5, 100_000: 0.4 };
/** @type {Record<number, number>} */
const BOUNDS_OF_WORDS = { 10_000: 1, 100_000: 0.2 };

/**
 * Questions to an open vault with everything embedded, and to the same vault by words alone, each in
 * turn with the same words to a full-text table of the same texts.
 * @param {import('./store.mjs').Loci} loci
 * @param {import('./store.mjs').Vault} vault
 * @param {import('./report.mjs').Report} report
 */
export async function benchRecall(loci, vault, report) {
  const { size, corpus, written, path, folder } = vault;
  const text = fullText(beside(vault, 'text.db'), written);
  const asked = questions(corpus, QUESTIONS);
  const words = (/** @type {number} */ round) => asked[round] ?? [];
  /**
   * @param {import('./store.mjs').Loci} store
   * @param {number} count
   */
  const ask = (store, count) =>
    inTurn(
      count,
      (round) => timeOnce(() => store.recall({ query: words(round).join(' ') })),
      (round) => timeOnce(() => text.ask(words(round))),
    );
  const plain = await openStore(path, folder, { embedder: 'none' });
  await ask(plain, WARM_UP);
  const byWords = await ask(plain, QUESTIONS);
  await plain.close();
  // Else the questions are asked while the batch is being embedded.
  await loci.reEmbed();
  await ask(loci, WARM_UP);
  const times = await ask(loci, QUESTIONS);
  text.close();
  report.add('recall p50 / FTS5 bm25 OR', size, times.at(0.5), BOUNDS[size]);
  report.add('recall p95 / FTS5 bm25 OR', size, times.at(0.95), BOUNDS[size]);
  const bound = BOUNDS_OF_WORDS[size];
  report.add('recall by words p50 / FTS5 bm25 OR', size, byWords.at(0.5), bound);
  report.add('recall by words p95 / FTS5 bm25 OR', size, byWords.at(0.95), bound);
}
