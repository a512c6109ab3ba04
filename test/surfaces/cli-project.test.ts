import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { open } from '../../src/open.ts';
import { lociJson, tempFolder } from './run-cli.ts';

const folder = tempFolder();
const store = ['-d', join(folder, 'vault')];

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd });

function repository(name: string, origin?: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  git(path, 'init', '-q');
  git(path, 'commit', '-q', '--allow-empty', '-m', 'x');
  if (origin !== undefined) git(path, 'remote', 'add', 'origin', origin);
  return path;
}

function remember(cwd: string, body: string): void {
  const { code, json } = lociJson(['remember', body, ...store], { cwd });
  expect({ code, json }).toMatchObject({ code: 0 });
}

function recalled(cwd: string, query: string): string[] {
  const { json } = lociJson<{ results: { body: string }[] }>(['recall', query, ...store], { cwd });
  return json.results.map(({ body }) => body);
}

describe('a repository is a project', () => {
  test('[I5] to the process, too, whose write gives it its id', async () => {
    const cwd = repository('young');
    const first = await open(join(folder, 'young-vault'), { cwd, env: {} });
    const second = await open(join(folder, 'young-vault'), { cwd, env: {} });
    try {
      await first.remember({ body: 'the otter lives here' });
      await first.remember({ body: 'a second otter' });
      await second.remember({ body: 'a third otter' });
      for (const loci of [first, second]) {
        expect((await loci.recall({ query: 'otter' })).results).toHaveLength(3);
        expect((await loci.status()).project).toBe('young');
      }
    } finally {
      await first.close();
      await second.close();
    }
  });

  test('with its worktrees, and after it has moved', () => {
    const path = repository('first/app');
    remember(path, 'the walrus lives here');
    git(path, 'worktree', 'add', '-q', join(folder, 'side'));
    expect(recalled(join(folder, 'side'), 'walrus')).toEqual(['the walrus lives here']);
    const moved = join(folder, 'moved');
    renameSync(path, moved);
    expect(recalled(moved, 'walrus')).toEqual(['the walrus lives here']);
    expect(recalled(folder, 'walrus')).toEqual([]);
  });

  test('also once it gets an origin', () => {
    const path = repository('late');
    remember(path, 'the narwhal lives here');
    git(path, 'remote', 'add', 'origin', 'git@example.org:sea/late.git');
    expect(recalled(path, 'narwhal')).toEqual(['the narwhal lives here']);
    remember(path, 'another narwhal');
    expect(recalled(path, 'narwhal')).toHaveLength(2);
  });

  test('apart from its namesake, together with its clones', () => {
    const one = repository('one/tool', 'git@example.org:one/tool.git');
    const two = repository('two/tool', 'https://example.org/two/tool');
    const clone = repository('three/other-name', 'https://me:secret@example.org/one/tool.git/');
    remember(one, 'the heron stands on one leg');
    remember(two, 'the heron stands on two legs');
    expect(recalled(one, 'heron')).toEqual(['the heron stands on one leg']);
    expect(recalled(two, 'heron')).toEqual(['the heron stands on two legs']);
    expect(recalled(clone, 'heron')).toEqual(['the heron stands on one leg']);
    const { json } = lociJson<{ memories: { by_project: Record<string, number> } }>(
      ['status', '--all-projects', ...store],
      { cwd: folder },
    );
    expect(json.memories.by_project).toMatchObject({ tool: 1, 'tool-2': 1 });
  });

  test('-p global is seen from everywhere, -p NAME only there', () => {
    const path = repository('fourth');
    lociJson(['remember', 'everyone may know the otter', '-p', 'global', ...store], { cwd: path });
    lociJson(['remember', 'only zoo may know the otter', '-p', 'zoo', ...store], { cwd: path });
    expect(recalled(folder, 'otter')).toEqual(['everyone may know the otter']);
    expect(recalled(path, 'otter')).toEqual(['everyone may know the otter']);
    const { json } = lociJson<{ results: object[] }>(['recall', 'otter', '-p', 'zoo', ...store]);
    expect(json.results).toHaveLength(2);
  });
});
