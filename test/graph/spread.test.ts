import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { baseLevel, modulation } from '../../src/domain/graph/base-level.ts';
import { collisionsOf } from '../../src/domain/graph/collisions.ts';
import {
  inflows,
  settle,
  type Activation,
  type Association,
} from '../../src/domain/graph/spread.ts';

const DAY_MS = 86_400_000;

const seed = (id: string): Activation => ({ id, activation: 1, step: 0, from: null });
const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const associations = fc.array(
  fc.record({ from: ids, to: ids, weight: fc.double({ min: 0, max: 8, noNaN: true }) }),
  { maxLength: 30 },
);
const options = fc.record({
  decay: fc.double({ min: 0, max: 1, noNaN: true }),
  threshold: fc.double({ min: 0, max: 1, noNaN: true }),
  topK: fc.integer({ min: 1, max: 4 }),
});

describe('[E9] base-level activation', () => {
  test('is that of ACT-R: of use and age', () => {
    expect(baseLevel(1, DAY_MS)).toBeCloseTo(Math.log(2), 10);
    expect(baseLevel(1, 100 * DAY_MS)).toBeCloseTo(Math.log(2) - 0.5 * Math.log(100), 10);
    expect(baseLevel(10, DAY_MS)).toBeCloseTo(Math.log(20), 10);
    expect(Number.isFinite(baseLevel(1, 0))).toBe(true);
    expect(baseLevel(1, -DAY_MS)).toBe(baseLevel(1, 0));
  });

  test('modulates with the root of its logistic: what is cited outlives its age', () => {
    expect(modulation(1, DAY_MS)).toBeCloseTo(0.8165, 4);
    expect(modulation(1, 400 * DAY_MS)).toBeCloseTo(0.3015, 4);
    expect(modulation(20, 400 * DAY_MS)).toBeCloseTo(0.8165, 4);
  });
});

describe('[E9] spreading activation', () => {
  test('each source passes on its activation × decay × tanh w', () => {
    const flows = inflows(
      [seed('a'), seed('b')],
      [
        { from: 'a', to: 'x', weight: 1 },
        { from: 'b', to: 'x', weight: 2 },
        { from: 'b', to: 'y', weight: 0.1 },
        { from: 'a', to: 'b', weight: 9 },
        { from: 'z', to: 'y', weight: 9 },
      ],
      { decay: 0.5, fired: new Set(['a', 'b']) },
    );
    expect(flows.map(({ id, from }) => [id, from])).toEqual([
      ['x', 'b'],
      ['y', 'b'],
    ]);
    expect(flows[0]?.amount).toBeCloseTo(1 - (1 - 0.3808) * (1 - 0.48201), 4);
    expect(flows[1]?.amount).toBeCloseTo(0.04983, 4);
  });

  test('below the threshold nothing survives, and beyond the strongest K nothing either', () => {
    const flows = [0.3, 0.2, 0.2, 0.1, 0.04].map((amount, i) => {
      return { id: `m${i}`, amount, from: 's' };
    });
    const start = new Map([['s', seed('s')]]);
    const step = { step: 1, modulationOf: () => 1 };
    const kept = (topK: number) => [
      ...settle(start, flows, step, { threshold: 0.05, topK }).keys(),
    ];
    expect(kept(20)).toEqual(['s', 'm0', 'm1', 'm2', 'm3']);
    expect(kept(2)).toEqual(['s', 'm0', 'm1']);
  });

  test('stays within its bounds, for any graph', () => {
    fc.assert(
      fc.property(
        associations,
        options,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (edges, settings, share) => {
          const { active } = walk(edges, settings, () => share);
          const reached = [...active.values()].filter(({ step }) => step > 0);
          expect(reached.length).toBeLessThanOrEqual(settings.topK);
          for (const { activation } of reached) {
            expect(activation).toBeGreaterThanOrEqual(settings.threshold);
            expect(activation).toBeLessThanOrEqual(1);
          }
          expect(active.get('a')?.activation).toBe(1);
        },
      ),
    );
  });

  test('lets nobody fire twice, so that it ends in any cycle', () => {
    fc.assert(
      fc.property(associations, (edges) => {
        const { fired } = walk(edges, { decay: 1, threshold: 0, topK: 9 }, () => 1, 1000);
        expect(new Set(fired).size).toBe(fired.length);
        expect(fired.length).toBeLessThanOrEqual(6);
      }),
    );
  });

  test('does not depend on the order of rows', () => {
    const shuffled = associations.chain((edges) =>
      fc.tuple(fc.constant(edges), fc.shuffledSubarray(edges, { minLength: edges.length })),
    );
    fc.assert(
      fc.property(shuffled, options, ([edges, others], settings) => {
        const [one, two] = [edges, others].map((all) => walk(all, settings, () => 0.8));
        expect([...(two?.active ?? [])]).toEqual([...(one?.active ?? [])]);
      }),
    );
  });
});

/** The walk of the story, over a graph that is there as a whole. */
function walk(
  edges: readonly Association[],
  settings: { decay: number; threshold: number; topK: number },
  modulationOf: (id: string) => number,
  most = 3,
): { active: ReadonlyMap<string, Activation>; fired: string[] } {
  let active: ReadonlyMap<string, Activation> = new Map([['a', seed('a')]]);
  const fired: string[] = [];
  for (let step = 1; step <= most; step++) {
    const firing = [...active.values()].filter(({ id }) => !fired.includes(id));
    if (firing.length === 0) break;
    fired.push(...firing.map(({ id }) => id));
    const flows = inflows(firing, edges, { ...settings, fired: new Set(fired) });
    active = settle(active, flows, { step, modulationOf }, settings);
  }
  return { active, fired };
}

function placed(id: string, activation: number, ...tags: string[]) {
  return { id, activation, tags };
}

describe('[E9] collisions', () => {
  test('are pairs whose tags differ by more than 0.7, best first', () => {
    const active = [
      placed('c', 1, 'x', 'y'),
      placed('a', 0.25, 'z'),
      placed('b', 0.25, 'y', 'z', 'w'),
      placed('none', 1),
    ];
    // c and b share one of four tags, a and b one of three: the latter are too near.
    expect(collisionsOf(active, 5)).toEqual([
      { a: 'a', b: 'c', score: 0.5, dissimilarity: 1 },
      { a: 'b', b: 'c', score: 0.375, dissimilarity: 0.75 },
    ]);
    expect(collisionsOf(active, 1)).toHaveLength(1);
    expect(collisionsOf(active.toReversed(), 5)).toEqual(collisionsOf(active, 5));
    expect(collisionsOf([], 5)).toEqual([]);
  });
});
