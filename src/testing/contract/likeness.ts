import { expect, test } from 'vitest';
import { likenessKeysOf } from '../../domain/hygiene/likeness-keys.ts';
import type { Memory } from '../../domain/memory.ts';
import type { Engine } from '../../ports/engine.ts';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { memoryOf, NOTHING_NAMED, put } from '../memories.ts';

const BODY = 'The keel of the boat is inspected every spring by Ann.';
const LOOSE = 'The keel of the boat is inspected every spring by Ann';

type Placed = Pick<Memory, 'body' | 'project'> & { agent?: string };

/** Ids of what a commit sees to be alike, by the first key that has any. */
async function alikeTo(engine: Engine, text: Partial<Placed> = {}): Promise<readonly string[]> {
  const keys = likenessKeysOf({ project: 'global', body: LOOSE, ...text }, engine.isolated);
  const request = { ...NOTHING_NAMED, likenessKeys: keys };
  const { result } = await engine.commit(request, (state) => {
    const found = keys.map((key) => state.alike(key).map(({ memory }) => memory.id));
    return { changes: [], result: found.find((ids) => ids.length > 0) ?? [] };
  });
  return result;
}

export function likenessContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  test('[A12] a commit sees living memories whose text is alike, in its project only', async () => {
    const engine = await bench().open();
    const keel = memoryOf({ id: 'FACT-KEEL', body: BODY });
    await put(engine, keel, memoryOf({ id: 'FACT-MAST', body: 'The mast is of wood.' }));
    expect(await alikeTo(engine)).toEqual(['FACT-KEEL']);
    expect(await alikeTo(engine, { project: 'boat' })).toEqual([]);
    expect(
      await alikeTo(engine, { body: 'Ann inspects the keel of the boat every spring' }),
    ).toEqual(['FACT-KEEL']);
    expect(await alikeTo(engine, { body: 'Salaries are paid at the end of a month' })).toEqual([]);
  });

  test('[A12] it follows every change of text and status', async () => {
    const engine = await bench().open();
    const keel = memoryOf({ id: 'FACT-KEEL', body: BODY });
    await put(engine, keel);
    await put(engine, { ...keel, body: 'The mast is of wood, and varnished each May.' });
    expect(await alikeTo(engine)).toEqual([]);
    await put(engine, { ...keel, tags: ['hull'] });
    expect(await alikeTo(engine)).toEqual(['FACT-KEEL']);
    await put(engine, { ...keel, status: 'archived' });
    expect(await alikeTo(engine)).toEqual([]);
    await put(engine, { ...keel, status: 'draft' });
    expect(await alikeTo(engine)).toEqual(['FACT-KEEL']);
    await put(engine, { ...keel, status: 'rejected' });
    expect(await alikeTo(engine)).toEqual([]);
  });

  test('[A12] of many it gives the newest, ties by id', async () => {
    const engine = await bench().open();
    const days = [3, 1, 5, 2, 5, 4].map((day) => `2026-03-0${day}T00:00:00.000Z`);
    await put(
      engine,
      ...days.map((day, i) => memoryOf({ id: `FACT-KEEL-${i}`, body: BODY, created_at: day })),
    );
    const newest = ['FACT-KEEL-4', 'FACT-KEEL-2', 'FACT-KEEL-5', 'FACT-KEEL-0'];
    expect(await alikeTo(engine)).toEqual(newest);
    await engine.reindex();
    expect(await alikeTo(engine)).toEqual(newest);
    await engine.replay();
    expect(await alikeTo(engine)).toEqual(newest);
  });

  test('[A12] agents that are isolated are not compared', async () => {
    const engine = await bench().open(true);
    await put(engine, memoryOf({ id: 'FACT-KEEL', body: BODY, agent: 'ann' }));
    expect(await alikeTo(engine, { agent: 'ann' })).toEqual(['FACT-KEEL']);
    expect(await alikeTo(engine, { agent: 'bob' })).toEqual([]);
    expect(await alikeTo(engine)).toEqual([]);
  });
}
