import { expect, test } from 'vitest';
import type { StoredMemory } from '../../domain/memory.ts';
import { VIEW_ALL } from '../../domain/view.ts';
import type { Engine } from '../../ports/engine.ts';
import { testClock } from '../clock.ts';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { memoryOf, NOTHING_NAMED, put } from '../memories.ts';
import { idsFor } from './keyword.ts';

const PORT = memoryOf({ id: 'FACT-PORT', title: 'Port', body: 'The port is 8080.' });
const HOST = memoryOf({ id: 'FACT-HOST', body: 'The host is apollo.' });
const TEN = '2026-03-09T13:00:00.000Z';

async function log(engine: Engine): Promise<string[]> {
  return (await engine.events(0, 1000)).map(({ kind, subject }) => `${kind} ${subject}`);
}

async function both(engine: Engine): Promise<readonly StoredMemory[]> {
  const found = await engine.get(['FACT-PORT', 'FACT-HOST'], VIEW_ALL);
  return found.toSorted((a, b) => (a.memory.id < b.memory.id ? -1 : 1));
}

async function stateOf(engine: Engine): Promise<string> {
  const { stateHash, problems } = await engine.verify();
  expect(problems).toEqual([]);
  return stateHash;
}

/** Joins two logs as they are at this moment, each to the other. */
async function exchange(a: Engine, b: Engine): Promise<void> {
  const events = await b.events(0, 1000);
  await b.merge(await a.events(0, 1000));
  await a.merge(events);
}

export function compactionContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  /** One memory with three versions, another with one, and a project's name given twice. */
  async function filled(): Promise<Engine> {
    const engine = await bench().open();
    await put(engine, PORT, HOST);
    for (const name of ['early', 'late']) {
      const change = { kind: 'project.named', subject: 'project:k', data: { key: 'k', name } };
      await engine.commit(NOTHING_NAMED, () => ({ changes: [change as never], result: 0 }));
    }
    await put(engine, { ...PORT, body: 'The port is 9090.' });
    bench().clock.set(TEN);
    await put(engine, { ...PORT, body: 'The port is 7070.' });
    return engine;
  }

  test('[B7] a merge says what it did, and a dry run what it would do', async () => {
    const one = await filled();
    const other = await bench().openAt(testClock(TEN));
    await put(other, { ...PORT, body: 'The port is 6060.' }, memoryOf({ id: 'FACT-NEW' }));
    const events = await other.events(0, 100);
    const before = await one.verify();
    const foretold = await one.merge(events, { dryRun: true });
    expect(await one.verify()).toEqual(before);
    expect((await one.events(0, 100)).length).toBe(6);
    expect(await idsFor(one, '6060')).toEqual([]);
    expect(await one.merge(events)).toEqual(foretold);
    expect(foretold).toMatchObject({ events: 2, memories: 2, conflicts: [expect.any(String)] });
    expect(foretold.stateHash).toBe(await stateOf(one));
    expect(await idsFor(one, '7070 6060')).toContain(foretold.conflicts[0]);
    expect(await one.merge(events)).toMatchObject({ events: 0, memories: 0, conflicts: [] });
  });

  test('[B6] compact keeps the latest event of each subject, and nothing of the state changes', async () => {
    const engine = await filled();
    const before = await both(engine);
    const stateHash = await stateOf(engine);
    const report = await engine.compact('owner');
    expect(report).toEqual({ dropped: 3, events: 4, horizon: TEN, stateHash });
    expect(await log(engine)).toEqual([
      'memory.updated FACT-HOST',
      'project.named project:k',
      'memory.updated FACT-PORT',
      'log.compacted log',
    ]);
    expect(await both(engine)).toEqual(before);
    expect((await engine.head()).horizon).toBe(TEN);
    expect(await idsFor(engine, '7070')).toEqual(['FACT-PORT']);
    for (const verb of ['reindex', 'replay'] as const) {
      expect((await engine[verb]()).stateHash).toBe(stateHash);
      expect(await both(engine)).toEqual(before);
      expect(await stateOf(engine)).toBe(stateHash);
    }
  });

  test('[B6] a compacted store goes on working, and is compacted again', async () => {
    const engine = await filled();
    await engine.compact('owner');
    const again = await engine.compact('owner');
    expect(again).toMatchObject({ dropped: 0, events: 4, horizon: TEN });
    await put(engine, { ...PORT, body: 'The port is 6060.' });
    expect((await engine.get(['FACT-PORT'], VIEW_ALL))[0]?.version).toBe(4);
    expect((await engine.verify()).problems).toEqual([]);
    // The event before, and what the first run said.
    expect(await engine.compact('owner')).toMatchObject({ dropped: 2, events: 4 });
    expect((await engine.get(['FACT-PORT'], VIEW_ALL))[0]?.version).toBe(4);
    expect((await engine.verify()).problems).toEqual([]);
  });

  test('[B8] positions are never given twice, and a reader goes on over the gaps', async () => {
    const engine = await filled();
    const { position } = await engine.feed(0, 4);
    expect(position).toBe(4);
    const { epoch } = await engine.head();
    await engine.compact('owner');
    const head = await engine.head();
    const rest = await engine.feed(head.epoch === epoch ? position : 0, 100);
    expect(rest.events.map(({ kind }) => kind)).toContain('log.compacted');
    expect(rest.position).toBe(head.position);
    expect(await engine.feed(head.position, 100)).toEqual({ events: [], position: head.position });
  });

  test('[B6] [B7] merging with a replica that was not compacted does not undo it', async () => {
    const engine = await filled();
    const other = await bench().open();
    await other.merge(await engine.events(0, 1000));
    await engine.compact('owner');
    const kept = await log(engine);
    await exchange(engine, other);
    expect(await log(engine)).toEqual(kept);
    expect(await stateOf(engine)).toBe(await stateOf(other));
  });

  test('[B6] [B7] a replica that is behind takes the latest event for a successor of its own', async () => {
    const engine = await filled();
    const behind = await bench().open();
    await behind.merge((await engine.events(0, 1000)).slice(0, 3));
    await engine.compact('owner');
    const { conflicts } = await behind.merge(await engine.events(0, 1000));
    expect(conflicts).toEqual([]);
    expect(await idsFor(behind, '8080')).toEqual([]);
    expect(await stateOf(behind)).toBe(await stateOf(engine));
    expect((await behind.get(['FACT-PORT'], VIEW_ALL))[0]?.version).toBe(3);
  });

  test('[B6] [B7] an edit made elsewhere before is judged by the history that it brings along', async () => {
    const engine = await filled();
    const other = await bench().openAt(testClock(TEN));
    await other.merge((await engine.events(0, 1000)).slice(0, 5));
    await put(other, { ...PORT, body: 'The port is 9090.', title: 'Ports' });
    await engine.compact('owner');
    await exchange(engine, other);
    expect(await stateOf(engine)).toBe(await stateOf(other));
    const [stored] = await engine.get(['FACT-PORT'], VIEW_ALL);
    expect(stored?.memory).toMatchObject({ title: 'Ports', body: 'The port is 7070.' });
  });

  test('[B6] a memory in dispute keeps its history', async () => {
    const one = await bench().open();
    await put(one, PORT);
    const other = await bench().openAt(testClock(TEN));
    await other.merge(await one.events(0, 10));
    await put(one, { ...PORT, body: 'The port is 9090.' });
    await put(other, { ...PORT, body: 'The port is 7070.' });
    await one.merge(await other.events(0, 10));
    const stateHash = await stateOf(one);
    expect(await one.compact('owner')).toEqual({ dropped: 0, events: 3, stateHash });
  });
}
