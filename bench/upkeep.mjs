import { inTurn, timeOnce } from './measure.mjs';
import { openStore } from './store.mjs';

const ROUNDS = 3;
const BOUND_AT_10_000 = 3;
const UNCHANGED_AT_10_000 = 0.3;

/**
 * A reflection that has to look at everything, and one of a store in which nothing has happened, in
 * turn with building the whole index anew.
 * @param {import('./store.mjs').Vault} vault
 * @param {import('./report.mjs').Report} report
 */
export async function benchUpkeep(vault, report) {
  const { size } = vault;
  const loci = await openStore(vault.path, vault.folder);
  const reindex = () => timeOnce(() => loci.reindex());
  // What was noted goes with the index: the next reflection looks at everything.
  const first = await inTurn(ROUNDS, () => timeOnce(() => loci.reflect()), reindex);
  const again = await inTurn(
    ROUNDS,
    () => timeOnce(() => loci.reflect()),
    async () => {
      const ms = await reindex();
      await loci.reflect();
      return ms;
    },
  );
  const meditated = await inTurn(1, () => timeOnce(() => loci.meditate()), reindex);
  await loci.close();
  /** @param {number} bound */
  const at = (bound) => (size === 10_000 ? bound : undefined);
  report.add('reflect / reindex', size, first.at(0.5), at(BOUND_AT_10_000));
  report.add('reflect, unchanged / reindex', size, again.at(0.5), at(UNCHANGED_AT_10_000));
  report.add('meditate / reindex', size, meditated.at(0.5));
}
