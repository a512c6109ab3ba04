import { questions } from './corpus.mjs';
import { inTurn, timeProcess } from './measure.mjs';
import { minimalServer, timeToAnswer } from './server.mjs';
import { command, ENVIRONMENT } from './store.mjs';

const STARTS = 7;

/**
 * Whole processes on a vault: `loci recall`, and the MCP server to its first answers.
 * @param {import('./store.mjs').Vault} vault
 * @param {import('./report.mjs').Report} report
 */
export async function benchStart(vault, report) {
  const { size, corpus, folder } = vault;
  const question = questions(corpus, 1)[0]?.join(' ') ?? '';
  const options = { env: ENVIRONMENT, cwd: folder };
  const boundAt10000 = (/** @type {number} */ bound) => (size === 10_000 ? bound : undefined);

  const recall = command(vault, 'recall', '--json', question);
  const process = await inTurn(
    STARTS,
    () => timeProcess(recall, options),
    () => timeProcess(['-e', '0'], options),
  );
  report.add('loci recall, process / node -e 0', size, process.at(0.5), boundAt10000(4));

  const [server, minimal] = [command(vault, 'mcp'), await minimalServer(folder)];
  const initialize = await inTurn(
    STARTS,
    () => timeToAnswer(server),
    () => timeToAnswer(minimal),
  );
  const toInitialize = 'mcp, spawn to initialize / minimal server';
  report.add(toInitialize, size, initialize.at(0.5), boundAt10000(1.3));

  const first = await inTurn(
    STARTS,
    () => timeToAnswer(server, question),
    () => timeToAnswer(minimal),
  );
  const toRecall = 'mcp, spawn to first recall / minimal server';
  report.add(toRecall, size, first.at(0.5), boundAt10000(3));
}
