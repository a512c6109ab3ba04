import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ClosureTally,
  closurePartOf,
  predictionsOf,
  type ClosurePart,
} from '../../src/domain/graph/closure.ts';
import { testClock } from '../../src/testing/clock.ts';
import { useBench } from '../../src/testing/engine-harness.ts';
import { changeTo, memoryOf, NOTHING_NAMED, put } from '../../src/testing/memories.ts';
import { clockedOver, HARNESSES, onEveryEngine } from '../recall/clocked.ts';

const link = (target: string) => ({ type: 'supports', target, confidence: 1, origin: 'stated' });

describe('[E10] the measures', () => {
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 });
  const part: fc.Arbitrary<ClosurePart> = fc
    .record({ isBelief: fc.boolean(), relations: fc.nat(3), names, references: names })
    .map((one) => ({ ...one, references: one.references.filter((n) => !one.names.includes(n)) }));

  test('do not depend on what came and went', () => {
    fc.assert(
      fc.property(fc.array(part), fc.array(part), (stay, go) => {
        const [whole, fresh] = [new ClosureTally(), new ClosureTally()];
        for (const one of [...go, ...stay]) whole.add(one);
        for (const one of go) whole.remove(one);
        for (const one of stay.toReversed()) fresh.add(one);
        expect(whole.measure()).toEqual(fresh.measure());
        const { avg_body_refs, memories } = fresh.measure();
        const named = stay.flatMap(({ references }) =>
          references.filter((name) => stay.some((other) => other.names.includes(name))),
        );
        expect(avg_body_refs * Math.max(1, memories)).toBeCloseTo(named.length, 2);
      }),
    );
  });

  test('history, session summaries and conflicts do not count, nor what a text says of itself', () => {
    expect(closurePartOf(memoryOf({ id: 'FACT-AAA', status: 'archived' }))).toBeUndefined();
    expect(closurePartOf(memoryOf({ id: 'EPIS-AAA', type: 'episode' }))).toBeUndefined();
    const body = 'I am FACT-AAA, [[alpha]]; see [[Beta]], [[beta]] and FACT-BBB.';
    expect(closurePartOf(memoryOf({ id: 'FACT-AAA', title: 'Alpha', body }))?.references).toEqual([
      'beta',
      'fact-bbb',
    ]);
  });

  test('of nothing are nothing', () => {
    expect(new ClosureTally().measure()).toEqual({
      memories: 0,
      beliefs: 0,
      belief_pct: 0,
      avg_relations: 0,
      avg_body_refs: 0,
      closure_index: 0,
      entanglement_pct: 0,
      phase: 'early',
    });
  });

  test.each([
    [19, 0, 'early'],
    [12, 7, 'early'],
    [11, 9, 'type-composition'],
    [12, 13, 'type-composition'],
    [12, 8, 'entanglement'],
  ])('%i beliefs and %i facts are in the phase %s', (beliefs, facts, phase) => {
    const tally = new ClosureTally();
    const one = { relations: 0, names: [], references: [] };
    for (let i = 0; i < beliefs; i++) tally.add({ isBelief: true, ...one });
    for (let i = 0; i < facts; i++) tally.add({ isBelief: false, ...one });
    expect(tally.measure().phase).toBe(phase);
  });

  test.each([
    [0.49, 'low'],
    [0.5, 'moderate'],
    [1.99, 'moderate'],
    [2, 'high'],
  ])('an index of %f predicts %s trouble', (closure_index, level) => {
    const measures = { ...new ClosureTally().measure(), closure_index };
    expect(predictionsOf(measures).map((one) => [one.about, one.level, one.certain])).toEqual([
      ['classification', level, false],
      ['transplantability', level, false],
    ]);
    expect(predictionsOf({ ...measures, phase: 'entanglement' })[0]?.certain).toBe(true);
  });
});

onEveryEngine((openAt) => {
  test('[E10] index, entanglement and phase of a store', async () => {
    const { loci } = await openAt('2026-03-09T12:00:00Z');
    const beliefs = Array.from({ length: 15 }, (_, i) => ({
      id: `BELI-MINE-${i}`,
      type: 'belief' as const,
      body: i === 0 ? 'Alone.' : `It follows from BELI-MINE-${i - 1} and [[The root]].`,
    }));
    const facts = Array.from({ length: 4 }, (_, i) => ({
      id: `FACT-HARD-${i}`,
      body: `Rock ${i}.`,
    }));
    const root = { id: 'FACT-ROOT', title: 'The root', body: 'See [[Nowhere]] and FACT-GONE.' };
    await loci.remember([...beliefs, ...facts, root]);
    for (const i of [1, 2, 3, 4]) {
      await loci.relate({ source: `BELI-MINE-${i}`, type: 'extends', target: 'BELI-MINE-0' });
    }
    // 20 memories, 15 beliefs, 4 relations, 28 references.
    expect(await loci.closure()).toMatchObject({
      memories: 20,
      beliefs: 15,
      belief_pct: 75,
      avg_relations: 0.2,
      avg_body_refs: 1.4,
      closure_index: 1.2,
      entanglement_pct: 7.3684,
      phase: 'entanglement',
      predictions: [
        { about: 'classification', level: 'moderate', certain: true },
        { about: 'transplantability', level: 'moderate', certain: true },
      ],
    });
  });

  test('[E10] day by day, as the log knew it; the last day is today', async () => {
    const { loci, clock } = await openAt('2026-03-05T23:59:59Z');
    await loci.remember({ id: 'FACT-AAA', title: 'Alpha', body: 'The first.' });
    clock.set('2026-03-07T10:00:00Z');
    await loci.remember({ id: 'BELI-BBB', type: 'belief', body: 'As [[Alpha]] says.' });
    await loci.remember({ id: 'FACT-SEA', body: 'Elsewhere.', project: 'sea' });
    clock.set('2026-03-08T10:00:00Z');
    await loci.archive({ id: 'FACT-AAA' });
    clock.set('2026-03-09T00:00:01Z');
    const { trajectory, ...now } = await loci.closure({ trajectoryDays: 10 });
    const rows = trajectory?.map(({ day, memories, belief_pct, closure_index }) => {
      return [day, memories, belief_pct, closure_index];
    });
    expect(rows).toEqual([
      ['2026-03-05', 1, 0, 0],
      ['2026-03-06', 1, 0, 0],
      ['2026-03-07', 2, 50, 0.25],
      ['2026-03-08', 1, 100, 0],
      ['2026-03-09', 1, 100, 0],
    ]);
    const { predictions, ...measures } = now;
    expect(predictions).toHaveLength(2);
    expect(trajectory?.at(-1)).toEqual({ day: '2026-03-09', ...measures });
    expect((await loci.closure({ trajectoryDays: 2 })).trajectory).toHaveLength(2);
    expect(await loci.closure()).not.toHaveProperty('trajectory');
    // In Kiritimati, 14 hours ahead, the first memory came on the sixth.
    const there = await loci.scoped({ zone: 'Pacific/Kiritimati' }).closure({ trajectory: true });
    expect(there.trajectory?.[0]?.day).toBe('2026-03-06');
  });

  test('[E10] a store without events has no days', async () => {
    const { loci } = await openAt('2026-03-05T00:00:00Z');
    expect((await loci.closure({ trajectory: true })).trajectory).toEqual([]);
  });
});

describe.each(HARNESSES)('%s', (_name, harness) => {
  const bench = useBench(harness);

  test('[E10] concurrent edits count as the store joins them', async () => {
    const clock = testClock('2026-03-09T12:00:00Z');
    const engine = await bench().openAt(clock);
    const first = memoryOf({
      id: 'FACT-AAA',
      project: 'boat',
      created_at: '2026-03-09T12:00:00.000Z',
    });
    const [stored] = await put(engine, first, memoryOf({ id: 'FACT-BBB', project: 'boat' }));
    const base = [stored?.id ?? ''];
    const edits = [
      changeTo({ ...first, type: 'belief' }, { base }),
      changeTo({ ...first, relations: [link('FACT-BBB')] }, { base }),
    ];
    for (const edit of edits) {
      await engine.commit(NOTHING_NAMED, () => ({ changes: [edit], result: undefined }));
    }
    const { trajectory, predictions, ...now } = await clockedOver(engine, clock).closure({
      trajectory: true,
    });
    expect(now).toMatchObject({ memories: 2, beliefs: 1, avg_relations: 0.5 });
    expect(predictions).toHaveLength(2);
    expect(trajectory).toEqual([{ day: '2026-03-09', ...now }]);
  });
});
