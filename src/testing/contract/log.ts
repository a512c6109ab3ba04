import { expect, test } from 'vitest';
import { envelopeHash } from '../../domain/event.ts';
import { VIEW_ALL } from '../../domain/view.ts';
import type { Engine } from '../../ports/engine.ts';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { changeTo, memoryOf, NOTHING_NAMED, put } from '../memories.ts';

const ALPHA = memoryOf({ id: 'FACT-ALPHA' });
const BETA = memoryOf({ id: 'FACT-BETA' });

function name(engine: Engine, key: string, readable: string): Promise<unknown> {
  const data = { key, name: readable };
  const change = { kind: 'project.named', subject: `project:${key}`, data } as const;
  return engine.commit(NOTHING_NAMED, () => ({ changes: [change], result: 0 }));
}

export function logContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  test('an empty store answers everything', async () => {
    const engine = await bench().open();
    expect(await engine.get(['FACT-ALPHA'], VIEW_ALL)).toEqual([]);
    expect(await engine.events(0, 10)).toEqual([]);
    expect(await engine.history('FACT-ALPHA')).toEqual([]);
    expect(await engine.projects()).toEqual([]);
    expect(await engine.findings()).toEqual([]);
    expect((await engine.head()).position).toBe(0);
    expect(await engine.stats(VIEW_ALL)).toMatchObject({ total: 0, tags: {}, events: 0 });
    expect(await engine.verify()).toEqual({
      // SHA-256 of nothing.
      stateHash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      logOk: true,
      filesOk: true,
      indexOk: true,
      problems: [],
    });
  });

  test('a store is closed once, however often that is asked for', async () => {
    const engine = await bench().open();
    await put(engine, ALPHA);
    await Promise.all([engine.close(), engine.close()]);
    await expect(engine.close()).resolves.toBeUndefined();
  });

  test('[B6] every change is an event with a full snapshot, in order of arrival', async () => {
    const engine = await bench().open();
    await put(engine, ALPHA);
    bench().clock.advance(1000);
    await put(engine, BETA, { ...ALPHA, body: 'Changed.' });
    const events = await engine.events(0, 10);
    expect(events.map(({ subject, at, data }) => ({ subject, at, data }))).toEqual([
      { subject: 'FACT-ALPHA', at: '2026-03-09T12:00:00.000Z', data: ALPHA },
      { subject: 'FACT-BETA', at: '2026-03-09T12:00:01.000Z', data: BETA },
      {
        subject: 'FACT-ALPHA',
        at: '2026-03-09T12:00:01.000Z',
        data: { ...ALPHA, body: 'Changed.' },
      },
    ]);
    expect(await engine.history('FACT-ALPHA')).toEqual([events[0], events[2]]);
    expect(events[2]?.base).toEqual([events[0]?.id]);
  });

  test('each event names the hash of the one before', async () => {
    const engine = await bench().open();
    await put(engine, ALPHA, BETA);
    await put(engine, { ...ALPHA, body: 'Changed.' });
    const events = await engine.events(0, 10);
    expect(events[0]?.prev).toBe('');
    expect(events[1]?.prev).toBe(envelopeHash(events[0] as (typeof events)[0]));
    expect(events[2]?.prev).toBe(envelopeHash(events[1] as (typeof events)[0]));
    expect(new Set(events.map((event) => event.salt)).size).toBe(3);
  });

  test('events are read from a position on, some at a time', async () => {
    const engine = await bench().open();
    for (const n of [1, 2, 3, 4, 5]) await put(engine, memoryOf({ id: `FACT-${n}` }));
    const subjects = async (after: number, limit: number): Promise<string[]> =>
      (await engine.events(after, limit)).map((event) => event.subject);
    expect(await subjects(0, 2)).toEqual(['FACT-1', 'FACT-2']);
    expect(await subjects(2, 2)).toEqual(['FACT-3', 'FACT-4']);
    expect(await subjects(4, 10)).toEqual(['FACT-5']);
    expect(await subjects(5, 10)).toEqual([]);
    expect((await engine.head()).position).toBe(5);
  });

  test('two stores have two identities, and one keeps its own', async () => {
    const engine = await bench().open();
    const other = await bench().open();
    const before = await engine.head();
    await put(engine, ALPHA);
    expect(await engine.head()).toEqual({ ...before, position: 1 });
    const { store, replica, epoch } = await other.head();
    expect([store, replica, epoch]).not.toContain(before.store);
    expect([store, replica, epoch]).not.toContain(before.replica);
  });

  test('projects have readable names, the last one given', async () => {
    const engine = await bench().open();
    await name(engine, 'github.com/b/tools', 'tools');
    await name(engine, 'github.com/a/tools', 'tools-2');
    bench().clock.advance(1000);
    await name(engine, 'github.com/b/tools', 'b-tools');
    const names = [
      { key: 'github.com/a/tools', name: 'tools-2' },
      { key: 'github.com/b/tools', name: 'b-tools' },
    ];
    expect(await engine.projects()).toEqual(names);
    const { result } = await engine.commit(NOTHING_NAMED, (state) => {
      return { changes: [], result: state.projects };
    });
    expect(result).toEqual(names);
  });

  test('what stands in the front matter of a file travels with the memory', async () => {
    const engine = await bench().open();
    const front = '---\nid: FACT-ALPHA # mine\n---\n';
    const change = changeTo(ALPHA, { front, tokens: 7 });
    await engine.commit(NOTHING_NAMED, () => ({ changes: [change], result: 0 }));
    const [stored] = await engine.get(['FACT-ALPHA'], VIEW_ALL);
    expect(stored).toMatchObject({ front, tokens: 7 });
  });
}
