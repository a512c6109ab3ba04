import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { originUrl } from '../../src/models/workspace/git-config.ts';
import { gitWorkspace } from '../../src/models/workspace/git.ts';
import { originKey } from '../../src/models/workspace/origin.ts';
import { open } from '../../src/open.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'loci-git-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
    cwd,
    stdio: 'pipe',
    encoding: 'utf8',
  });

function repository(name: string, origin?: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  git(path, 'init', '-q');
  if (origin !== undefined) git(path, 'remote', 'add', 'origin', origin);
  return path;
}

test.each([
  ['git@github.com:Org/Repo.git', 'github.com/Org/Repo'],
  ['GitHub.com:Org/Repo', 'github.com/Org/Repo'],
  ['ssh://git@github.com/Org/Repo.git', 'github.com/Org/Repo'],
  ['ssh://git@github.com:22/Org/Repo.git', 'github.com/Org/Repo'],
  ['https://github.com/Org/Repo', 'github.com/Org/Repo'],
  ['https://GitHub.com/Org/Repo.git/', 'github.com/Org/Repo'],
  ['https://user:secret@github.com:8443/Org/Repo.git', 'github.com/Org/Repo'],
  ['https://dev.azure.com/org/My%20Project/_git/repo', 'dev.azure.com/org/My Project/_git/repo'],
  ['git@gitlab.com:group/sub/repo.git', 'gitlab.com/group/sub/repo'],
  ['git@host:/srv/repo.git', 'host/srv/repo'],
  ['/srv/git/repo.git', 'file:/srv/git/repo'],
  ['file:///srv/git/repo.git', 'file:/srv/git/repo'],
  ['../repo', 'file:/base/repo'],
  ['', undefined],
  ['https://github.com/', undefined],
])('the key of %s', (url, key) => {
  expect(originKey(url, '/base/here')).toBe(key);
});

test.each([
  ['[remote "origin"]\n\turl = a:b\n', 'a:b'],
  ['[core]\n\turl = no\n[remote "upstream"]\n\turl = no\n[remote "origin"]\n url=yes # x\n', 'yes'],
  ['[remote "origin"] url = one\n\turl = two\n', 'one'],
  ['[REMOTE "origin"]\n\tURL = "a b;c" ; note\n', 'a b;c'],
  ['[remote "Origin"]\n\turl = no\n', undefined],
  ['', undefined],
])('the origin in %j', (config, url) => {
  expect(originUrl(config)).toBe(url);
});

describe('[I5] a repository', () => {
  test('is named by its origin, from any folder in it', () => {
    const path = repository('work', 'git@example.org:Team/Big-App.git');
    const deep = join(path, 'src', 'deep');
    mkdirSync(deep, { recursive: true });
    for (const cwd of [path, deep]) {
      expect(gitWorkspace.repository(cwd)).toMatchObject({
        key: 'example.org/Team/Big-App',
        name: 'big-app',
      });
    }
  });

  test('[I5] without an origin is one project for who looked before it had an id', async () => {
    const path = repository('fresh');
    const [here, elsewhere] = [gitWorkspace.repository(path), gitWorkspace.repository(path)];
    expect([here?.key, elsewhere?.key]).toEqual([undefined, undefined]);
    const key = await here?.ensureKey();
    expect([here?.key, elsewhere?.key]).toEqual([key, key]);
    const loci = await open('memory:', { cwd: path });
    await loci.remember({ id: 'FACT-FIRST', body: 'The first memory of a new repository.' });
    expect((await loci.get({ ids: ['FACT-FIRST'] })).missing).toEqual([]);
    await loci.close();
    const another = await open('memory:', { cwd: repository('another') });
    await another.remember({
      id: 'FACT-FIRST',
      body: 'The same, before anything asked for its id.',
    });
    expect((await another.get({ ids: ['FACT-FIRST'] })).missing).toEqual([]);
    await another.close();
  });

  test('without an origin has an id once it is asked for, which moves with the folder', async () => {
    const path = repository('one');
    const before = gitWorkspace.repository(path);
    expect(before).toMatchObject({ name: 'one', key: undefined });
    expect(existsSync(join(path, '.git', 'loci-project-id'))).toBe(false);

    const key = await before?.ensureKey();
    expect(key).toMatch(/^repo-[0-9a-f-]{36}$/);
    expect(await before?.ensureKey()).toBe(key);
    const moved = join(folder, 'elsewhere');
    renameSync(path, moved);
    expect(gitWorkspace.repository(moved)?.key).toBe(key);
    expect(git(moved, 'status', '--porcelain')).toBe('');
  });

  test('makes one id, however many ask at once', async () => {
    const path = repository('busy');
    const keys = await Promise.all(
      Array.from({ length: 20 }, () => gitWorkspace.repository(path)?.ensureKey()),
    );
    expect(new Set(keys).size).toBe(1);
  });

  test('remembers the key it had before it got an origin', async () => {
    const path = repository('late');
    const formerKey = await gitWorkspace.repository(path)?.ensureKey();
    git(path, 'remote', 'add', 'origin', 'git@example.org:a/late.git');
    expect(gitWorkspace.repository(path)).toMatchObject({ key: 'example.org/a/late', formerKey });
  });

  test('is the same from each of its worktrees', async () => {
    const path = repository('main');
    git(path, 'commit', '-q', '--allow-empty', '-m', 'x');
    git(path, 'worktree', 'add', '-q', join(folder, 'side'));
    const key = await gitWorkspace.repository(join(folder, 'side'))?.ensureKey();
    expect(gitWorkspace.repository(path)).toMatchObject({ key, name: 'main' });
    expect(gitWorkspace.repository(join(folder, 'side'))).toMatchObject({ key, name: 'main' });
  });

  test('is another one than its namesake', () => {
    const one = repository('a/app', 'https://example.org/one/app');
    const two = repository('b/app', 'https://example.org/two/app');
    expect(gitWorkspace.repository(one)).toMatchObject({ name: 'app', key: 'example.org/one/app' });
    expect(gitWorkspace.repository(two)).toMatchObject({ name: 'app', key: 'example.org/two/app' });
  });

  test('a submodule is a repository of its own', () => {
    const inner = repository('inner');
    git(inner, 'commit', '-q', '--allow-empty', '-m', 'x');
    const outer = repository('outer');
    git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    expect(gitWorkspace.repository(join(outer, 'sub'))).toMatchObject({
      key: `file:${inner}`,
      name: 'inner',
    });
  });

  test('there is none outside', () => {
    expect(gitWorkspace.repository(folder)).toBeUndefined();
  });
});
