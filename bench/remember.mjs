import { statSync } from 'node:fs';
import { join } from 'node:path';
import { memories } from './corpus.mjs';
import { appender } from './floors.mjs';
import { inTurn, timeOnce } from './measure.mjs';
import { beside, rememberAll } from './store.mjs';

const WRITES = 300;
const BOUND = 4;

/**
 * One acknowledged write after another into a full vault, in turn with an append and sync of as
 * many bytes as one of its events has.
 * @param {import('./store.mjs').Loci} loci
 * @param {import('./store.mjs').Vault} vault
 * @param {import('./report.mjs').Report} report
 */
export async function benchRemember(loci, vault, report) {
  const { size, written } = vault;
  const fresh = memories(WRITES, 1000 + size);
  const eventBytes = statSync(join(vault.path, 'events.ndjson')).size / written.length;
  const line = `${'x'.repeat(Math.round(eventBytes) - 1)}\n`;
  const log = appender(beside(vault, 'floor.ndjson'));
  const times = await inTurn(
    WRITES,
    (round) => timeOnce(() => rememberAll(loci, fresh.slice(round, round + 1), written)),
    () => timeOnce(() => log.append(line)),
  );
  log.close();
  report.add('remember p50 / append + fdatasync', size, times.at(0.5), BOUND);
  report.add('remember p95 / append + fdatasync', size, times.at(0.95));
}
