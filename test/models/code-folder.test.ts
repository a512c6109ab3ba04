import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gitWorkspace } from '../../src/models/workspace/git.ts';
import type { CodeFolder } from '../../src/ports/workspace.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'loci-code-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
    cwd,
    stdio: 'pipe',
    encoding: 'utf8',
  }).trim();

function codeOf(...path: string[]): CodeFolder {
  return gitWorkspace.code(join(folder, ...path)) as CodeFolder;
}

function repository(): string {
  const path = join(folder, 'repo');
  mkdirSync(join(path, 'src'), { recursive: true });
  git(path, 'init', '-q', '-b', 'main');
  writeFileSync(join(path, 'src', 'a.ts'), 'one\r\ntwo\n');
  return path;
}

describe('[I3] the folder of a project', () => {
  test('is that of the repository, from anywhere in it', () => {
    const path = repository();
    const code = codeOf('repo', 'src');
    expect(code.root).toBe(path);
    expect(code.read('src/a.ts')).toEqual(['one', 'two']);
    expect(code.holds(join(path, '.loci'))).toBe(true);
    expect(code.holds(`${path}-other`)).toBe(false);
  });

  test('is that of the worktree, not the main one', () => {
    const path = repository();
    git(path, 'add', '.');
    git(path, 'commit', '-qm', 'one');
    git(path, 'worktree', 'add', '-q', '../other', '-b', 'other');
    writeFileSync(join(folder, 'other', 'src', 'a.ts'), 'of the other\n');
    const code = codeOf('other');
    expect(code.read('src/a.ts')).toEqual(['of the other']);
    expect(code.head()).toBe(git(path, 'rev-parse', 'HEAD'));
    expect(code.repository?.name).toBe('repo');
  });

  test('without a repository is the one that holds .loci; else there is none', () => {
    mkdirSync(join(folder, 'plain', '.loci'), { recursive: true });
    mkdirSync(join(folder, 'plain', 'deep'));
    writeFileSync(join(folder, 'plain', 'a.txt'), 'text');
    const code = codeOf('plain', 'deep');
    expect(code.root).toBe(join(folder, 'plain'));
    expect(code.read('a.txt')).toEqual(['text']);
    expect(code.head()).toBeUndefined();
    expect(code.repository).toBeUndefined();
    mkdirSync(join(folder, 'bare'));
    expect(gitWorkspace.code(join(folder, 'bare'))).toBeUndefined();
  });

  test('says which commit is checked out: on a branch, packed, detached, none yet', () => {
    const path = repository();
    expect(codeOf('repo').head()).toBeUndefined();
    git(path, 'add', '.');
    git(path, 'commit', '-qm', 'one');
    const first = git(path, 'rev-parse', 'HEAD');
    expect(codeOf('repo').head()).toBe(first);
    git(path, 'pack-refs', '--all');
    expect(codeOf('repo').head()).toBe(first);
    git(path, 'checkout', '-q', '--detach');
    expect(codeOf('repo').head()).toBe(first);
  });
});

describe('[I3] reading', () => {
  test('sees a change at once', () => {
    const path = repository();
    const code = codeOf('repo');
    code.read('src/a.ts');
    appendFileSync(join(path, 'src', 'a.ts'), 'three\n');
    expect(code.read('src/a.ts')).toEqual(['one', 'two', 'three']);
    rmSync(join(path, 'src', 'a.ts'));
    expect(code.read('src/a.ts')).toBe('missing');
  });

  test('leaves alone what is no text, or too large', () => {
    const path = repository();
    writeFileSync(join(path, 'binary'), 'a\0b');
    writeFileSync(join(path, 'large'), 'x'.repeat(1024 * 1024 + 1));
    const code = codeOf('repo');
    for (const name of ['binary', 'large', 'src']) expect(code.read(name)).toBe('unreadable');
    expect(code.read('src/a.ts/b')).toBe('missing');
    expect(code.read(`${'x'.repeat(300)}`)).toBe('missing');
  });

  test('[S1] never follows a way out', () => {
    const path = repository();
    writeFileSync(join(folder, 'secret'), 'secret');
    mkdirSync(join(folder, 'repo-beside'));
    writeFileSync(join(folder, 'repo-beside', 'x'), 'secret');
    symlinkSync('../secret', join(path, 'link'));
    symlinkSync('..', join(path, 'up'));
    symlinkSync(join(folder, 'repo-beside'), join(path, 'beside'));
    symlinkSync('src/a.ts', join(path, 'inner'));
    const code = codeOf('repo');
    const outside = ['link', 'up/secret', 'beside/x', '../secret', '../repo-beside/x'];
    for (const name of outside) expect([name, code.read(name)]).toEqual([name, 'outside']);
    expect(code.read('inner')).toEqual(['one', 'two']);
  });
});
