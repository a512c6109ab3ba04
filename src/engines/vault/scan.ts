import { statSync } from 'node:fs';
import { changedAmong, changedFiles } from './changed-files.ts';
import { inVault, LOG } from './layout.ts';
import type { Vault } from './vault.ts';

/** Files are left alone this long after the last change while git may be at work. */
export const QUIET_MS = 2000;

export interface ScanOptions {
  /** Only these; default every file of the vault. */
  readonly paths?: readonly string[];
  readonly acceptDeletions?: boolean;
  /** Wait for whoever is writing. Default false: then it is left to the next look. */
  readonly wait?: boolean;
}

/**
 * Looks for files that people changed and takes them up. Most of the time nothing has changed, and
 * that is found out without the lock.
 * @returns how many events it made; undefined when somebody else was writing
 */
export async function scan(vault: Vault, options: ScanOptions = {}): Promise<number | undefined> {
  if (changed(vault, options).length === 0) return 0;
  await untilQuiet(vault, options);
  const take = async (): Promise<number> => {
    await vault.catchUp();
    if (vault.findings.has(LOG)) return 0;
    return vault.takeUp(changed(vault, options), options);
  };
  return options.wait ? vault.locked(take) : vault.lockedIfFree(take);
}

function changed(vault: Vault, { paths }: ScanOptions): string[] {
  return paths ? changedAmong(paths, vault) : changedFiles(vault);
}

/**
 * In a git work tree a change of a file may be one of many that a checkout makes, the log's among
 * them: nothing is concluded until git is done and the last change lies back a little.
 */
async function untilQuiet(vault: Vault, options: ScanOptions): Promise<void> {
  if (!vault.git) return;
  const giveUpAt = Date.now() + 2 * QUIET_MS;
  for (;;) {
    const last = changed(vault, options).reduce((latest, path) => {
      const stat = statSync(inVault(vault.root, path), { throwIfNoEntry: false });
      return Math.max(latest, stat?.mtimeMs ?? 0);
    }, 0);
    const waitMs = last + QUIET_MS - Date.now();
    if ((waitMs <= 0 && !vault.git.busy()) || Date.now() > giveUpAt) return;
    await new Promise((resolve) => setTimeout(resolve, Math.max(50, Math.min(waitMs, QUIET_MS))));
  }
}
