import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { LociError } from '../../domain/errors.ts';

/** How long a write waits for git to finish, milliseconds. */
const DEADLINE_MS = 10_000;
/** What git keeps in its folder while a merge, a rebase or the like waits for a person. */
const UNFINISHED = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'rebase-merge',
  'rebase-apply',
];

/** While git changes a work tree, nothing of it is concluded from; this is how one can tell. */
export interface GitGuard {
  /** Whether git holds its index lock right now. */
  busy(): boolean;
  /** @throws LociError busy when git holds its lock until the deadline */
  untilFree(): Promise<void>;
  /** Whether a merge is not finished yet: then conflict markers are a person's to settle. */
  merging(): boolean;
}

/** For a vault outside of any repository there is nothing to wait for. */
export function gitGuard(root: string): GitGuard | undefined {
  for (let folder = resolve(root); ; folder = dirname(folder)) {
    const dotGit = join(folder, '.git');
    const stat = statSync(dotGit, { throwIfNoEntry: false });
    if (stat) return guardOf(stat.isDirectory() ? dotGit : gitDirOf(dotGit));
    if (dirname(folder) === folder) return undefined;
  }
}

function guardOf(gitDir: string): GitGuard {
  const lock = join(gitDir, 'index.lock');
  const busy = (): boolean => existsSync(lock);
  return {
    busy,
    merging: () => UNFINISHED.some((name) => existsSync(join(gitDir, name))),
    async untilFree() {
      const giveUpAt = performance.now() + DEADLINE_MS;
      while (busy()) {
        if (performance.now() > giveUpAt) {
          throw new LociError(
            'busy',
            `git has held its index.lock for ${DEADLINE_MS / 1000} s`,
            `Nothing was changed. If no git command is running, remove ${lock}.`,
          );
        }
        await new Promise((done) => setTimeout(done, 50));
      }
    },
  };
}

/** The `.git` file of a worktree or submodule names its folder. */
function gitDirOf(dotGit: string): string {
  const named = /^gitdir:\s*(.+)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1]?.trim();
  return named ? resolve(dirname(dotGit), named) : dotGit;
}
