import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { loadParser } from '../../src/engines/vault/markdown.ts';
import { idsFor } from '../../src/testing/contract/keyword.ts';
import { holdLock, writer, written } from './processes.ts';
import { figure, rounds, SOAK_TIMEOUT_MS } from './soak.ts';
import {
  close,
  edit,
  expectSound,
  fact,
  facts,
  filesOf,
  freshRoot,
  ids,
  linesOf,
  LOCK,
  memory,
  open,
  pause,
  position,
  put,
  vaultOf,
  within,
} from './support.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `P${i + 1}`);
const seconds = (sinceMs: number): string =>
  `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

/** Every file is whole, and there is one for every current memory. */
async function expectWhole(root: string, count: number): Promise<void> {
  const { parseFile } = await loadParser();
  const files = filesOf(root);
  expect(Object.keys(files)).toHaveLength(count);
  for (const [path, text] of Object.entries(files)) {
    expect([path, parseFile(text)]).toEqual([
      path,
      expect.objectContaining({ body: expect.any(String) }),
    ]);
  }
  expect(readdirSync(root).filter((name) => name.startsWith('.loci-tmp'))).toEqual([]);
}

describe('[B11] many processes on one vault', () => {
  test(
    'eight write at once, into a vault that is not there yet: all is kept, once',
    async () => {
      const each = rounds(25, 200);
      const root = freshRoot();
      const start = performance.now();
      const ends = await Promise.all(
        names(8).map((name) => written(root, { name, count: each, shared: 'FACT-SHARED' })),
      );
      figure(`8 processes × ${each} memories`, seconds(start));
      expect(ends.map(({ end }) => end)).toEqual(Array.from({ length: 8 }, () => 0));
      const engine = await open(root);
      const acknowledged = ends.flatMap((end) => end.ids);
      expect(new Set(acknowledged).size).toBe(8 * each);
      expect(await ids(engine)).toEqual([...acknowledged, 'FACT-SHARED'].sort());
      expect(await position(engine)).toBe(8 * (each + each / 5));
      expect(linesOf(root)).toHaveLength(8 * (each + each / 5));
      expect(await engine.history('FACT-SHARED')).toHaveLength((8 * each) / 5);
      expect(await idsFor(engine, 'text', { k: 5000 })).toHaveLength(8 * each + 1);
      await expectWhole(root, 8 * each + 1);
      await expectSound(engine);
      await engine.reindex();
      await expectSound(engine);
    },
    SOAK_TIMEOUT_MS,
  );

  test(
    'some are killed: nothing acknowledged is lost, and nobody is in the way',
    async () => {
      const root = freshRoot();
      const acknowledged: string[] = [];
      const start = performance.now();
      const kills = rounds(3, 20);
      for (let round = 0; round < kills; round++) {
        const victim = await writer(root, { name: `V${round}`, count: 0 });
        const others = [0, 1].map((i) => written(root, { name: `O${round}-${i}`, count: 10 }));
        await victim.printed(5);
        await pause(Math.random() * 50);
        victim.child.kill('SIGKILL');
        expect(await victim.ended).toBe('SIGKILL');
        for (const { end, ids: kept } of await Promise.all(others)) {
          expect(end).toBe(0);
          acknowledged.push(...kept);
        }
        acknowledged.push(...victim.lines.filter((line) => line !== ''));
      }
      figure(
        `${kills} × kill -9 among 3 writers`,
        `${acknowledged.length} acknowledged, none lost, ${seconds(start)}`,
      );
      const engine = await open(root);
      const found = new Set(
        (await engine.get(acknowledged, VIEW_ALL)).map((stored) => stored.memory.id),
      );
      expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
      await expectWhole(root, (await ids(engine)).length);
      await expectSound(engine);
      await put(engine, fact('AFTERWARDS'));
      await close(engine);
      await within(root, expectSound);
    },
    SOAK_TIMEOUT_MS,
  );

  test(
    'two race to make a vault that does not exist',
    async () => {
      const races = rounds(5, 30);
      const start = performance.now();
      for (let race = 0; race < races; race++) {
        const root = freshRoot();
        const ends = await Promise.all(
          ['A', 'B'].map((name) => written(root, { name, count: 2, width: 1 })),
        );
        expect(ends.map(({ end }) => end)).toEqual([0, 0]);
        await within(root, async (engine) => {
          expect(await ids(engine)).toEqual(['FACT-A-0', 'FACT-A-1', 'FACT-B-0', 'FACT-B-1']);
          await expectSound(engine);
        });
      }
      figure(`${races} races to make a vault`, `all sound, ${seconds(start)}`);
    },
    SOAK_TIMEOUT_MS,
  );

  test('a person edits while two write', async () => {
    const root = await vaultOf(...facts(10));
    const engine = await open(root, { watch: true });
    const writers = ['A', 'B'].map((name) => written(root, { name, count: 30 }));
    for (let i = 1; i <= 10; i++) {
      edit(root, `ENTITIES/FACT-N-${i}.md`, 'The text', 'The edited text');
      await pause(20);
    }
    for (const { end } of await Promise.all(writers)) expect(end).toBe(0);
    await engine.reindex();
    expect(await idsFor(engine, 'edited', { k: 50 })).toHaveLength(10);
    expect(await position(engine)).toBe(10 + 60 + 10);
    await expectSound(engine);
  });
});

describe('[B11] a lock that another process holds', () => {
  test('for three seconds: reads and openings answer at once, a write waits and is kept', async () => {
    const root = await vaultOf(fact('BEFORE', { body: 'Zeppelin' }));
    const engine = await open(root);
    const holder = holdLock(join(root, LOCK), 3000);
    await holder.printed(1);
    const start = performance.now();
    const waiting = put(engine, fact('AFTER')).then(() => performance.now() - start);
    expect(await idsFor(engine, 'zeppelin')).toEqual(['FACT-BEFORE']);
    const late = await open(root);
    expect(await idsFor(late, 'zeppelin')).toEqual(['FACT-BEFORE']);
    expect(performance.now() - start).toBeLessThan(1500);
    expect(await waiting).toBeGreaterThan(2000);
    expect(await ids(late)).toEqual(['FACT-AFTER', 'FACT-BEFORE']);
    expect(await holder.ended).toBe(0);
    await expectSound(late);
  });

  test('past the deadline: busy, and nothing is stored', async () => {
    const root = await vaultOf(fact('BEFORE'));
    const engine = await open(root, { lockDeadlineMs: 300 });
    const holder = holdLock(join(root, LOCK), 1500);
    await holder.printed(1);
    const start = performance.now();
    await expect(put(engine, fact('NEVER'))).rejects.toMatchObject({
      code: 'busy',
      hint: expect.stringContaining('Try again'),
    });
    expect(performance.now() - start).toBeLessThan(1200);
    expect(linesOf(root)).toHaveLength(1);
    expect(await ids(engine)).toEqual(['FACT-BEFORE']);
    expect(await holder.ended).toBe(0);
    await put(engine, fact('LATER'));
    expect(await ids(engine)).toEqual(['FACT-BEFORE', 'FACT-LATER']);
    await expectSound(engine);
  });

  test('on the index: the same', async () => {
    const root = await vaultOf(fact('BEFORE'));
    const engine = await open(root);
    const holder = holdLock(join(root, '.memory-index.db'), 800);
    await holder.printed(1);
    const start = performance.now();
    const waiting = put(engine, fact('AFTER'));
    expect(await ids(await open(root))).toEqual(['FACT-BEFORE']);
    expect(performance.now() - start).toBeLessThan(600);
    await waiting;
    expect(performance.now() - start).toBeGreaterThan(500);
    await expectSound(engine);
  });
});

test(
  '[P3] opened again untouched, a vault of thousands makes no work',
  async () => {
    const count = rounds(1000, 20_000);
    const root = await vaultOf(...facts(count));
    const steps: string[] = [];
    const start = performance.now();
    const engine = await open(root, { onStep: (step) => steps.push(step) });
    const openMs = performance.now() - start;
    expect((await memory(engine, `FACT-N-${count}`)).id).toBe(`FACT-N-${count}`);
    expect(steps).toEqual([]);
    expect(openMs).toBeLessThan(5000);
    figure(`opening ${count} files untouched`, `${openMs.toFixed(0)} ms`);
    edit(root, 'ENTITIES/FACT-N-7.md', 'The text', 'The edited text');
    await close(engine);
    const again = performance.now();
    const reopened = await open(root);
    figure(`opening ${count} files, one edited`, `${(performance.now() - again).toFixed(0)} ms`);
    expect(await idsFor(reopened, 'edited')).toEqual(['FACT-N-7']);
    expect(await position(reopened)).toBe(count + 1);
  },
  SOAK_TIMEOUT_MS,
);
