import { rmSync } from 'node:fs';
import { isLive } from '../../domain/lifecycle.ts';
import { readAll, readIds } from '../sqlite/reader.ts';
import { MISSING, putFile, putUnwritten, type FileRecord } from './files-table.ts';
import { inVault, nameOf, pathOf } from './layout.ts';
import { areMany, missingFinding } from './missing.ts';
import { loadParser } from './markdown.ts';
import type { Vault } from './vault.ts';
import { listFiles, note, readDiskFile, render, wasEarlier } from './work-files.ts';

export interface ReconcileOptions {
  /** Write files that are missing, however many they are. */
  readonly restore?: boolean;
  /** What was known of the files before. */
  readonly known?: readonly FileRecord[];
}

/**
 * Learns what the files show when nothing is known of them: after the index was built from the
 * log. Files that show their memory are noted; old snapshots and files that are missing are
 * written; what else differs stays as it is, for `takeUp` to look at.
 * @returns how many files were written
 */
export async function reconcile(
  vault: Vault,
  { restore = false, known = [] }: ReconcileOptions = {},
): Promise<number> {
  const written = new Map(known.map(({ path, hash }) => [path, hash]));
  const { database } = vault.index.store;
  const paths = await pathsById(vault);
  const write: string[] = [];
  const missing: { id: string; path: string; heads: readonly string[] }[] = [];
  await loadParser();
  await vault.transact(async () => {
    for (const stored of readAll(database)) {
      const { memory, heads } = stored;
      const { id } = memory;
      const path = paths.get(id);
      const disk = path === undefined ? undefined : readDiskFile(vault.root, path);
      if (!disk || path === undefined) {
        if (restore || isLive(memory.status)) missing.push({ id, path: pathOf(memory), heads });
        continue;
      }
      const text = render(stored);
      if (text === disk.text) note(database, path, stored, disk);
      else if (disk.hash === written.get(path)) write.push(id);
      else if (disk.text !== undefined && wasEarlier(database, id, disk.text)) write.push(id);
    }
    for (const record of known) {
      // A conflict is derived and lies in no log: when it is settled, so is its file.
      if (record.heads.length > 0 || paths.has(record.id)) continue;
      const path = inVault(vault.root, record.path);
      if (readDiskFile(vault.root, record.path)?.hash === record.hash) rmSync(path);
    }
    const total = paths.size + missing.length;
    if (areMany(missing.length, total) && !restore) {
      const nothing = { hash: '', size: MISSING, mtimeMs: 0 };
      for (const file of missing) putFile(database, { ...file, ...nothing });
      vault.findings.set('', missingFinding(missing.length, total));
    } else {
      for (const { id } of missing) write.push(id);
      vault.findings.delete('');
    }
    putUnwritten(database, write);
    vault.index.knowsFiles = true;
  });
  return vault.writeFiles(write);
}

/** Which file is whose: by its name, or, where a person chose the name, by what stands in it. */
async function pathsById(vault: Vault): Promise<Map<string, string>> {
  const known = new Set(readIds(vault.index.store.database));
  const paths = new Map<string, string>();
  const others: string[] = [];
  for (const path of listFiles(vault.root)) {
    const name = nameOf(path);
    if (known.has(name) && !paths.has(name)) paths.set(name, path);
    else others.push(path);
  }
  for (const path of others) {
    const { parseFile } = await loadParser();
    const parsed = parseFile(readDiskFile(vault.root, path)?.text ?? '');
    const id = 'problem' in parsed ? undefined : parsed.fields.id;
    if (id !== undefined && known.has(id) && !paths.has(id)) paths.set(id, path);
  }
  return paths;
}
