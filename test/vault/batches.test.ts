import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Change } from '../../src/domain/change.ts';
import { changeTo, NOTHING_NAMED } from '../../src/testing/memories.ts';
import { expectSound, fact, facts, filesOf, freshRoot, ids, open, within } from './support.ts';

/** More than are applied at a time, so that files of some are placed while others are applied. */
const MANY = 6000;

test('a batch of thousands: every file shows the last that was said of its memory', async () => {
  const root = freshRoot();
  await within(root, async (engine) => {
    const changes = facts(MANY).map((memory) => changeTo(memory));
    // Its file may lie in its place already when the second change comes.
    changes.push(changeTo(fact('N-1', { body: 'Said at the end of the batch.' })));
    changes.push(changeTo(fact('N-2', { status: 'archived' })));
    const { warnings } = await engine.commit(NOTHING_NAMED, () => ({
      changes,
      result: undefined,
    }));
    expect(warnings).toEqual([]);
    const files = filesOf(root);
    expect(Object.keys(files)).toHaveLength(MANY);
    expect(files['ENTITIES/FACT-N-1.md']).toContain('Said at the end of the batch.');
    expect(files['ARCHIVE/FACT-N-2.md']).toContain('status: archived');
    await expectSound(engine);
  });
  expect(readdirSync(root).filter((name) => name.startsWith('.loci-tmp-'))).toEqual([]);
});

test('a small change and a batch that arrive together: the files of both are there', async () => {
  const root = freshRoot();
  await within(root, async (engine) => {
    const commit = (changes: readonly Change[]): Promise<unknown> =>
      engine.commit(NOTHING_NAMED, () => ({ changes, result: undefined }));
    const batch = facts(700).map((memory) => changeTo(memory));
    await Promise.all([commit([changeTo(fact('SMALL'))]), commit(batch)]);
    expect(Object.keys(filesOf(root))).toHaveLength(701);
    await expectSound(engine);
  });
});

test('a file that somebody put in the place of a new memory is looked at, not written over', async () => {
  const root = freshRoot();
  const engine = await open(root);
  for (const n of [1, 700]) writeFileSync(join(root, `ENTITIES/FACT-N-${n}.md`), 'Mine.\n');
  const changes = facts(1000).map((memory) => changeTo(memory));
  const { warnings } = await engine.commit(NOTHING_NAMED, () => ({ changes, result: undefined }));
  await engine.commit(NOTHING_NAMED, () => ({
    changes: [changeTo(fact('NEXT'))],
    result: undefined,
  }));
  expect(warnings).toEqual([]);
  const files = filesOf(root);
  expect(files['ENTITIES/FACT-N-1.md']).toBe('Mine.\n');
  expect(files['ENTITIES/FACT-N-700.md']).toBe('Mine.\n');
  expect(Object.keys(files)).toHaveLength(1001);
  expect(readdirSync(root).filter((name) => name.startsWith('.loci-tmp-'))).toEqual([]);
});

test('files of a batch that cannot be written come later, and none holds something else', async () => {
  const root = freshRoot();
  const engine = await open(root);
  mkdirSync(join(root, '.loci-tmp-FACT-N-700'));
  const changes = facts(1000).map((memory) => changeTo(memory));
  const { warnings } = await engine.commit(NOTHING_NAMED, () => ({ changes, result: undefined }));
  expect(warnings).toEqual([expect.stringContaining('a file could not be written yet')]);
  expect(await ids(engine)).toHaveLength(1000);
  expect(Object.keys(filesOf(root)).length).toBeLessThan(1000);
  await within(root, async (next) => {
    expect(await ids(next)).toHaveLength(1000);
    await next.commit(NOTHING_NAMED, () => ({ changes: [], result: undefined }));
    expect(Object.keys(filesOf(root))).toHaveLength(1000);
    await expectSound(next);
  });
});
