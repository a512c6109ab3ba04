import { VIEW_ALL } from '../../domain/view.ts';
import type { RebuildReport, ReindexOptions, ReplayOptions } from '../../ports/log-life.ts';
import { readStats } from '../sqlite/reader.ts';
import { changedSince } from './changed-files.ts';
import { LOG } from './layout.ts';
import type { Reconciled } from './reconcile.ts';
import { scan } from './scan.ts';
import type { Vault } from './vault.ts';
import { sweepTemporaries } from './work-files.ts';

/** Takes up hand edits, builds the index anew from the log, and looks at every file again. */
export async function rebuildVault(
  vault: Vault,
  { acceptDeletions = false, progress }: ReindexOptions,
): Promise<RebuildReport> {
  const edits = (await scan(vault, { acceptDeletions, wait: true })) ?? 0;
  return vault.locked(async () => {
    await vault.catchUp();
    sweepTemporaries(vault.root);
    vault.requireLog();
    const rebuilt = await vault.rebuildIndex(progress);
    const late = await vault.takeUp(changedSince(rebuilt, vault), { acceptDeletions });
    return report(vault, edits + late, rebuilt, late > 0);
  });
}

/**
 * Rebuilds state and files from the log alone. A log that is gone is put back from the index
 * first. Hand edits that are in no event are not taken up and not written over.
 */
export async function replayVault(
  vault: Vault,
  { progress }: ReplayOptions,
): Promise<RebuildReport> {
  return vault.locked(async () => {
    await vault.catchUp();
    sweepTemporaries(vault.root);
    if (vault.findings.has(LOG)) await vault.restoreLog();
    const rebuilt = await vault.rebuildIndex(progress, { restore: true });
    for (const path of changedSince(rebuilt, vault)) {
      vault.findings.set(path, {
        check: 'files',
        severity: 'warning',
        message: `${path} has changes that are not in the log; it was left as it is`,
        hint: 'Take them up with: loci reindex',
      });
    }
    return report(vault, 0, rebuilt, false);
  });
}

/** @param changed whether events came after the rebuild */
function report(vault: Vault, edits: number, rebuilt: Reconciled, changed: boolean): RebuildReport {
  const { store } = vault.index;
  const { total, events } = readStats(store.database, VIEW_ALL);
  const problems = [...vault.findings.values()];
  const stateHash = changed ? store.stateHash() : rebuilt.stateHash;
  return { memories: total, events, edits, written: rebuilt.written, stateHash, problems };
}
