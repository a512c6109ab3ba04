import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Relation } from '../../src/domain/relation.ts';
import { change, complaints, expectSound, fact, freshRoot, memories, memory } from './support.ts';
import { open, put, read, until, within } from './support.ts';

let here = '';
let there = '';

function git(root: string, ...args: string[]): { status: number | null; text: string } {
  const settings = ['user.name=Test', 'user.email=test@example.org', 'pull.rebase=false'];
  const all = [...settings.flatMap((setting) => ['-c', setting]), ...args];
  const { status, stdout, stderr } = spawnSync('git', all, { cwd: root, encoding: 'utf8' });
  return { status, text: stdout + stderr };
}

function commit(root: string, message: string): void {
  for (const args of [
    ['add', '-A'],
    ['commit', '-q', '-m', message],
  ]) {
    const { status, text } = git(root, ...args);
    if (status !== 0) throw new Error(text);
  }
}

/** Takes what the other clone has. A file that both changed is left as git leaves it. */
function pull(root: string, from: string): void {
  git(root, 'pull', '-q', '--no-edit', from, 'main');
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '--no-edit', '-m', 'merge');
}

function supports(target: string): Relation {
  return { type: 'supports', target, confidence: 1, origin: 'stated' };
}

/** The state of a clone when everything is taken up, and that nothing is wrong with it. */
async function settled(root: string): Promise<string> {
  const engine = await open(root);
  await until('all is taken up', async () => (await engine.verify()).problems.length === 0);
  await expectSound(engine);
  expect(await complaints(engine)).toEqual([]);
  return (await engine.verify()).stateHash;
}

beforeEach(async () => {
  here = freshRoot('here');
  await within(here, (engine) =>
    put(
      engine,
      fact('PORT', { body: 'The port is 8080.' }),
      fact('HOST'),
      fact('GONE'),
      fact('KEPT'),
    ),
  );
  git(here, 'init', '-q', '-b', 'main');
  commit(here, 'start');
  there = freshRoot('there');
  spawnSync('git', ['clone', '-q', here, there]);
});

describe('[B7] [B12] two clones that both changed, joined by git', () => {
  test('come to one state: a conflict, a deletion and relations of both', async () => {
    await within(here, async (engine) => {
      await change(engine, 'FACT-PORT', { body: 'The port is 9090.' });
      await change(engine, 'FACT-HOST', { relations: [supports('FACT-PORT')] });
      await put(engine, fact('HERE'));
    });
    commit(here, 'here');
    await within(there, async (engine) => {
      await change(engine, 'FACT-PORT', { body: 'The port is 7070.' });
      await change(engine, 'FACT-HOST', { relations: [supports('FACT-KEPT')] });
      await put(engine, fact('THERE'));
    });
    rmSync(join(there, 'ENTITIES', 'FACT-GONE.md'));
    await within(there, async (engine) => {
      await until(
        'all is taken up',
        async () => (await memory(engine, 'FACT-GONE')).status === 'archived',
      );
    });
    commit(there, 'there');

    pull(here, there);
    const joined = await settled(here);
    commitIfChanged(here);
    pull(there, here);
    expect(await settled(there)).toBe(joined);
    await within(there, async (engine) => {
      const all = await memories(engine);
      const conflict = all.find(({ type }) => type === 'conflict');
      expect(conflict?.body).toContain('The port is 9090.');
      expect(conflict?.body).toContain('The port is 7070.');
      expect((await memory(engine, 'FACT-GONE')).status).toBe('archived');
      const { relations } = await memory(engine, 'FACT-HOST');
      expect(relations.map(({ target }) => target)).toEqual(['FACT-KEPT', 'FACT-PORT']);
      expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(['FACT-HERE', 'FACT-THERE']));
    });
  }, 90_000);

  test('[A11] what one of them purged is gone from the other after a pull', async () => {
    await within(there, (engine) => change(engine, 'FACT-HOST', { tags: ['there'] }));
    commit(there, 'there');
    await within(here, async (engine) => {
      await change(engine, 'FACT-KEPT', { relations: [supports('FACT-GONE')] });
      await engine.purge(['FACT-GONE'], 'owner');
    });
    commit(here, 'here');
    pull(there, here);
    await settled(there);
    expect(read(there, 'events.ndjson')).not.toContain('FACT-GONE');
    await within(there, async (engine) => {
      expect((await memories(engine)).map(({ id }) => id).toSorted()).toEqual([
        'FACT-HOST',
        'FACT-KEPT',
        'FACT-PORT',
      ]);
      expect((await memory(engine, 'FACT-HOST')).tags).toEqual(['there']);
    });
  }, 90_000);

  test('[B6] a log that one of them compacted goes on being the same for the other', async () => {
    await within(here, (engine) => change(engine, 'FACT-PORT', { body: 'The port is 9090.' }));
    commit(here, 'first');
    pull(there, here);
    await within(there, (engine) => change(engine, 'FACT-HOST', { tags: ['there'] }));
    commit(there, 'there');
    await within(here, (engine) => engine.compact('owner'));
    commit(here, 'compacted');
    pull(there, here);
    const state = await settled(there);
    commitIfChanged(there);
    pull(here, there);
    expect(await settled(here)).toBe(state);
    await within(here, async (engine) => {
      expect((await memory(engine, 'FACT-HOST')).tags).toEqual(['there']);
      expect((await memory(engine, 'FACT-PORT')).body).toBe('The port is 9090.');
    });
  }, 90_000);
});

function commitIfChanged(root: string): void {
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'taken up');
}
