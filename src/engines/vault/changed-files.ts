import { existsSync, lstatSync, type Stats } from 'node:fs';
import {
  fileAt,
  fileStamps,
  stampLine,
  stampLines,
  type FileRecord,
  type FileStamp,
} from './files-table.ts';
import { inVault } from './layout.ts';
import type { Reconciled } from './reconcile.ts';
import type { Vault } from './vault.ts';
import { listFiles } from './work-files.ts';

/** All paths whose files are not as they were left, by their stats. */
export function changedFiles(vault: Vault): string[] {
  const listed = listFiles(vault.root, vault.isolated);
  if (areAsLeft(listed, vault)) return [];
  const known = fileStamps(vault.index.reader);
  const changed = listed.filter((path) => isChanged(path, known.get(path), vault));
  for (const path of listed) known.delete(path);
  const gone = [...vault.problems.keys()].filter((path) => !existsSync(inVault(vault.root, path)));
  return [...new Set([...changed, ...known.keys(), ...gone])];
}

/** Which of these files are not as they were left. */
export function changedAmong(paths: readonly string[], vault: Vault): string[] {
  return paths.filter((path) => isChanged(path, fileAt(vault.index.reader, path), vault));
}

/** Those of some paths, and of the files that could not be read, that are to be looked at. */
export function changedSince({ unlike }: Reconciled, vault: Vault): string[] {
  return changedAmong([...new Set([...unlike, ...vault.problems.keys()])], vault);
}

/** Whether these are all the files there should be, none of them changed: mostly it is so. */
function areAsLeft(listed: readonly string[], { root, index, problems }: Vault): boolean {
  if (problems.size > 0) return false;
  const known = stampLines(index.reader);
  if (known.size !== listed.length) return false;
  return listed.every((path) => {
    const stat = statOf(path, root);
    return stat !== undefined && known.has(stampLine(path, stat));
  });
}

function isChanged(
  path: string,
  record: FileStamp | FileRecord | undefined,
  { root, problems }: Vault,
): boolean {
  const stat = statOf(path, root);
  if (!stat) return record !== undefined || problems.has(path);
  if (stat.size === record?.size && stat.mtimeMs === record.mtimeMs) return false;
  // A file that could not be read before is not read again until it changes.
  return problems.get(path) !== stat.mtimeMs;
}

/** Undefined for what is no file. A link is none of the vault: it could lead out of it. */
function statOf(path: string, root: string): Stats | undefined {
  const stat = lstatSync(inVault(root, path), { throwIfNoEntry: false });
  return stat?.isFile() ? stat : undefined;
}
