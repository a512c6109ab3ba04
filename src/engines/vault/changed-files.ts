import { existsSync, lstatSync, type Stats } from 'node:fs';
import { fileAt, pathOfLine, stampLine, stampLines, type FileRecord } from './files-table.ts';
import { inVault } from './layout.ts';
import type { Reconciled } from './reconcile.ts';
import type { Vault } from './vault.ts';
import { listFiles } from './work-files.ts';

/** All paths whose files are not as they were left, by their stats: one look at each. */
export function changedFiles({ root, isolated, index, problems }: Vault): string[] {
  const listed = listFiles(root, isolated);
  const known = stampLines(index.reader);
  const unlike: { path: string; stat: Stats | undefined }[] = [];
  for (const path of listed) {
    const stat = statOf(path, root);
    if (!stat || !known.delete(stampLine(path, stat))) unlike.push({ path, stat });
  }
  // Mostly everything is as it was left, and nothing that is known remains.
  if (unlike.length === 0 && known.size === 0 && problems.size === 0) return [];
  const remaining = new Set([...known].map(pathOfLine));
  const changed = unlike.filter(({ path, stat }) => {
    return differs(path, stat, remaining.has(path), problems);
  });
  for (const path of listed) remaining.delete(path);
  const gone = [...problems.keys()].filter((path) => !existsSync(inVault(root, path)));
  return [...new Set([...changed.map(({ path }) => path), ...remaining, ...gone])];
}

/** Which of these files are not as they were left. */
export function changedAmong(paths: readonly string[], vault: Vault): string[] {
  return paths.filter((path) => isChanged(path, fileAt(vault.index.reader, path), vault));
}

/** Those of some paths, and of the files that could not be read, that are to be looked at. */
export function changedSince({ unlike }: Reconciled, vault: Vault): string[] {
  return changedAmong([...new Set([...unlike, ...vault.problems.keys()])], vault);
}

function isChanged(
  path: string,
  record: FileRecord | undefined,
  { root, problems }: Vault,
): boolean {
  const stat = statOf(path, root);
  if (stat && stat.size === record?.size && stat.mtimeMs === record.mtimeMs) return false;
  return differs(path, stat, record !== undefined, problems);
}

/** Whether a file that is not as any record has it wants looking at. */
function differs(
  path: string,
  stat: Stats | undefined,
  isKnown: boolean,
  problems: Vault['problems'],
): boolean {
  if (!stat) return isKnown || problems.has(path);
  // A file that could not be read before is not read again until it changes.
  return problems.get(path) !== stat.mtimeMs;
}

/** Undefined for what is no file. A link is none of the vault: it could lead out of it. */
function statOf(path: string, root: string): Stats | undefined {
  const stat = lstatSync(inVault(root, path), { throwIfNoEntry: false });
  return stat?.isFile() ? stat : undefined;
}
