import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { CodeFile, CodeFolder, Repository } from '../../ports/workspace.ts';

/** Larger files are not read: no person wrote them. */
const MOST_BYTES = 1024 * 1024;
/** Files whose lines are kept, as long as they do not change. */
const KEPT = 64;

interface Git {
  readonly gitDir: string;
  readonly commonDir: string;
  readonly repository: Repository;
}

interface Kept {
  readonly stamp: string;
  readonly lines: readonly string[];
}

/** Reads the files of a project's folder. A link that leads out of it is no file of the project. */
export function codeFolder(root: string, git?: Git): CodeFolder {
  const kept = new Map<string, Kept>();
  let realRoot: string | undefined;
  const isInside = (path: string): boolean => {
    realRoot ??= realpathSync.native(root);
    return path.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep);
  };
  return {
    root,
    ...(git ? { repository: git.repository } : {}),
    read(path): CodeFile {
      try {
        const real = realpathSync.native(join(root, path));
        if (!isInside(real)) return 'outside';
        const found = statSync(real);
        if (!found.isFile() || found.size > MOST_BYTES) return 'unreadable';
        const stamp = `${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
        const known = kept.get(real);
        if (known?.stamp === stamp) return known.lines;
        const text = readFileSync(real, 'utf8');
        if (text.includes('\0')) return 'unreadable';
        const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
        kept.set(real, { stamp, lines });
        if (kept.size > KEPT) kept.delete(kept.keys().next().value as string);
        return lines;
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(code) ? 'missing' : 'unreadable';
      }
    },
    head: () => (git ? headOf(git) : undefined),
    holds: (path) => path === root || path.startsWith(root + sep),
  };
}

/** The commit that is checked out: HEAD names it, or a branch that does. */
function headOf({ gitDir, commonDir }: Git): string | undefined {
  const head = textAt(join(gitDir, 'HEAD'));
  const branch = /^ref: (refs\/[^\0\s]+)\s*$/.exec(head ?? '')?.[1];
  if (branch === undefined) return commitIn(head);
  if (branch.split('/').includes('..')) return undefined;
  const loose = commitIn(textAt(join(commonDir, branch)));
  if (loose !== undefined) return loose;
  const packed = textAt(join(commonDir, 'packed-refs')) ?? '';
  const line = packed.split('\n').find((one) => one.endsWith(` ${branch}`));
  return commitIn(line?.split(' ')[0]);
}

function commitIn(text: string | undefined): string | undefined {
  const plain = text?.trim() ?? '';
  return /^[0-9a-f]{40,64}$/.test(plain) ? plain : undefined;
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
