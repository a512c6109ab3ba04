import { existsSync, rmSync } from 'node:fs';
import { sha256 } from '../../domain/hash.ts';
import { isLive } from '../../domain/lifecycle.ts';
import type { Memory } from '../../domain/memory.ts';
import { StateHasher } from '../../domain/state-hash.ts';
import type { Database } from '../sqlite/drivers/driver.ts';
import { readAll, readIds } from '../sqlite/reader.ts';
import { MISSING, putFile, putUnwritten, type FileRecord } from './files-table.ts';
import { inVault, nameOf, pathOf } from './layout.ts';
import { areMany, missingFinding } from './missing.ts';
import { loadParser } from './markdown.ts';
import type { Vault } from './vault.ts';
import { Survey } from './survey.ts';
import { note, placeOf, readDiskFile, render, wasEarlier, type DiskFile } from './work-files.ts';

export interface ReconcileOptions {
  /** Write files that are missing, however many they are. */
  readonly restore?: boolean;
  /** What was known of the files before. */
  readonly known?: readonly FileRecord[];
  /** Begun earlier, where other work could be done beside it. */
  readonly survey?: Survey;
}

export interface Reconciled {
  /** How many files were written. */
  readonly written: number;
  /** Of the state that the files were compared with. */
  readonly stateHash: string;
  /** Paths that do not show what the state says: missing ones, edited ones, nobody's. */
  readonly unlike: readonly string[];
}

/**
 * Learns what the files show when nothing is known of them: after the index was built from the
 * log. Files that show their memory are noted; old snapshots and files that are missing are
 * written; what else differs stays as it is, for `takeUp` to look at.
 */
export async function reconcile(vault: Vault, options: ReconcileOptions = {}): Promise<Reconciled> {
  const { restore = false, known = [], survey = new Survey(vault.root, vault.isolated) } = options;
  const { isolated } = vault;
  const written = new Map(known.map(({ path, hash }) => [path, hash]));
  const { database } = vault.index.store;
  const facts = await survey.facts();
  const { paths, others } = await pathsById(vault, survey.paths);
  const state = new StateHasher();
  const unlike = others;
  const write: string[] = [];
  const missing: { id: string; path: string; heads: readonly string[] }[] = [];
  for (const entity of vault.index.store.entities()) state.addEntity(entity);
  await loadParser();
  await vault.transact(async () => {
    for (const stored of readAll(database)) {
      const { memory, heads } = stored;
      const { id } = memory;
      state.add(memory);
      // Who was not there when the survey began may be there now.
      const path = paths.get(id) ?? placeNow(vault, memory);
      // Where agents begin or cease to be kept apart, files move to their drawers or out of them.
      const isMisplaced = placeOf(stored, { path }, isolated) !== path;
      const text = render(stored);
      const found = facts.get(path);
      if (found && sha256(text) === found.hash) {
        note(database, path, stored, found);
        if (isMisplaced) write.push(id);
        continue;
      }
      const disk = readDiskFile(vault.root, path);
      if (!disk) {
        if (restore || isLive(memory.status))
          missing.push({ id, path: pathOf(memory, isolated), heads });
        continue;
      }
      if (text === disk.text) {
        note(database, path, stored, disk);
        if (isMisplaced) write.push(id);
      } else if (disk.hash === written.get(path) || wasShown(database, id, disk)) {
        // It lags behind: what is written in its place replaces just this.
        const { hash, size, mtimeMs } = disk;
        putFile(database, { path, id, hash, heads: [], size, mtimeMs });
        write.push(id);
      } else unlike.push(path);
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
      for (const file of missing) {
        putFile(database, { ...file, ...nothing });
        unlike.push(file.path);
      }
      vault.findings.set('', missingFinding(missing.length, total));
    } else {
      for (const { id } of missing) write.push(id);
      vault.findings.delete('');
    }
    putUnwritten(database, write);
    vault.index.knowsFiles = true;
  });
  return { written: await vault.writeFiles(write), stateHash: state.digest(), unlike };
}

function wasShown(database: Database, id: string, { text }: DiskFile): boolean {
  return text !== undefined && wasEarlier(database, id, text);
}

/** Where a file lies that bears its own name; the other way of keeping agents left it elsewhere. */
function placeNow({ root, isolated }: Vault, memory: Memory): string {
  const [own, other] = [pathOf(memory, isolated), pathOf(memory, !isolated)];
  return !existsSync(inVault(root, own)) && existsSync(inVault(root, other)) ? other : own;
}

/**
 * Which file is whose: by its name, or, where a person chose the name, by what stands in it; and
 * the files that are nobody's.
 */
async function pathsById(
  vault: Vault,
  listed: readonly string[],
): Promise<{ paths: Map<string, string>; others: string[] }> {
  const known = new Set(readIds(vault.index.store.database));
  const paths = new Map<string, string>();
  const named: string[] = [];
  const others: string[] = [];
  for (const path of listed) {
    const name = nameOf(path);
    if (known.has(name) && !paths.has(name)) paths.set(name, path);
    else named.push(path);
  }
  for (const path of named) {
    const { parseFile } = await loadParser();
    const parsed = parseFile(readDiskFile(vault.root, path)?.text ?? '');
    const id = 'problem' in parsed ? undefined : parsed.fields.id;
    if (id !== undefined && known.has(id) && !paths.has(id)) paths.set(id, path);
    else others.push(path);
  }
  return { paths, others };
}
