import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, type Stats } from 'node:fs';
import { link, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix, resolve } from 'node:path';
import { LociError } from '../../domain/errors.ts';
import type { Repository, Workspace } from '../../ports/workspace.ts';
import { originUrl } from './git-config.ts';
import { originKey, projectName } from './origin.ts';

/** Kept in the git common directory, which all worktrees share and which moves with the folder. */
const ID_FILE = 'loci-project-id';

/** Reads repositories from their files; starts no process, so it costs next to nothing. */
export const gitWorkspace: Workspace = {
  repository(folder) {
    const commonDir = findCommonDir(folder);
    return commonDir === undefined ? undefined : repositoryAt(commonDir);
  },
};

function repositoryAt(commonDir: string): Repository {
  const home = basename(commonDir) === '.git' ? dirname(commonDir) : commonDir;
  const url = originUrl(readText(join(commonDir, 'config')) ?? '');
  const origin = url === undefined ? undefined : originKey(url, home);
  let storedId = readId(commonDir);
  if (origin === undefined) {
    return {
      name: projectName(basename(home).replace(/\.git$/, '')),
      // The first write makes it, of this process or another one, while this one goes on.
      get key() {
        return (storedId ??= readId(commonDir));
      },
      ensureKey: () => ensureId(commonDir),
    };
  }
  return {
    name: projectName(posix.basename(origin)),
    key: origin,
    formerKey: storedId,
    ensureKey: () => Promise.resolve(origin),
  };
}

/** The folder with the repository's configuration: of the main worktree, from any worktree. */
function findCommonDir(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const gitDir = gitDirOf(join(folder, '.git'));
    if (gitDir !== undefined) {
      const common = readText(join(gitDir, 'commondir'))?.trim();
      return common ? resolve(gitDir, common) : gitDir;
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** `.git` is a folder, or in a worktree or submodule a file that names one. */
function gitDirOf(path: string): string | undefined {
  const found = statOf(path);
  if (found?.isDirectory()) return statOf(join(path, 'HEAD')) && path;
  const pointer = found && /^gitdir:\s*(.+)/.exec(readText(path) ?? '')?.[1];
  return pointer ? resolve(dirname(path), pointer.trim()) : undefined;
}

/** Undefined also where nobody may look: then it is no repository for us. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function readId(commonDir: string): string | undefined {
  return readText(join(commonDir, ID_FILE))?.trim() || undefined;
}

/** Linked into place, so that of two processes that start at once both use the same id. */
async function ensureId(commonDir: string): Promise<string> {
  const known = readId(commonDir);
  if (known !== undefined) return known;
  const id = `repo-${randomUUID()}`;
  const path = join(commonDir, ID_FILE);
  const temporary = `${path}.${id}`;
  try {
    await writeFile(temporary, `${id}\n`);
    await link(temporary, path);
    return id;
  } catch (cause) {
    const winner = readId(commonDir);
    if (winner !== undefined) return winner;
    throw new LociError(
      'unavailable',
      `The project's id could not be written to ${path}`,
      'Make that folder writable, or name the project with --project or LOCI_PROJECT.',
      { cause },
    );
  } finally {
    await rm(temporary, { force: true });
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
