import { describe, expect, test } from 'vitest';
import type { LogEvent } from '../../domain/event.ts';
import type { Memory } from '../../domain/memory.ts';
import { VIEW_ALL } from '../../domain/view.ts';
import type { Engine } from '../../ports/engine.ts';
import { testClock } from '../clock.ts';
import { useBench, type Bench, type EngineHarness } from '../engine-harness.ts';
import { changeTo, memoryOf, NOTHING_NAMED, put } from '../memories.ts';
import { answerOf, ask, idsFor } from './keyword.ts';

const PORT = memoryOf({ id: 'FACT-PORT', title: 'Port', body: 'The port is 8080.', tags: ['net'] });

const NINE = '2026-03-09T12:00:00.000Z';
const TEN = '2026-03-09T13:00:00.000Z';

async function all(engine: Engine): Promise<readonly LogEvent[]> {
  return engine.events(0, 1000);
}

/** Every order in which a few things can arrive. */
function* orders<T>(things: readonly T[]): Iterable<readonly T[]> {
  if (things.length < 2) yield things;
  for (const [i, first] of things.entries()) {
    if (things.length < 2) return;
    const rest = things.filter((_, j) => j !== i);
    for (const order of orders(rest)) yield [first, ...order];
  }
}

/** The log of a memory that two machines changed without knowing of each other. */
async function fork(
  { oracle, openAt, clock }: Bench,
  left: readonly Memory[],
  right: readonly Memory[],
  origin: Memory = PORT,
): Promise<readonly LogEvent[]> {
  clock.set(NINE);
  const a = await oracle();
  const b = await openAt(testClock(TEN));
  await put(a, origin);
  await b.merge(await all(a));
  for (const memory of left) await put(a, memory);
  for (const memory of right) await put(b, memory);
  const known = new Set((await all(a)).map((event) => event.id));
  return [...(await all(a)), ...(await all(b)).filter((event) => !known.has(event.id))];
}

async function memoriesOf(engine: Engine): Promise<Memory[]> {
  const request = {
    view: VIEW_ALL,
    filter: {},
    sort: 'id',
    descending: false,
    limit: 100,
  } as const;
  return (await engine.select(request)).rows.map(({ memory }) => memory);
}

async function nameProject(engine: Engine, readable: string): Promise<LogEvent> {
  const data = { key: 'k', name: readable };
  const { events } = await engine.commit(NOTHING_NAMED, () => ({
    changes: [{ kind: 'project.named', subject: 'project:k', data }],
    result: 0,
  }));
  return events[0] as LogEvent;
}

/** The clock of an event that follows one from a machine whose wall clock says `theirs`. */
async function hlcAfter({ openAt, open }: Bench, theirs: string): Promise<number | undefined> {
  const ahead = await openAt(testClock(theirs));
  await put(ahead, PORT);
  const engine = await open();
  await engine.merge(await all(ahead));
  const [event] = await put(engine, memoryOf({ id: 'FACT-NEXT' }));
  return event?.hlc;
}

export function replicaContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  /** What a store makes of events that arrive one by one. */
  async function arriving(events: readonly LogEvent[]): Promise<Engine> {
    const engine = await bench().open();
    for (const event of events) await engine.merge([event]);
    return engine;
  }

  describe('two machines changed one memory', () => {
    test('[B6] fields that one side alone changed are merged, whatever order they arrive in', async () => {
      const events = await fork(
        bench(),
        [{ ...PORT, body: 'The port is 9090.', tags: ['net', 'a'], updated_at: NINE }],
        [{ ...PORT, title: 'Ports', tags: ['b'], confidence: 0.9, updated_at: TEN }],
      );
      for (const order of orders(events)) {
        const engine = await arriving(order);
        expect(await memoriesOf(engine)).toEqual([
          {
            ...PORT,
            body: 'The port is 9090.',
            title: 'Ports',
            tags: ['a', 'b'],
            confidence: 0.9,
            updated_at: TEN,
          },
        ]);
        const [stored] = await engine.get(['FACT-PORT'], VIEW_ALL);
        expect(stored?.version).toBe(3);
        expect(stored?.heads).toEqual([events[1]?.id, events[2]?.id]);
        expect(await idsFor(engine, '9090')).toEqual(['FACT-PORT']);
        expect(await idsFor(engine, '8080')).toEqual([]);
        expect((await engine.verify()).problems).toEqual([]);
      }
    });

    test('[B6] where both changed one, the later leads and a conflict says so, the same everywhere', async () => {
      const events = await fork(
        bench(),
        [{ ...PORT, body: 'The port is 9090.', title: 'Ports', updated_at: NINE }],
        [{ ...PORT, body: 'The port is 7070.', updated_at: TEN }],
      );
      const oracle = await bench().oracle();
      await oracle.merge(events);
      const right = await memoriesOf(oracle);
      for (const order of orders(events)) {
        const engine = await arriving(order);
        const [conflict, port] = await memoriesOf(engine);
        expect(port).toMatchObject({ body: 'The port is 7070.', title: 'Ports' });
        expect(conflict).toMatchObject({
          type: 'conflict',
          status: 'active',
          title: 'Concurrent edits of Port',
          project: 'global',
          created_at: TEN,
          relations: [
            { type: 'related_to', target: 'FACT-PORT', confidence: 1, origin: 'derived' },
          ],
        });
        expect(conflict?.id).toMatch(/^CONF-2026-03-09-[0-9A-Z]{12}$/);
        expect(conflict?.body).toContain('(body)');
        expect(conflict?.body).toContain('The port is 9090.');
        expect(conflict?.body).toContain('The port is 7070.');
        expect([conflict, port]).toEqual(right);
        expect((await engine.verify()).stateHash).toBe((await oracle.verify()).stateHash);
        expect(answerOf(await ask(engine, '9090 concurrent'))).toEqual(
          answerOf(await ask(oracle, '9090 concurrent')),
        );
      }
    });

    test('[B6] the conflict is read like any memory, cannot be changed, and goes with the next update', async () => {
      const events = await fork(
        bench(),
        [{ ...PORT, body: 'The port is 9090.' }],
        [{ ...PORT, body: 'The port is 7070.' }],
      );
      const engine = await bench().open();
      await engine.merge(events);
      const [conflict] = await memoriesOf(engine);
      const id = conflict?.id as string;
      expect(await engine.get([id.toLowerCase()], VIEW_ALL)).toEqual([
        { memory: conflict, version: 1, heads: [] },
      ]);
      expect(await engine.history(id)).toEqual([]);
      expect(await idsFor(engine, '9090')).toEqual([id]);
      const request = { ...NOTHING_NAMED, ids: [id, 'FACT-PORT'] };
      const { result } = await engine.commit(request, (state) => {
        return {
          changes: [],
          result: [state.conflictSubject(id), state.conflictSubject('FACT-PORT')],
        };
      });
      expect(result).toEqual(['FACT-PORT', undefined]);
      expect((await engine.verify()).problems).toEqual([]);

      bench().clock.set(TEN);
      await put(engine, { ...PORT, body: 'The port is 6060.' });
      expect((await memoriesOf(engine)).map(({ body }) => body)).toEqual(['The port is 6060.']);
      const last = (await engine.events(0, 100)).at(-1);
      expect(last?.base.toSorted()).toEqual([events[1]?.id, events[2]?.id].toSorted());
      expect(await idsFor(engine, '9090')).toEqual([]);
      expect((await engine.verify()).problems).toEqual([]);
    });

    test('[B6] three ways, with edits upon edits, come to one state in any order', async () => {
      const left = [
        { ...PORT, body: 'The port is 9090.' },
        { ...PORT, body: 'The port is 9091.', confidence: 0.5 },
      ];
      const events = await fork(bench(), left, [{ ...PORT, title: 'Ports', confidence: 0.6 }]);
      const oracle = await bench().oracle();
      await oracle.merge(events);
      const right = await memoriesOf(oracle);
      expect(right.map(({ id }) => id.slice(0, 4))).toEqual(['CONF', 'FACT']);
      for (const order of [...orders(events)].filter((_, i) => i % 3 === 0)) {
        expect(await memoriesOf(await arriving(order))).toEqual(right);
      }
    });

    test('[B6] one id made in two projects comes to lie in one place', async () => {
      const left = memoryOf({ id: 'FACT-TWICE', body: 'Zeppelin', project: 'apollo' });
      const right = memoryOf({ id: 'FACT-TWICE', body: 'Yacht', project: 'zeus', agent: 'ann' });
      const events = await fork(bench(), [left], [right]);
      for (const order of orders(events.filter(({ subject }) => subject === 'FACT-TWICE'))) {
        const engine = await arriving(order);
        const zeus = { view: { projects: ['zeus'], agents: ['ann'] } };
        const apollo = { view: { projects: ['apollo'], agents: 'all' as const } };
        expect(await idsFor(engine, 'yacht', zeus)).toContain('FACT-TWICE');
        expect(await idsFor(engine, 'yacht', apollo)).toEqual([]);
        expect((await ask(engine, 'zeppelin', apollo)).documentFrequency).toEqual([0]);
      }
    });
  });

  test('[B6] of two names for a project the later one holds, whatever order they arrive in', async () => {
    const events = [
      await nameProject(await bench().oracle(), 'early'),
      await nameProject(await bench().openAt(testClock(TEN)), 'late'),
    ];
    for (const order of orders(events)) {
      expect(await (await arriving(order)).projects()).toEqual([{ key: 'k', name: 'late' }]);
    }
  });

  describe('the clock of the log', () => {
    test('goes on from the highest that was seen', async () => {
      expect(await hlcAfter(bench(), '2026-03-09T13:00:00.000Z')).toBe(
        Date.parse('2026-03-09T13:00:00.000Z') * 1000 + 1,
      );
      expect(await hlcAfter(bench(), '2026-03-09T11:00:00.000Z')).toBe(
        Date.parse('2026-03-09T12:00:00.000Z') * 1000,
      );
    });

    test('does not follow a clock that is more than a day ahead', async () => {
      expect(await hlcAfter(bench(), '2026-03-11T12:00:00.000Z')).toBe(
        Date.parse('2026-03-09T12:00:00.000Z') * 1000,
      );
    });

    test('stands above all that went before, even when the wall clock goes back', async () => {
      const engine = await bench().open();
      await put(engine, PORT);
      bench().clock.set('2026-03-09T06:00:00.000Z');
      const [event] = await put(engine, { ...PORT, body: 'Later.' });
      expect(event?.hlc).toBe(Date.parse('2026-03-09T12:00:00.000Z') * 1000 + 1);
      expect(event?.at).toBe('2026-03-09T06:00:00.000Z');
    });
  });

  test('a change that names what its writer had seen stands beside what came meanwhile', async () => {
    const engine = await bench().open();
    const [first] = await put(engine, PORT);
    await put(engine, { ...PORT, body: 'The port is 9090.' });
    const late = changeTo({ ...PORT, title: 'Ports' }, { base: [first?.id as string] });
    await engine.commit(NOTHING_NAMED, () => ({ changes: [late], result: 0 }));
    const [stored] = await engine.get(['FACT-PORT'], VIEW_ALL);
    expect(stored?.memory).toEqual({ ...PORT, title: 'Ports', body: 'The port is 9090.' });
    expect(stored?.heads).toHaveLength(2);
    expect((await engine.verify()).problems).toEqual([]);
  });
}
