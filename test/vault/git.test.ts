import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { LogEvent } from '../../src/domain/event.ts';
import type { Engine } from '../../src/ports/engine.ts';
import {
  change,
  close,
  complaints,
  edit,
  expectSound,
  fact,
  facts,
  filesOf,
  freshRoot,
  ids,
  linesOf,
  memories,
  memory,
  open,
  pause,
  position,
  put,
  read,
  until,
  within,
  write,
} from './support.ts';

let root = '';

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
  const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

function commit(message: string): void {
  git('add', '-A');
  git('commit', '-q', '-m', message);
}

beforeEach(async () => {
  root = freshRoot();
  await within(root, (engine) =>
    put(engine, ...facts(25), fact('PORT', { body: 'The port is 8080.' })),
  );
  git('init', '-q', '-b', 'main');
  commit('start');
});

const START = 26;

describe('[B12] another branch is checked out', () => {
  test('only what people may commit is in the repository', () => {
    const tracked = git('ls-files')
      .split('\n')
      .filter((path) => !path.startsWith('ENTITIES/'));
    expect(tracked).toEqual(['.gitattributes', '.gitignore', 'events.ndjson', '']);
  });

  test.each([
    ['under an engine that watches', true],
    ['under an engine that does not', false],
  ])('%s, and back, with writes on both', async (_name, watch) => {
    const engine = await open(root, { watch });
    const seen: LogEvent[] = [];
    git('checkout', '-q', '-b', 'side');
    await put(engine, fact('SIDE'));
    await change(engine, 'FACT-PORT', { body: 'The port is 9090.' });
    await change(engine, 'FACT-N-1', { status: 'archived' });
    commit('side');
    seen.push(...linesOf(root));
    const first = (await engine.head()).replica;

    git('checkout', '-q', 'main');
    if (watch) await pause(2500);
    expect(await ids(engine)).toHaveLength(START);
    expect((await memory(engine, 'FACT-PORT')).body).toBe('The port is 8080.');
    expect((await memory(engine, 'FACT-N-1')).status).toBe('active');
    await put(engine, fact('MAIN'));
    expect(await position(engine)).toBe(START + 1);
    const second = (await engine.head()).replica;
    expect(second).not.toBe(first);
    await expectSound(engine);
    commit('main');
    seen.push(...linesOf(root));

    git('checkout', '-q', 'side');
    if (watch) await pause(2500);
    expect(await ids(engine)).toHaveLength(START + 1);
    expect(await ids(engine)).toContain('FACT-SIDE');
    expect((await memory(engine, 'FACT-PORT')).body).toBe('The port is 9090.');
    await put(engine, fact('SIDE-TOO'));
    await expectSound(engine);
    expect(await complaints(engine)).toEqual([]);
    seen.push(...linesOf(root));

    // Over both branches, no number was given to two events.
    const byNumber = new Map(seen.map((event) => [`${event.replica} ${event.rseq}`, event.id]));
    expect(new Set(byNumber.values()).size).toBe(new Set(seen.map(({ id }) => id)).size);
    expect(seen.filter(({ actor }) => actor === 'hand')).toEqual([]);
    expect(git('status', '--porcelain').trim().split('\n').sort()).toEqual([
      '?? ENTITIES/FACT-SIDE-TOO.md',
      'M events.ndjson',
    ]);
  });

  test('under two processes: the one that comes second becomes the new replica too', async () => {
    const [one, two] = [await open(root), await open(root)];
    await put(two, fact('TWO'));
    git('checkout', '-q', '-b', 'side');
    commit('two');
    await put(one, fact('SIDE'));
    commit('side');
    const side = linesOf(root);
    git('checkout', '-q', 'main');
    await put(one, fact('ONE-MAIN'));
    await put(two, fact('TWO-MAIN'));
    const main = linesOf(root);
    const numbers = [...side, ...main.slice(START)].map(
      ({ replica, rseq }) => `${replica} ${rseq}`,
    );
    expect(new Set(numbers).size).toBe(numbers.length);
    await expectSound(one);
    await expectSound(two);
  });

  test('while nothing is open', async () => {
    git('checkout', '-q', '-b', 'side');
    await within(root, (engine) => put(engine, fact('SIDE')));
    commit('side');
    git('checkout', '-q', 'main');
    await within(root, async (engine) => {
      expect(await ids(engine)).toHaveLength(START);
      expect(await position(engine)).toBe(START);
      await expectSound(engine);
    });
  });

  test('a branch without any memory, and back: a folder that git removed and made is watched', async () => {
    const engine = await open(root, { watch: true });
    git('checkout', '-q', '--orphan', 'empty');
    git('rm', '-rq', '--cached', '.');
    git('clean', '-fdq');
    write(root, 'events.ndjson', '');
    commit('empty');
    git('checkout', '-q', 'main');
    expect(await ids(engine)).toHaveLength(START);
    await expectSound(engine);
    edit(root, 'ENTITIES/FACT-PORT.md', '8080', '9090');
    await until('the edit', async () => (await memory(engine, 'FACT-PORT')).body.includes('9090'));
    await expectSound(engine);
  });

  test('a hand edit that is not committed goes along', async () => {
    const engine = await open(root, { watch: true });
    edit(root, 'ENTITIES/FACT-PORT.md', '8080', '9090');
    git('checkout', '-q', '-b', 'side');
    await until('the edit', async () => (await memory(engine, 'FACT-PORT')).body.includes('9090'));
    expect(await position(engine)).toBe(START + 1);
    await expectSound(engine);
  });
});

describe('[B12] while git holds its lock', () => {
  test('reads answer, nothing is concluded from files, and a write waits', async () => {
    const engine = await open(root);
    write(root, '.git/index.lock', '');
    edit(root, 'ENTITIES/FACT-PORT.md', '8080', '9090');
    const start = performance.now();
    let isDone = false;
    const waiting = put(engine, fact('WAITS')).then(() => (isDone = true));
    expect((await memory(engine, 'FACT-PORT')).body).toBe('The port is 8080.');
    await pause(600);
    expect(isDone).toBe(false);
    expect(await ids(engine)).toHaveLength(START);
    rmSync(join(root, '.git/index.lock'));
    await waiting;
    expect(performance.now() - start).toBeGreaterThan(550);
    expect(await ids(engine)).toHaveLength(START + 1);
  });
});

/** Two branches, each with its own memory and its own change of one that both have. */
async function parted(left: string, right: string): Promise<void> {
  git('checkout', '-q', '-b', 'side');
  await within(root, async (engine) => {
    await put(engine, fact('SIDE'));
    await change(engine, 'FACT-PORT', JSON.parse(left) as { body: string });
  });
  commit('side');
  git('checkout', '-q', 'main');
  await within(root, async (engine) => {
    await put(engine, fact('MAIN'));
    await change(engine, 'FACT-PORT', JSON.parse(right) as { body: string });
  });
  commit('main');
}

/** Merges, and settles what git could not as a person does who keeps both halves. */
function merge(): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
  spawnSync('git', [...identity, 'merge', '-q', '--no-edit', 'side'], { cwd: root });
}

async function expectBoth(engine: Engine): Promise<void> {
  expect(await ids(engine)).toEqual(
    expect.arrayContaining(['FACT-SIDE', 'FACT-MAIN', 'FACT-PORT']),
  );
  expect(linesOf(root)).toHaveLength(START + 4);
  expect(await position(engine)).toBe(START + 4);
}

describe('[B12] two branches are merged', () => {
  test('different fields: both sides’ memories are there, and the one they share holds both', async () => {
    await parted('{"body":"The port is 9090."}', '{"tags":["net"]}');
    const engine = await open(root);
    merge();
    await expectBoth(engine);
    commit('merge');
    await close(engine);
    await within(root, async (later) => {
      expect(await memory(later, 'FACT-PORT')).toMatchObject({
        body: 'The port is 9090.',
        tags: ['net'],
      });
      expect(read(root, 'ENTITIES/FACT-PORT.md')).not.toContain('<<<<<<<');
      expect(await complaints(later)).toEqual([]);
      await expectBoth(later);
      await expectSound(later);
    });
  });

  test('one field: conflict markers are left while git waits for a person, then a conflict says it', async () => {
    await parted('{"body":"The port is 9090."}', '{"body":"The port is 7070."}');
    merge();
    expect(read(root, 'ENTITIES/FACT-PORT.md')).toContain('<<<<<<<');
    const marked = read(root, 'ENTITIES/FACT-PORT.md');
    await within(root, async (engine) => {
      await expectBoth(engine);
      expect(await complaints(engine)).toEqual([
        expect.stringMatching(
          /^ENTITIES\/FACT-PORT\.md, line \d+: it holds merge conflict markers$/,
        ),
      ]);
      expect(read(root, 'ENTITIES/FACT-PORT.md')).toBe(marked);
    });
    commit('merged, markers and all');
    await within(root, async (engine) => {
      const conflict = (await memories(engine)).find(({ type }) => type === 'conflict');
      expect(conflict?.body).toContain('The port is 9090.');
      expect(conflict?.body).toContain('The port is 7070.');
      expect(read(root, 'ENTITIES/FACT-PORT.md')).not.toContain('<<<<<<<');
      expect(Object.keys(filesOf(root))).toContain(`CONFLICTS/${conflict?.id}.md`);
      await expectBoth(engine);
      await expectSound(engine);
    });
  });

  test('a clone has the same state, and is a replica of its own', async () => {
    const { stateHash } = await within(root, (engine) => engine.verify());
    const source = root;
    root = freshRoot('clone');
    spawnSync('git', ['clone', '-q', source, root]);
    await within(root, async (engine) => {
      expect((await engine.verify()).stateHash).toBe(stateHash);
      await put(engine, fact('CLONE'));
      await expectSound(engine);
    });
    const replicas = new Set(linesOf(root).map(({ replica }) => replica));
    expect(replicas.size).toBe(2);
  });

  test('a pull brings what another machine wrote, under an engine that is open', async () => {
    const source = root;
    const clone = freshRoot('clone');
    spawnSync('git', ['clone', '-q', source, clone]);
    const engine = await open(clone);
    await within(source, async (there) => {
      await put(there, fact('THERE'));
      await change(there, 'FACT-PORT', { body: 'The port is 9090.' });
    });
    commit('there');
    root = clone;
    git('pull', '-q');
    expect(await ids(engine)).toContain('FACT-THERE');
    expect((await memory(engine, 'FACT-PORT')).body).toBe('The port is 9090.');
    expect(await position(engine)).toBe(START + 2);
    await put(engine, fact('HERE'));
    await expectSound(engine);
  });
});
