import { statSync } from 'node:fs';
import { putFile } from './files-table.ts';
import { takeUp } from './hand-edits.ts';
import { inVault } from './layout.ts';
import type { Vault } from './vault.ts';
import { listFiles } from './work-files.ts';

/**
 * Looks at files and takes up what people did to them, in one transaction.
 * @returns the number of events
 */
export async function takeUpFiles(
  vault: Vault,
  changed: readonly string[],
  options?: { acceptDeletions?: boolean },
): Promise<number> {
  if (changed.length === 0) return 0;
  const { root, index, findings, problems } = vault;
  const statOf = (path: string): { mtimeMs: number } | undefined =>
    statSync(inVault(root, path), { throwIfNoEntry: false });
  const isMissing = changed.some((path) => !statOf(path));
  const paths = isMissing ? withOthers(vault, changed) : changed;
  const rewrite = new Set<string>();
  const { result } = await vault.transact(async (transaction) => {
    const { database } = index.store;
    const { unsyncedSinceMs, git } = vault;
    const { clock, ids } = vault.options;
    const merging = git?.merging() ?? true;
    const context = { root, database, clock, ids, merging, unsyncedSinceMs };
    const taken = await takeUp(paths, context, options);
    for (const [path, finding] of taken.findings) {
      if (finding) findings.set(path, finding);
      else findings.delete(path);
      const stat = finding && statOf(path);
      if (stat) problems.set(path, stat.mtimeMs);
      else problems.delete(path);
    }
    for (const id of taken.rewrite) rewrite.add(id);
    if (taken.changes.length === 0) return 0;
    const subjects = taken.changes.map((change) => change.subject);
    const state = transaction.stateFor({ ids: subjects, contentKeys: [], actor: 'hand' });
    const events = transaction.write(taken.changes, state, 'hand');
    for (const { id, subject } of events) {
      const file = taken.adopted.get(subject);
      if (!file) continue;
      const { hash, size, mtimeMs } = file.disk;
      putFile(database, { path: file.path, id: subject, hash, heads: [id], size, mtimeMs });
    }
    return events.length;
  }, rewrite);
  return result;
}

/**
 * Where a file is missing, another may be the same under a new name: one that changed as well, or
 * one that was refused because of its id.
 */
function withOthers(vault: Vault, changed: readonly string[]): string[] {
  const all = vault.changedPaths(listFiles(vault.root));
  return [...new Set([...changed, ...all, ...vault.problems.keys()])];
}
