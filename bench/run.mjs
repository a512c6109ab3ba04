// npm run bench [-- options]: measures Loci against the bare deed on the same machine in the same
// run. Only ratios are worth comparing. It reports and never fails over a figure. Options:
// options.mjs; what the figures mean: docs/performance.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from '../scripts/prepare.mjs';
import { printChanges, saveBaseline } from './baseline.mjs';
import { benchBatch } from './batch.mjs';
import { memories } from './corpus.mjs';
import { newFileMs } from './floors.mjs';
import { benchGraph } from './graph.mjs';
import { benchIdle } from './idle.mjs';
import { readOptions } from './options.mjs';
import { checkRanking } from './ranking.mjs';
import { benchPostgres } from './postgres.mjs';
import { benchRecall } from './recall.mjs';
import { benchReindex } from './reindex.mjs';
import { benchRemember } from './remember.mjs';
import { newReport } from './report.mjs';
import { benchStart } from './start.mjs';
import { benchUpkeep } from './upkeep.mjs';
import { benchVectors } from './vectors.mjs';

const CHECKED_SIZE = 10_000;
const SLOW_FILE_MS = 0.1;
const SLOW = ': more than usual. Were many files deleted just now? See docs/performance.md';

const options = readOptions();
const { sizes, sections } = options;
prepare();
const folder = mkdtempSync(join(tmpdir(), 'loci-bench-'));
try {
  const report = newReport();
  const fileMs = newFileMs(join(folder, 'files'));
  report.note(`a new file takes ${fileMs.toFixed(3)} ms here${fileMs > SLOW_FILE_MS ? SLOW : ''}`);
  const needsVaults = [...sections].some((one) => one !== 'vectors' && one !== 'postgres');
  const corpus = needsVaults ? memories(Math.max(...sizes), 1) : [];
  /** @type {import('./store.mjs').Vault[]} */
  const vaults = [];
  for (const size of sizes) {
    if (sections.has('vectors')) await benchVectors(folder, size, report);
    if (sections.has('postgres')) await benchPostgres(size, report);
    if (!needsVaults) continue;
    const vault = { folder, path: '', size, corpus: corpus.slice(0, size), written: [] };
    await measure(vault, report);
    vaults.push(vault);
  }
  if (sections.has('start') && vaults[0]) await benchIdle(vaults[0], report);
  report.printGrowth();
  if (options.baseline) printChanges(report.rows);
  if (options['save-baseline']) saveBaseline(report.rows, report.node);
  if (options.json) report.save(options.json);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * @param {import('./store.mjs').Vault} vault
 * @param {import('./report.mjs').Report} report
 */
async function measure(vault, report) {
  const loci = await benchBatch(vault, sections.has('batch') ? report : undefined);
  if (sections.has('remember')) await benchRemember(loci, vault, report);
  if (sections.has('recall')) {
    await benchRecall(loci, vault, report);
    if (vault.size === CHECKED_SIZE) await checkRanking(loci, vault, report);
  }
  if (sections.has('graph')) await benchGraph(loci, vault, report);
  await loci.close();
  if (sections.has('start')) await benchStart(vault, report);
  if (sections.has('reindex')) await benchReindex(vault, report);
  if (sections.has('upkeep')) await benchUpkeep(vault, report);
}
