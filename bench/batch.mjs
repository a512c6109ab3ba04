import { memories } from './corpus.mjs';
import { plainBatch } from './floors.mjs';
import { quantile, timeOnce } from './measure.mjs';
import { beside, openStore, rememberAll } from './store.mjs';

const MOST_A_CALL = 10_000;
const BOUND_AT_10_000 = 12;

/**
 * Fills new vaults with the corpus, each between two fills of a plain SQLite file, and leaves the
 * last one open. Small ones are filled several times: they take too little time to be told once.
 * @param {import('./store.mjs').Vault} vault
 * @param {import('./report.mjs').Report} [report] without it the vault is filled once
 */
export async function benchBatch(vault, report) {
  const { size, corpus } = vault;
  const rounds = report && size <= 1000 ? 5 : 1;
  /** @type {{ ours: number[], floor: number[] }} */
  const times = { ours: [], floor: [] };
  const fillFloor = async (/** @type {string} */ name) => {
    if (report) times.floor.push(await timeOnce(() => plainBatch(beside(vault, name), corpus)));
  };
  for (let round = 1; ; round++) {
    vault.path = beside(vault, `vault-${round}`);
    vault.written = [];
    const loci = await openStore(vault.path, vault.folder);
    await rememberAll(loci, memories(1, 3), vault.written); // loads the tokeniser
    await fillFloor(`before-${round}.db`);
    times.ours.push(await timeOnce(() => fill(loci, vault)));
    await fillFloor(`after-${round}.db`);
    if (round === rounds) {
      const median = { ours: quantile(times.ours, 0.5), floor: quantile(times.floor, 0.5) };
      const bound = size === 10_000 ? BOUND_AT_10_000 : undefined;
      report?.add('batch into a vault / plain SQLite + FTS5', size, median, bound);
      return loci;
    }
    await loci.close();
  }
}

/**
 * @param {import('./store.mjs').Loci} loci
 * @param {import('./store.mjs').Vault} vault
 */
async function fill(loci, { corpus, written }) {
  for (let i = 0; i < corpus.length; i += MOST_A_CALL) {
    await rememberAll(loci, corpus.slice(i, i + MOST_A_CALL), written);
  }
}
