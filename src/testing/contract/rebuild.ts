import { describe, expect, test } from 'vitest';
import { contentKey } from '../../domain/identity.ts';
import { VIEW_ALL } from '../../domain/view.ts';
import type { Engine } from '../../ports/engine.ts';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { memoryOf, NOTHING_NAMED, put } from '../memories.ts';
import { answerOf, ask, idsFor } from './keyword.ts';

const MEMORIES = [
  memoryOf({ id: 'FACT-1', body: 'The zeppelin sails.', tags: ['air'], session_id: 's', turn: 1 }),
  memoryOf({ id: 'FACT-2', body: 'Who steers?', external_ids: ['x-2'], session_id: 's', turn: 2 }),
  memoryOf({ id: 'FACT-3', body: 'Nobody does.', project: 'apollo', agent: 'ann' }),
];

/** SHA-256 over the canonical lines of the three above, by the definition of `stateHash`. */
const STATE_HASH = 'b00b3db442bae6204801647b24246e75d50065714ff18159f655171801a6ea8a';

async function lookOver(engine: Engine): Promise<unknown> {
  const { index: _index, ...stats } = await engine.stats(VIEW_ALL);
  return {
    stats,
    rows: (await engine.get(['FACT-1', 'x-2', 'FACT-3'], VIEW_ALL)).toSorted((a, b) =>
      a.memory.id < b.memory.id ? -1 : 1,
    ),
    answer: answerOf(await ask(engine, 'zeppelin steers')),
    edges: await engine.edges(['FACT-1'], VIEW_ALL),
    events: await engine.events(0, 100),
    projects: await engine.projects(),
    head: await engine.head(),
  };
}

async function fill(engine: Engine): Promise<void> {
  await put(engine, { ...MEMORIES[0]!, body: 'The yacht sails.' }, ...MEMORIES.slice(1));
  await put(engine, MEMORIES[0]!);
  const edge = { type: 'supports', target: 'FACT-2', confidence: 1, origin: 'stated' };
  await put(engine, { ...MEMORIES[0]!, relations: [edge] });
  const data = { key: 'k', name: 'apollo' };
  await engine.commit(NOTHING_NAMED, () => ({
    changes: [{ kind: 'project.named', subject: 'project:k', data }],
    result: 0,
  }));
}

export function rebuildContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  test('[I1] equal contents have the same hash on every engine, however they came about', async () => {
    const straight = await bench().open();
    await put(straight, ...MEMORIES.toReversed());
    const winding = await bench().open(true);
    await put(winding, { ...MEMORIES[0]!, body: 'Other.' }, MEMORIES[1]!);
    await put(winding, MEMORIES[2]!);
    await put(winding, { ...MEMORIES[0]!, updated_at: '2026-03-10T00:00:00.000Z' });
    expect((await straight.verify()).stateHash).toBe(STATE_HASH);
    expect((await winding.verify()).stateHash).toBe(STATE_HASH);
    await put(winding, { ...MEMORIES[0]!, confidence: 0.81 });
    expect((await winding.verify()).stateHash).not.toBe(STATE_HASH);
  });

  describe.each(['reindex', 'replay'] as const)('[B2] [B6] %s', (verb) => {
    test('keeps everything as it was', async () => {
      const engine = await bench().open();
      await fill(engine);
      const before = await lookOver(engine);
      const { stateHash } = await engine.verify();
      const report = await engine[verb]();
      expect(report).toMatchObject({ memories: 3, events: 6, edits: 0, stateHash, problems: [] });
      expect(await lookOver(engine)).toEqual(before);
      expect(await engine.verify()).toMatchObject({ stateHash, problems: [] });
      await engine[verb]();
      expect(await lookOver(engine)).toEqual(before);
    });

    test('leaves a store that goes on working', async () => {
      const engine = await bench().open();
      await fill(engine);
      await engine[verb]();
      await put(engine, memoryOf({ id: 'FACT-4', body: 'A zeppelin lands.' }));
      await put(engine, { ...MEMORIES[0]!, body: 'The kite sails.' });
      expect(await idsFor(engine, 'zeppelin')).toEqual(['FACT-4']);
      expect(await idsFor(engine, 'kite')).toEqual(['FACT-1', 'FACT-2']);
      expect((await engine.verify()).problems).toEqual([]);
    });
  });

  test('[B5] [B6] another log is joined to an empty store, twice with no effect', async () => {
    const engine = await bench().open();
    await fill(engine);
    const events = await engine.events(0, 100);
    const copy = await bench().open();
    const report = await copy.merge(events);
    expect(report).toMatchObject({ memories: 3, events: 6, conflicts: [] });
    const ids = ['FACT-1', 'FACT-2', 'FACT-3'];
    const rows = async (store: Engine) =>
      (await store.get(ids, VIEW_ALL)).toSorted((a, b) => (a.memory.id < b.memory.id ? -1 : 1));
    expect(await rows(copy)).toEqual(await rows(engine));
    expect(await copy.events(0, 100)).toEqual(events);
    expect(await copy.projects()).toEqual([{ key: 'k', name: 'apollo' }]);
    expect((await copy.verify()).stateHash).toBe((await engine.verify()).stateHash);
    await copy.merge(events);
    expect(await copy.events(0, 100)).toEqual(events);
    // It goes on as a replica of its own.
    await put(copy, memoryOf({ id: 'FACT-5' }));
    expect((await copy.events(6, 10)).map(({ rseq }) => rseq)).toEqual([1]);
    expect((await copy.verify()).problems).toEqual([]);
  });

  test('[B6] an event whose content was tampered with is found', async () => {
    const engine = await bench().open();
    await fill(engine);
    const events = await engine.events(0, 100);
    const copy = await bench().open();
    const forged = { ...events[0]!, data: { ...MEMORIES[0]!, body: 'Forged.' } };
    await copy.merge([forged, ...events.slice(1)]);
    const { logOk, problems } = await copy.verify();
    expect(logOk).toBe(false);
    expect(problems[0]?.message).toContain(forged.id);
  });

  test('isolation that is switched on or off applies to what is there', async (context) => {
    if (!harness.reopen) context.skip('the store ends with its engine');
    let engine = await bench().open(false);
    await put(engine, MEMORIES[2]!);
    const { stateHash } = await engine.verify();
    const holders = async (drawer: string): Promise<string[]> => {
      const key = contentKey('apollo', drawer, 'Nobody does.');
      const { result } = await engine.commit({ ...NOTHING_NAMED, contentKeys: [key] }, (state) => ({
        changes: [],
        result: state.byContent(key).map(({ memory }) => memory.id),
      }));
      return result;
    };
    expect([await holders(''), await holders('ann')]).toEqual([['FACT-3'], []]);
    engine = await bench().reopen(engine, true);
    expect(engine.isolated).toBe(true);
    expect([await holders(''), await holders('ann')]).toEqual([[], ['FACT-3']]);
    engine = await bench().reopen(engine, false);
    expect([await holders(''), await holders('ann')]).toEqual([['FACT-3'], []]);
    expect(await engine.verify()).toMatchObject({ stateHash, problems: [] });
    expect(await idsFor(engine, 'nobody')).toEqual(['FACT-3']);
  });

  test('[B11] a store that is opened again has its identity and all that was acknowledged', async (context) => {
    if (!harness.reopen) context.skip('the store ends with its engine');
    const engine = await bench().open();
    await fill(engine);
    const before = await lookOver(engine);
    expect(await lookOver(await bench().reopen(engine))).toEqual(before);
  });
}
