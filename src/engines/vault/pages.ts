import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileOfPage, PAGE_MARK, PAGES } from '../../domain/pages/page.ts';
import type { PageOutcome } from '../../ports/engine.ts';
import { inVault } from './layout.ts';
import type { Vault } from './vault.ts';
import { readDiskFile } from './work-files.ts';

/**
 * Writes a generated page at the root of a vault, where no memory lies. A page that is there as it
 * should be is not touched; a file of its name that is not ours is left alone and reported. The
 * caller holds the vault's lock.
 */
export function writePage(vault: Vault, name: string, text: string): PageOutcome {
  const path = inVault(vault.root, name);
  const there = readDiskFile(vault.root, name);
  const isOurs = there?.text?.includes(PAGE_MARK) ?? false;
  if (!isOurs && (there || existsSync(path))) {
    vault.findings.set(name, {
      check: 'pages',
      severity: 'info',
      message: `${name} was not generated here and is left as it is`,
      hint: 'Rename it, and the next loci reflect writes the page in its place.',
    });
    return 'foreign';
  }
  vault.findings.delete(name);
  if (there?.text === text) return 'same';
  const temporary = inVault(vault.root, `.loci-tmp-${name}`);
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return 'written';
}

/** Removes the pages that were generated here: they come back with the next reflection. */
export function dropPages(root: string): void {
  for (const page of PAGES) {
    const name = fileOfPage(page);
    const isOurs = readDiskFile(root, name)?.text?.includes(PAGE_MARK) ?? false;
    if (isOurs) rmSync(inVault(root, name), { force: true });
  }
}
