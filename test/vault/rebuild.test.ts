import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { openSqlite } from '../../src/engines/sqlite/open.ts';
import { sqliteDriver } from '../../src/engines/sqlite/drivers/index.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { idsFor } from '../../src/testing/contract/keyword.ts';
import { testIds } from '../../src/testing/ids.ts';
import {
  change,
  complaints,
  edit,
  expectSound,
  fact,
  facts,
  filesOf,
  freshRoot,
  INDEX,
  LOG,
  memoryOf,
  open,
  position,
  put,
  read,
  sha,
  ticking,
  vaultOf,
  within,
  write,
} from './support.ts';

/** A vault with all that can be in one: types, statuses, relations, hand edits, a person's file. */
async function furnished(): Promise<string> {
  const root = await vaultOf(
    ...facts(5),
    memoryOf({
      id: 'DECI-FILES',
      type: 'decision',
      tier: 'preferences',
      title: 'Files: first',
      tags: ['a', 'b'],
    }),
    memoryOf({
      id: 'EPIS-MONDAY',
      type: 'episode',
      body: '---\nWe met.\n---\n',
      session_id: 's1',
      turn: 0,
    }),
    fact('OLD-ONE', { status: 'archived' }),
    fact('REPLACED', { status: 'superseded', superseded_by: 'FACT-N-1' }),
  );
  write(
    root,
    'ENTITIES/Mine.md',
    '---\n# mine\nid: FACT-MINE-OWN\naliases: [x]\n---\nWritten by hand.\n',
  );
  edit(root, 'ENTITIES/FACT-N-2.md', 'The text', 'The edited text');
  await within(root, async (engine) => {
    const relations = [{ type: 'supports', target: 'FACT-N-1', confidence: 1, origin: 'stated' }];
    await change(engine, 'FACT-N-3', { relations });
    await change(engine, 'FACT-MINE-OWN', { confidence: 0.4 });
  });
  return root;
}

async function portrait(engine: Engine): Promise<unknown> {
  return {
    ...(await engine.verify()),
    edited: await idsFor(engine, 'edited'),
    all: await idsFor(engine, 'text', { k: 50 }),
    edges: await engine.edges(['FACT-N-1'], VIEW_ALL),
  };
}

/** A name that a person gave is in no log: such a file comes back under its id. */
function renamed(files: Record<string, string>): Record<string, string> {
  const { 'ENTITIES/Mine.md': mine, ...others } = files;
  return mine === undefined ? others : { ...others, 'ENTITIES/FACT-MINE-OWN.md': mine };
}

describe('[B2] what is derived is built again', () => {
  test('[C12] the index: the same state and the same answers, and no event', async () => {
    const root = await furnished();
    const before = await within(root, portrait);
    const log = sha(root, LOG);
    const files = filesOf(root);
    rmSync(join(root, INDEX));
    expect(await within(root, portrait)).toEqual(before);
    await within(root, (engine) => engine.reindex());
    expect(await within(root, portrait)).toEqual(before);
    expect(sha(root, LOG)).toBe(log);
    expect(filesOf(root)).toEqual(files);
  });

  test('the index over files by the hundred, as people left them', async () => {
    const root = await vaultOf(...facts(600));
    await within(root, async (engine) => {
      edit(root, 'ENTITIES/FACT-N-3.md', 'The text', 'The edited text');
      rmSync(join(root, 'ENTITIES/FACT-N-4.md'));
      write(root, 'ENTITIES/Mine.md', '---\nid: FACT-MINE-OWN\n---\nWritten by hand.\n');
      const { edits, written, problems } = await engine.reindex();
      expect({ edits, written, problems }).toEqual({ edits: 3, written: 0, problems: [] });
      const [three, four] = await engine.get(['FACT-N-3', 'FACT-N-4'], VIEW_ALL);
      expect(three?.memory.body).toContain('The edited text');
      expect(four?.memory.status).toBe('archived');
    });
    await within(root, expectSound);
    const known = await within(root, (engine) => engine.verify());
    rmSync(join(root, INDEX));
    rmSync(join(root, 'ENTITIES/FACT-N-5.md'));
    write(root, 'ENTITIES/FACT-N-6.md', 'Nothing of it is left.\n');
    await within(root, async (engine) => {
      expect(read(root, 'ENTITIES/FACT-N-5.md')).toContain('FACT-N-5');
      const [six] = await engine.get(['FACT-N-6'], VIEW_ALL);
      expect(six?.memory.body).toBe('Nothing of it is left.');
      expect((await engine.verify()).stateHash).not.toBe(known.stateHash);
    });
    await within(root, expectSound);
  });

  test('the files, by replay: byte for byte', async () => {
    const root = await furnished();
    const before = await within(root, (engine) => engine.verify());
    const files = filesOf(root);
    for (const folder of ['ENTITIES', 'ARCHIVE', 'EPISODES']) {
      rmSync(join(root, folder), { recursive: true });
    }
    await within(root, async (engine) => {
      const { stateHash, problems } = await engine.replay();
      expect({ stateHash, problems }).toEqual({ stateHash: before.stateHash, problems: [] });
    });
    expect(renamed(filesOf(root))).toEqual(renamed(files));
    await within(root, expectSound);
  });

  test('everything but the log', async () => {
    const root = await furnished();
    const { stateHash } = await within(root, (engine) => engine.verify());
    const log = read(root, LOG);
    rmSync(root, { recursive: true });
    write(root, LOG, log);
    await within(root, async (engine) => {
      await engine.replay();
      expect((await engine.verify()).stateHash).toBe(stateHash);
      await expectSound(engine);
    });
    expect(existsSync(join(root, 'EPISODES/EPIS-MONDAY.md'))).toBe(true);
  });

  test('replay takes up no edit, and writes none over', async () => {
    const root = await vaultOf(fact('PORT'));
    const engine = await open(root);
    edit(root, 'ENTITIES/FACT-PORT.md', 'The text', 'The edited text');
    const before = sha(root, 'ENTITIES/FACT-PORT.md');
    const { edits, problems } = await engine.replay();
    expect(edits).toBe(0);
    expect(problems.map(({ message }) => message)).toEqual([
      'ENTITIES/FACT-PORT.md has changes that are not in the log; it was left as it is',
    ]);
    expect(sha(root, 'ENTITIES/FACT-PORT.md')).toBe(before);
    expect(await position(engine)).toBe(1);
    expect(await engine.reindex()).toMatchObject({ edits: 1, problems: [] });
    expect(await complaints(engine)).toEqual([]);
    await expectSound(engine);
  });
});

test('[I1] the sqlite engine, fed the same log, comes to the same state', async () => {
  const root = await furnished();
  const vault = await open(root);
  const path = join(freshRoot(), '..', 'store.db');
  const sqlite = await openSqlite({ path, clock: ticking, ids: testIds(99) });
  const { stateHash } = await sqlite.merge(await vault.events(0, 1000));
  expect(stateHash).toBe((await vault.verify()).stateHash);
  expect(await idsFor(sqlite, 'edited text')).toEqual(await idsFor(vault, 'edited text'));
  // And a vault fed by that one, in turn.
  const other = await open(freshRoot());
  await other.merge(await sqlite.events(0, 1000));
  expect((await other.verify()).stateHash).toBe(stateHash);
  await expectSound(other);
  await sqlite.close();
});

test('an index of a newer program is refused, and left as it is', async () => {
  const root = await vaultOf(fact('PORT'));
  const database = sqliteDriver().open(join(root, INDEX));
  database.exec('PRAGMA user_version = 999');
  database.close();
  const before = sha(root, INDEX);
  await expect(open(root)).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('999'),
  });
  expect(sha(root, INDEX)).toBe(before);
});

test('an index of an older program is built anew', async () => {
  const root = await vaultOf(fact('PORT'));
  const database = sqliteDriver().open(join(root, INDEX));
  database.exec('DROP TABLE files; DROP TABLE tags; PRAGMA user_version = 1');
  database.close();
  await within(root, async (engine) => {
    expect(await idsFor(engine, 'port')).toEqual(['FACT-PORT']);
    await expectSound(engine);
  });
});

test('a process that dies while it builds the index: the next one does it', async () => {
  const root = await furnished();
  const before = await within(root, (engine) => engine.verify());
  // What it leaves: half an index under a temporary name, or a whole one that knows of no file.
  rmSync(join(root, INDEX));
  write(root, `${INDEX}.new`, 'half');
  rmSync(join(root, 'ENTITIES/FACT-N-1.md'));
  const steps: string[] = [];
  await expect(
    open(root, {
      onStep(step) {
        steps.push(step);
        throw new Error('died');
      },
    }),
  ).rejects.toThrow('died');
  expect(steps).toHaveLength(1);
  expect(await within(root, (engine) => engine.verify())).toEqual(before);
  expect(existsSync(join(root, 'ENTITIES/FACT-N-1.md'))).toBe(true);
  await within(root, (engine) => put(engine, fact('NEXT')));
  await within(root, expectSound);
});

test('what dead processes left of files they were writing is swept away by a rebuild', async () => {
  const root = await vaultOf(fact('PORT'));
  write(root, '.loci-tmp-FACT-NEVER', 'half');
  await within(root, (engine) => engine.reindex());
  expect(existsSync(join(root, '.loci-tmp-FACT-NEVER'))).toBe(false);
  await within(root, expectSound);
});
