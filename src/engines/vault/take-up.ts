import { statSync } from 'node:fs';
import { readTombstones } from '../sqlite/reader.ts';
import { changedFiles } from './changed-files.ts';
import { putFile } from './files-table.ts';
import { takeUp, type TakenUp } from './hand-edits.ts';
import { inVault } from './layout.ts';
import type { Vault } from './vault.ts';

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
  const changedMs = (path: string): number | undefined =>
    statSync(inVault(root, path), { throwIfNoEntry: false })?.mtimeMs;
  const isMissing = changed.some((path) => changedMs(path) === undefined);
  const paths = isMissing ? withOthers(vault, changed) : changed;
  // Asked before a file is read: if it changes in between, it is read again.
  const times = new Map(paths.map((path) => [path, changedMs(path)]));
  const rewrite = new Set<string>();
  let found: TakenUp['findings'] = new Map();
  const { result } = await vault.transact(async (transaction) => {
    const { database } = index.store;
    const { unsyncedSinceMs, git, isolated } = vault;
    const { clock, ids } = vault.options;
    const merging = git?.merging() ?? true;
    const purged = readTombstones(database);
    const context = { root, database, isolated, clock, ids, merging, unsyncedSinceMs, purged };
    const taken = await takeUp(paths, context, options);
    found = taken.findings;
    for (const id of taken.rewrite) rewrite.add(id);
    if (taken.changes.length === 0) return 0;
    const subjects = taken.changes.map((change) => change.subject);
    const state = transaction.stateFor({ ids: subjects, contentKeys: [], actor: 'hand' });
    const events = transaction.write(taken.changes, state, { actor: 'hand' });
    for (const { id, subject } of events) {
      const file = taken.adopted.get(subject);
      if (!file) continue;
      const { hash, size, mtimeMs } = file.disk;
      putFile(database, { path: file.path, id: subject, hash, heads: [id], size, mtimeMs });
    }
    return events.length;
  }, rewrite);
  // Told only now: whoever hears that a file is mended can read what it says.
  for (const [path, finding] of found) {
    if (finding) findings.set(path, finding);
    else findings.delete(path);
    const time = finding && times.get(path);
    if (time === undefined) problems.delete(path);
    else problems.set(path, time);
  }
  return result;
}

/**
 * Where a file is missing, another may be the same under a new name: one that changed as well, or
 * one that was refused because of its id.
 */
function withOthers(vault: Vault, changed: readonly string[]): string[] {
  const all = changedFiles(vault);
  return [...new Set([...changed, ...all, ...vault.problems.keys()])];
}
