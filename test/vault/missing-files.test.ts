import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VIEW_ALL } from '../../src/domain/view.ts';
import {
  change,
  close,
  complaints,
  expectSound,
  fact,
  facts,
  filesOf,
  open,
  position,
  put,
  vaultOf,
  within,
} from './support.ts';

async function active(engine: Awaited<ReturnType<typeof open>>): Promise<number> {
  return (await engine.stats(VIEW_ALL)).byStatus['active'] ?? 0;
}

function removeFiles(root: string, count: number): void {
  for (let i = 1; i <= count; i++) rmSync(join(root, `ENTITIES/FACT-N-${i}.md`));
}

describe('[B2] files that are missing in numbers', () => {
  test('twenty are somebody’s wish', async () => {
    const root = await vaultOf(...facts(40));
    removeFiles(root, 20);
    const engine = await open(root);
    expect(await active(engine)).toBe(20);
    expect(await complaints(engine)).toEqual([]);
    await expectSound(engine);
  });

  test('more than twenty, and a fifth of all, are damage: nothing is concluded, and it is said', async () => {
    const root = await vaultOf(...facts(40));
    removeFiles(root, 21);
    // Again and again: it does not wear off.
    for (let i = 0; i < 2; i++) {
      await within(root, async (engine) => {
        expect(await active(engine)).toBe(40);
        expect(await position(engine)).toBe(40);
        expect(await complaints(engine)).toEqual([
          '21 of 40 files are missing; nothing was concluded from it',
        ]);
        expect((await engine.verify()).filesOk).toBe(false);
      });
    }
  });

  test('a change of one of them writes its file, and the others stay as they are', async () => {
    const root = await vaultOf(...facts(40));
    removeFiles(root, 21);
    const engine = await open(root);
    await change(engine, 'FACT-N-1', { body: 'Changed.' });
    expect(Object.keys(filesOf(root))).toContain('ENTITIES/FACT-N-1.md');
    expect(await active(engine)).toBe(40);
    await close(engine);
    const reopened = await open(root);
    // Twenty now, but these twenty are known to be lost.
    expect(await complaints(reopened)).toEqual([
      '20 of 40 files are missing; nothing was concluded from it',
    ]);
    expect(await active(reopened)).toBe(40);
  });

  test('replay restores them', async () => {
    const root = await vaultOf(...facts(40));
    const files = filesOf(root);
    removeFiles(root, 30);
    const engine = await open(root);
    const report = await engine.replay();
    expect(report).toMatchObject({ memories: 40, events: 40, edits: 0, written: 30, problems: [] });
    expect(filesOf(root)).toEqual(files);
    await expectSound(engine);
  });

  test('put back by hand, they are as they were', async () => {
    const root = await vaultOf(...facts(40));
    renameSync(join(root, 'ENTITIES'), join(root, 'elsewhere'));
    expect(await within(root, complaints)).toHaveLength(1);
    renameSync(join(root, 'elsewhere'), join(root, 'ENTITIES'));
    const engine = await open(root);
    expect(await complaints(engine)).toEqual([]);
    expect(await position(engine)).toBe(40);
    await expectSound(engine);
  });

  test('reindex archives them when it is told to', async () => {
    const root = await vaultOf(...facts(40));
    removeFiles(root, 30);
    const engine = await open(root);
    expect(await engine.reindex()).toMatchObject({ edits: 0 });
    expect(await active(engine)).toBe(40);
    expect(await engine.reindex({ acceptDeletions: true })).toMatchObject({
      edits: 30,
      problems: [],
    });
    expect(await active(engine)).toBe(10);
    await expectSound(engine);
    await close(engine);
    await within(root, expectSound);
  });

  test('it is said just as well when the index is gone too', async () => {
    const root = await vaultOf(...facts(40));
    removeFiles(root, 30);
    rmSync(join(root, '.memory-index.db'));
    for (let i = 0; i < 2; i++) {
      await within(root, async (engine) => {
        expect(await complaints(engine)).toEqual([
          '30 of 40 files are missing; nothing was concluded from it',
        ]);
        expect(await active(engine)).toBe(40);
      });
    }
    await within(root, (engine) => engine.reindex({ acceptDeletions: true }));
    expect(await within(root, active)).toBe(10);
  });
});

describe('[B2] a folder that is gone', () => {
  test('says nothing about what lay in it, however little that was', async () => {
    const root = await vaultOf(fact('A'), fact('B'), fact('OLD', { status: 'archived' }));
    rmSync(join(root, 'ENTITIES'), { recursive: true });
    const engine = await open(root);
    expect(await complaints(engine)).toEqual([
      '2 of 3 files are missing; nothing was concluded from it',
    ]);
    expect(await active(engine)).toBe(2);
    // A new memory makes the folder again: that changes nothing for those that are lost.
    await put(engine, fact('NEW'));
    await close(engine);
    const reopened = await open(root);
    expect(await active(reopened)).toBe(3);
    expect(await complaints(reopened)).toHaveLength(1);
    await reopened.replay();
    expect(await complaints(reopened)).toEqual([]);
    expect(Object.keys(filesOf(root))).toEqual([
      'ENTITIES/FACT-A.md',
      'ENTITIES/FACT-B.md',
      'ENTITIES/FACT-NEW.md',
      'ARCHIVE/FACT-OLD.md',
    ]);
    await expectSound(reopened);
  });
});
