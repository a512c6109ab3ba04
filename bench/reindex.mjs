import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readAndInsert } from './floors.mjs';
import { inTurn, timeOnce } from './measure.mjs';
import { beside, openStore } from './store.mjs';

const ROUNDS = 2;
const BOUND_AT_10_000 = 2;

/**
 * A vault's index built anew, in turn with reading its files into a full-text table.
 * @param {import('./store.mjs').Vault} vault
 * @param {import('./report.mjs').Report} report
 */
export async function benchReindex(vault, report) {
  const files = join(vault.path, 'ENTITIES');
  const loci = await openStore(vault.path, vault.folder);
  const times = await inTurn(
    ROUNDS,
    () => timeOnce(() => loci.reindex()),
    async () => {
      const database = beside(vault, 'read.db');
      const ms = await timeOnce(() => readAndInsert(files, database));
      rmSync(database);
      return ms;
    },
  );
  await loci.close();
  const bound = vault.size === 10_000 ? BOUND_AT_10_000 : undefined;
  report.add('reindex / read every file + FTS5', vault.size, times.at(0.5), bound);
}
