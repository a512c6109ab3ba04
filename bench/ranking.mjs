import assert from 'node:assert/strict';
import { questions } from './corpus.mjs';
import { openStore } from './store.mjs';

const QUESTIONS = 20;

/**
 * A fast answer has to be the right one: the vault ranks like the in-memory engine, which scans
 * every memory for every question.
 * @param {import('./store.mjs').Loci} loci
 * @param {import('./store.mjs').Vault} vault
 * @param {import('./report.mjs').Report} report
 * @throws AssertionError where they differ
 */
export async function checkRanking(loci, vault, report) {
  const oracle = await openStore('memory:', vault.folder);
  const { results } = await oracle.remember(vault.written);
  assert.deepEqual(
    results.map(({ id }) => id),
    vault.written.map(({ id }) => id),
  );
  await oracle.reEmbed();
  for (const words of questions(vault.corpus, QUESTIONS, 3)) {
    const query = words.join(' ');
    assert.deepEqual(await ranking(loci, query), await ranking(oracle, query), query);
  }
  await oracle.close();
  report.note(`checked: ${QUESTIONS} answers are those of a scan of all ${vault.written.length}`);
}

/**
 * @param {import('./store.mjs').Loci} loci
 * @param {string} query
 */
async function ranking(loci, query) {
  const { results } = await loci.recall({ query });
  assert.notEqual(results.length, 0, `nothing was found: ${query}`);
  return results.map(({ id, score }) => ({ id, score }));
}
