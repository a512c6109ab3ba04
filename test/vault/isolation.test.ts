import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../src/ports/engine.ts';
import {
  change,
  close,
  complaints,
  expectSound,
  fact,
  freshRoot,
  ids,
  memory,
  open,
  put,
  read,
  until,
  write,
} from './support.ts';

const ISOLATED = { isolated: true } as const;

function files(root: string): string[] {
  const found: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (entry.name.startsWith('.')) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (path.endsWith('.md')) found.push(path);
    }
  };
  walk('');
  return found.sort();
}

async function isolatedVault(): Promise<{ root: string; engine: Engine }> {
  const root = freshRoot();
  const engine = await open(root, ISOLATED);
  await put(
    engine,
    fact('OF-ANN', { agent: 'ann' }),
    fact('OF-BOB', { agent: 'bob' }),
    fact('OF-ALL'),
  );
  return { root, engine };
}

describe('[G2] where agents are kept apart', () => {
  test('each has a folder of files, and there is one for all', async () => {
    const { root, engine } = await isolatedVault();
    expect(files(root)).toEqual([
      'agents/ann/ENTITIES/FACT-OF-ANN.md',
      'agents/bob/ENTITIES/FACT-OF-BOB.md',
      'shared/ENTITIES/FACT-OF-ALL.md',
    ]);
    await change(engine, 'FACT-OF-ANN', { status: 'archived' });
    await put(engine, fact('EPISODE', { type: 'episode', agent: 'ann' }));
    expect(files(root)).toContain('agents/ann/ARCHIVE/FACT-OF-ANN.md');
    expect(files(root)).toContain('agents/ann/EPISODES/FACT-EPISODE.md');
    expect(existsSync(join(root, 'ENTITIES'))).toBe(false);
    expect(existsSync(join(root, 'agents/ann/events.ndjson'))).toBe(false);
    await expectSound(engine);
  });

  test('ids that file systems could mistake for others get folders of their own', async () => {
    const root = freshRoot();
    const engine = await open(root, ISOLATED);
    const agents = ['ann', 'Ann', '../../out', '..', 'a b'];
    for (const [i, agent] of agents.entries()) await put(engine, fact(`NUMBER-${i}`, { agent }));
    const folders = readdirSync(join(root, 'agents'));
    expect(new Set(folders.map((name) => name.toLowerCase())).size).toBe(5);
    expect(folders.every((name) => /^[a-z0-9_-]+$/.test(name))).toBe(true);
    expect(readdirSync(dirname(root))).toEqual(['vault']);
    await expectSound(engine);
    expect((await engine.reindex()).problems).toEqual([]);
    expect((await memory(engine, 'FACT-NUMBER-2')).agent).toBe('../../out');
  });

  test('a file that is put into a drawer becomes a memory of its agent', async () => {
    const { root, engine } = await isolatedVault();
    await close(engine);
    write(root, 'agents/ann/ENTITIES/note.md', 'Ann wrote this.\n');
    write(
      root,
      'agents/Carl/ENTITIES/FACT-CARL-ONE.md',
      '---\nagent: bob\n---\nCarl wrote this.\n',
    );
    write(root, 'shared/ENTITIES/FACT-FOR-ALL.md', '---\nagent: bob\n---\nAll may read this.\n');
    const again = await open(root, ISOLATED);
    const all = await ids(again);
    const anns = all.find((id) => id.includes('ANN-WROTE') || id.includes('NOTE')) as string;
    expect((await memory(again, anns)).agent).toBe('ann');
    expect((await memory(again, 'FACT-CARL-ONE')).agent).toBe('Carl');
    expect((await memory(again, 'FACT-FOR-ALL')).agent).toBeUndefined();
    expect(files(root)).toContain('agents/ann/ENTITIES/note.md');
    expect(files(root).find((path) => path.endsWith('FACT-CARL-ONE.md'))).toMatch(
      /^agents\/carl-[0-9a-f]{8}\/ENTITIES/,
    );
    await expectSound(again);
  });

  test('a file that is moved into another drawer goes back', async () => {
    const { root, engine } = await isolatedVault();
    await close(engine);
    renameSync(
      join(root, 'agents/ann/ENTITIES/FACT-OF-ANN.md'),
      join(root, 'shared/ENTITIES/FACT-OF-ANN.md'),
    );
    const again = await open(root, ISOLATED);
    expect((await memory(again, 'FACT-OF-ANN')).agent).toBe('ann');
    expect((await memory(again, 'FACT-OF-ANN')).status).toBe('active');
    expect(files(root)).toContain('agents/ann/ENTITIES/FACT-OF-ANN.md');
    expect(files(root)).not.toContain('shared/ENTITIES/FACT-OF-ANN.md');
    await expectSound(again);
  });

  test('a drawer that vanished is damage, and replay brings it back', async () => {
    const { root, engine } = await isolatedVault();
    await close(engine);
    renameSync(join(root, 'agents'), join(dirname(root), 'elsewhere'));
    const again = await open(root, ISOLATED);
    expect((await memory(again, 'FACT-OF-ANN')).status).toBe('active');
    expect(await complaints(again)).toEqual([
      '2 of 3 files are missing; nothing was concluded from it',
    ]);
    await again.replay();
    expect(files(root)).toContain('agents/bob/ENTITIES/FACT-OF-BOB.md');
    await expectSound(again);
  });

  test('[S1] a drawer that is a link is not followed', async () => {
    const { root, engine } = await isolatedVault();
    await close(engine);
    const outside = join(dirname(root), 'outside');
    mkdirSync(join(outside, 'ENTITIES'), { recursive: true });
    writeFileSync(join(outside, 'ENTITIES', 'FACT-OUTSIDE.md'), 'It lies outside.\n');
    symlinkSync(outside, join(root, 'agents', 'mallory'));
    const again = await open(root, ISOLATED);
    await again.reindex();
    expect(await ids(again)).toEqual(['FACT-OF-ALL', 'FACT-OF-ANN', 'FACT-OF-BOB']);
  });

  test('edits in a drawer are noticed while it is open', async () => {
    const { root, engine } = await isolatedVault();
    await close(engine);
    const watching = await open(root, { ...ISOLATED, watch: true });
    const path = 'agents/ann/ENTITIES/FACT-OF-ANN.md';
    write(root, path, read(root, path).replace('The text of', 'Another text of'));
    write(root, 'agents/dora/ENTITIES/FACT-OF-DORA.md', 'Dora is new.\n');
    await until('both are taken up', async () => {
      const found = await ids(watching);
      return (
        found.includes('FACT-OF-DORA') &&
        (await memory(watching, 'FACT-OF-ANN')).body.startsWith('Another')
      );
    });
    expect((await memory(watching, 'FACT-OF-DORA')).agent).toBe('dora');
  });
});

describe('[G2] a vault that begins to keep agents apart', () => {
  test('moves its files into their drawers, and back when it ceases to', async () => {
    const root = freshRoot();
    const before = await open(root);
    await put(before, fact('OF-ANN', { agent: 'ann' }), fact('OF-ALL'));
    const { stateHash } = await before.verify();
    await close(before);
    renameSync(join(root, 'ENTITIES/FACT-OF-ALL.md'), join(root, 'ENTITIES/all.md'));
    const apart = await open(root, ISOLATED);
    expect(files(root)).toEqual(['agents/ann/ENTITIES/FACT-OF-ANN.md', 'shared/ENTITIES/all.md']);
    expect(await apart.verify()).toMatchObject({ stateHash, problems: [] });
    await close(apart);
    const together = await open(root);
    expect(await together.verify()).toMatchObject({ stateHash, problems: [] });
    expect(files(root)).toContain('ENTITIES/FACT-OF-ANN.md');
    expect(files(root)).not.toContain('agents/ann/ENTITIES/FACT-OF-ANN.md');
  });

  test('takes files of agents that another program made, and reports its logs', async () => {
    const root = freshRoot();
    mkdirSync(root);
    write(root, 'agents/alice/ENTITIES/FACT-ALICE-1.md', '---\nid: FACT-ALICE-1\n---\nOf Alice.\n');
    write(root, 'agents/alice/events.ndjson', '{"v":2,"type":"atom.created"}\n{"v":2}\n');
    write(root, 'shared/ENTITIES/FACT-SHARED-1.md', '---\nid: FACT-SHARED-1\n---\nOf all.\n');
    const engine = await open(root, ISOLATED);
    expect((await memory(engine, 'FACT-ALICE-1')).agent).toBe('alice');
    expect((await memory(engine, 'FACT-SHARED-1')).agent).toBeUndefined();
    expect((await engine.findings()).map(({ message }) => message)).toEqual([
      'agents/alice/events.ndjson holds 2 lines that are no events of this drawer; they are kept, and its files count',
    ]);
    expect(read(root, 'agents/alice/events.ndjson')).toContain('atom.created');
  });

  test('joins a log of ours that lies in a drawer, for what belongs there', async () => {
    const elsewhere = freshRoot();
    const source = await open(elsewhere);
    await put(source, fact('OF-ANN', { agent: 'ann' }), fact('OF-NOBODY'));
    await change(source, 'FACT-OF-ANN', { body: 'A second text.' });
    await close(source);
    const root = freshRoot();
    mkdirSync(join(root, 'agents/ann'), { recursive: true });
    write(root, 'agents/ann/events.ndjson', read(elsewhere, 'events.ndjson'));
    const engine = await open(root, ISOLATED);
    expect(await ids(engine)).toEqual(['FACT-OF-ANN']);
    expect(await engine.history('FACT-OF-ANN')).toHaveLength(2);
    await expectSound(engine);
    expect((await engine.reindex()).memories).toBe(1);
    expect((await engine.findings()).map(({ message }) => message)).toEqual([
      'agents/ann/events.ndjson holds 1 lines that are no events of this drawer; they are kept, and its files count',
    ]);
  });
});

test('without drawers, folders of these names are somebody else’s', async () => {
  const root = freshRoot();
  await close(await open(root));
  write(root, 'shared/ENTITIES/FACT-NOT-OURS.md', 'Not ours.\n');
  write(root, 'agents/ann/ENTITIES/FACT-PRIVATE.md', 'Not for everybody.\n');
  const engine = await open(root);
  await engine.reindex();
  expect(await ids(engine)).toEqual([]);
});
