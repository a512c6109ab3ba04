import { describe, expect, test } from 'vitest';
import type { CommitState } from '../../domain/change.ts';
import { LociError } from '../../domain/errors.ts';
import { contentKey } from '../../domain/identity.ts';
import type { Memory } from '../../domain/memory.ts';
import { VIEW_ALL } from '../../domain/view.ts';
import type { CommitRequest, Engine } from '../../ports/engine.ts';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { changeTo, memoryOf, NOTHING_NAMED, put } from '../memories.ts';

const ALPHA = memoryOf({ id: 'FACT-ALPHA', body: 'Alpha holds.' });
const BETA = memoryOf({ id: 'FACT-BETA', body: 'Beta holds.', external_ids: ['ext-7'] });

async function idsIn(engine: Engine): Promise<string[]> {
  const request = {
    view: VIEW_ALL,
    filter: {},
    sort: 'id',
    descending: false,
    limit: 100,
  } as const;
  const { rows } = await engine.select(request);
  return rows.map(({ memory }) => memory.id);
}

function store(engine: Engine, ...memories: readonly Memory[]): Promise<unknown> {
  return put(engine, ...memories);
}

/** What a decision would see. */
async function stateFor<T>(
  engine: Engine,
  request: Partial<CommitRequest>,
  look: (state: CommitState) => T,
): Promise<T> {
  const { result } = await engine.commit({ ...NOTHING_NAMED, ...request }, (state) => {
    return { changes: [], result: look(state) };
  });
  return result;
}

export function commitContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  test('a commit answers with the result and the events of one transaction', async () => {
    const engine = await bench().open();
    const { result, events, warnings } = await engine.commit(
      { ids: [], contentKeys: [], actor: 'ann' },
      () => ({ changes: [changeTo(ALPHA, { reason: 'told' }), changeTo(BETA)], result: 'done' }),
    );
    expect(result).toBe('done');
    expect(warnings).toEqual([]);
    expect(events.map(({ i, n, rseq, subject }) => ({ i, n, rseq, subject }))).toEqual([
      { i: 0, n: 2, rseq: 1, subject: 'FACT-ALPHA' },
      { i: 1, n: 2, rseq: 2, subject: 'FACT-BETA' },
    ]);
    expect(new Set(events.map((event) => event.tx)).size).toBe(1);
    expect(events[0]).toMatchObject({
      v: 3,
      kind: 'memory.updated',
      actor: 'ann',
      reason: 'told',
      at: '2026-03-09T12:00:00.000Z',
      hlc: Date.parse('2026-03-09T12:00:00.000Z') * 1000,
      base: [],
      data: ALPHA,
    });
    const [stored] = await engine.get(['FACT-ALPHA'], VIEW_ALL);
    expect(stored).toEqual({ memory: ALPHA, version: 1, heads: [events[0]?.id] });
  });

  test('a decision that throws changes nothing', async () => {
    const engine = await bench().open();
    await store(engine, ALPHA);
    const refused = engine.commit(NOTHING_NAMED, () => {
      throw new LociError('conflict', 'no');
    });
    await expect(refused).rejects.toThrow(new LociError('conflict', 'no'));
    expect(await idsIn(engine)).toEqual(['FACT-ALPHA']);
    expect((await engine.head()).position).toBe(1);
  });

  test('a transaction with one change that cannot be kept keeps none of them', async () => {
    const engine = await bench().open();
    const impossible = { ...BETA, details: { big: 1n } };
    await expect(store(engine, ALPHA, impossible)).rejects.toThrow('BigInt');
    expect(await idsIn(engine)).toEqual([]);
    expect((await engine.head()).position).toBe(0);
    await store(engine, ALPHA);
    expect((await engine.verify()).problems).toEqual([]);
  });

  test('no change, no event', async () => {
    const engine = await bench().open();
    const { events } = await engine.commit(NOTHING_NAMED, () => ({ changes: [], result: 0 }));
    expect(events).toEqual([]);
    expect((await engine.head()).position).toBe(0);
  });

  test('a subject that changes twice in one transaction keeps its last state', async () => {
    const engine = await bench().open();
    await store(engine, ALPHA, { ...ALPHA, body: 'Alpha holds no more.' });
    const [stored] = await engine.get(['FACT-ALPHA'], VIEW_ALL);
    const events = await engine.history('FACT-ALPHA');
    expect(stored?.memory.body).toBe('Alpha holds no more.');
    expect(stored?.version).toBe(2);
    expect(stored?.heads).toEqual([events[1]?.id]);
    expect(events[1]?.base).toEqual([events[0]?.id]);
  });

  describe('many at once', () => {
    test('all are kept, in one row of numbers', async () => {
      const engine = await bench().open();
      const ids = Array.from({ length: 20 }, (_, i) => `FACT-MANY-${String(i).padStart(2, '0')}`);
      await Promise.all(ids.map((id) => store(engine, memoryOf({ id }))));
      expect(await idsIn(engine)).toEqual(ids);
      const events = await engine.events(0, 100);
      expect(events.map((event) => event.rseq)).toEqual(
        Array.from({ length: 20 }, (_, i) => i + 1),
      );
      expect((await engine.verify()).problems).toEqual([]);
    });

    test('a later decision sees what an earlier one changed', async () => {
      const engine = await bench().open();
      const count = () =>
        engine.commit({ ...NOTHING_NAMED, ids: ['FACT-COUNT'] }, (state) => {
          const turn = (state.get('FACT-COUNT')?.memory.turn ?? 0) + 1;
          return { changes: [changeTo(memoryOf({ id: 'FACT-COUNT', turn }))], result: turn };
        });
      const results = await Promise.all([count(), count(), count()]);
      expect(results.map(({ result }) => result)).toEqual([1, 2, 3]);
    });

    test('one that throws and one that cannot be kept stop nobody', async () => {
      const engine = await bench().open();
      const outcomes = await Promise.allSettled([
        store(engine, ALPHA),
        engine.commit(NOTHING_NAMED, () => {
          throw new LociError('not_found', 'nothing here');
        }),
        store(engine, memoryOf({ id: 'FACT-BIG-INT', details: { big: 1n } })),
        store(engine, BETA),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'fulfilled',
      ]);
      expect(await idsIn(engine)).toEqual(['FACT-ALPHA', 'FACT-BETA']);
      expect((await engine.verify()).problems).toEqual([]);
    });
  });

  describe('what a decision sees', () => {
    test('memories by id in any case, and by the id of another system', async () => {
      const engine = await bench().open();
      await store(engine, ALPHA, BETA);
      const seen = await stateFor(engine, { ids: ['fact-alpha', 'ext-7'] }, (state) => [
        state.get('FACT-ALPHA')?.memory.body,
        state.get('FACT-ALPHA')?.version,
        state.byExternalId('ext-7').map(({ memory }) => memory.id),
        state.get('FACT-BETA')?.memory.body,
        state.get('FACT-GAMMA'),
        state.byExternalId('ext-8'),
      ]);
      expect(seen).toEqual(['Alpha holds.', 1, ['FACT-BETA'], 'Beta holds.', undefined, []]);
    });

    test('whoever holds a content, whatever the status, in that project only', async () => {
      const engine = await bench().open();
      await store(
        engine,
        ALPHA,
        { ...ALPHA, id: 'FACT-OLD', status: 'archived' },
        { ...ALPHA, id: 'FACT-ELSEWHERE', project: 'apollo' },
      );
      const key = contentKey('global', '', '  Alpha holds.\n');
      const seen = await stateFor(engine, { contentKeys: [key] }, (state) =>
        state.byContent(key).map(({ memory }) => memory.id),
      );
      expect(seen.toSorted()).toEqual(['FACT-ALPHA', 'FACT-OLD']);
    });

    test('whoever holds the same content as a memory that was named', async () => {
      const engine = await bench().open();
      await store(engine, ALPHA, { ...ALPHA, id: 'FACT-OLD', status: 'archived' });
      const key = contentKey('global', '', 'Alpha holds.');
      const seen = await stateFor(engine, { ids: ['fact-old'] }, (state) =>
        state.byContent(key).map(({ memory }) => memory.id),
      );
      expect(seen.toSorted()).toEqual(['FACT-ALPHA', 'FACT-OLD']);
    });

    test('drawers hold content of their own when agents are isolated', async () => {
      const drawers = [
        { ...ALPHA, id: 'FACT-SHARED' },
        { ...ALPHA, id: 'FACT-ANN', agent: 'ann' },
        { ...ALPHA, id: 'FACT-BOB', agent: 'bob' },
      ];
      const holders = async (isolated: boolean, drawer: string): Promise<string[]> => {
        const engine = await bench().open(isolated);
        await store(engine, ...drawers);
        const key = contentKey('global', drawer, 'Alpha holds.');
        return stateFor(engine, { contentKeys: [key] }, (state) =>
          state
            .byContent(key)
            .map(({ memory }) => memory.id)
            .toSorted(),
        );
      };
      expect(await holders(true, 'ann')).toEqual(['FACT-ANN']);
      expect(await holders(true, '')).toEqual(['FACT-SHARED']);
      expect(await holders(false, 'ann')).toEqual([]);
      expect(await holders(false, '')).toEqual(['FACT-ANN', 'FACT-BOB', 'FACT-SHARED']);
    });
  });
}
