import { expect, test } from 'vitest';
import { recordSubject, type RecordKind, type StoreRecord } from '../../domain/record.ts';
import { VIEW_ALL, type View } from '../../domain/view.ts';
import type { Engine } from '../../ports/engine.ts';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { changeTo, memoryOf, NOTHING_NAMED } from '../memories.ts';

const RUN: StoreRecord = { id: 'R1', project: 'apollo', verb: 'reflect' };
const BOAT: View = { projects: ['boat'], agents: 'all' };
const BOB: View = { projects: 'all', agents: ['bob', ''] };

function keep(engine: Engine, kind: RecordKind, data: StoreRecord): Promise<unknown> {
  const subject = recordSubject(kind, data.id);
  const change = { kind: `${kind}.recorded`, subject, data } as const;
  return engine.commit(NOTHING_NAMED, () => ({ changes: [change], result: 0 }));
}

export function recordContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  test('records are kept by kind, the last snapshot of each, in order of id', async () => {
    const engine = await bench().open();
    expect(await engine.records('run', VIEW_ALL)).toEqual([]);
    await keep(engine, 'run', { ...RUN, id: 'R2' });
    await keep(engine, 'run', RUN);
    await keep(engine, 'proposal', { id: 'P1', project: 'apollo' });
    bench().clock.advance(1000);
    await keep(engine, 'run', { ...RUN, undone: true });
    expect(await engine.records('run', VIEW_ALL)).toEqual([
      { ...RUN, undone: true },
      { ...RUN, id: 'R2' },
    ]);
    expect(await engine.records('proposal', VIEW_ALL)).toEqual([{ id: 'P1', project: 'apollo' }]);
  });

  test('a record is seen by who sees its project and drawer', async () => {
    const engine = await bench().open();
    await keep(engine, 'run', RUN);
    await keep(engine, 'run', { id: 'R2', project: 'boat', agent: 'ann' });
    expect(await engine.records('run', BOAT)).toEqual([
      { id: 'R2', project: 'boat', agent: 'ann' },
    ]);
    expect(await engine.records('run', BOB)).toEqual([RUN]);
  });

  test('a decision sees the records it named', async () => {
    const engine = await bench().open();
    await keep(engine, 'run', RUN);
    const request = { ...NOTHING_NAMED, records: ['run:R1', 'run:R9'] };
    const { result } = await engine.commit(request, (state) => {
      return { changes: [], result: [state.record('run:R1'), state.record('run:R9')] };
    });
    expect(result).toEqual([RUN, undefined]);
  });

  test('[I2] the events of a run are found by its id, and one event by its own', async () => {
    const engine = await bench().open();
    const before = changeTo(memoryOf({ id: 'FACT-OTHER' }));
    await engine.commit(NOTHING_NAMED, () => ({ changes: [before], result: 0 }));
    const changes = [changeTo(memoryOf({ id: 'FACT-A' })), changeTo(memoryOf({ id: 'FACT-B' }))];
    const { events } = await engine.commit({ ...NOTHING_NAMED, run: 'R1' }, () => {
      return { changes, result: 0 };
    });
    expect(events.map(({ run }) => run)).toEqual(['R1', 'R1']);
    expect(await engine.eventsNamed('R1')).toEqual(events);
    expect(await engine.eventsNamed(events[1]?.id ?? '')).toEqual([events[1]]);
    expect(await engine.eventsNamed('R2')).toEqual([]);
  });

  test('[I1] entities count for the state hash, runs and proposals do not', async () => {
    const engine = await bench().open();
    const empty = (await engine.verify()).stateHash;
    await keep(engine, 'run', RUN);
    await keep(engine, 'proposal', { id: 'P1', project: 'apollo' });
    expect((await engine.verify()).stateHash).toBe(empty);
    await keep(engine, 'entity', { id: 'tool:bun', project: 'apollo', aliases: ['Bun.js'] });
    const verified = await engine.verify();
    expect(verified.stateHash).not.toBe(empty);
    expect(verified.problems).toEqual([]);
    expect((await engine.replay()).stateHash).toBe(verified.stateHash);
    expect((await engine.reindex()).stateHash).toBe(verified.stateHash);
    expect(await engine.records('run', VIEW_ALL)).toEqual([RUN]);
  });
}
