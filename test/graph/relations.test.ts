import { describe, expect, test } from 'vitest';
import type { Relation } from '../../src/domain/relation.ts';
import { testClock } from '../../src/testing/clock.ts';
import { useBench } from '../../src/testing/engine-harness.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { clockedOver, HARNESSES } from '../recall/clocked.ts';
import { onEveryStore } from '../recall/stores.ts';

function item(i: number, target: string) {
  return { id: `FACT-ITEM-${i}`, body: `Item ${i}.`, relations: [{ type: 'supports', target }] };
}

function to(target: string): Relation {
  return { type: 'supports', target, confidence: 1, origin: 'stated' };
}

describe.each(HARNESSES)('%s', (_name, harness) => {
  const bench = useBench(harness);

  test('[L6] cycles end: each memory and each edge once, ten deep, in no time', async () => {
    const clock = testClock();
    const engine = await bench().openAt(clock);
    await put(
      engine,
      memoryOf({ id: 'FACT-AAA', relations: [to('FACT-AAA'), to('FACT-BBB')] }),
      memoryOf({ id: 'FACT-BBB', relations: [to('FACT-CCC')] }),
      memoryOf({ id: 'FACT-CCC', relations: [to('FACT-AAA'), to('FACT-GHOST')] }),
    );
    const loci = clockedOver(engine, clock);
    const start = performance.now();
    const result = await loci.relations({ id: 'FACT-AAA', depth: 10 });
    expect(performance.now() - start).toBeLessThan(1000);
    expect(result.relations.map(({ source, target }) => [source, target])).toEqual([
      ['FACT-AAA', 'FACT-AAA'],
      ['FACT-AAA', 'FACT-BBB'],
      ['FACT-BBB', 'FACT-CCC'],
      ['FACT-CCC', 'FACT-AAA'],
    ]);
    expect(result.reached).toEqual([
      { id: 'FACT-AAA', distance: 0 },
      { id: 'FACT-BBB', distance: 1 },
      { id: 'FACT-CCC', distance: 1 },
    ]);
    const direct = await loci.relations({ id: 'FACT-AAA' });
    expect(direct.relations).toHaveLength(3);
    expect(direct).not.toHaveProperty('reached');
  });

  test('a neighbourhood ends at a thousand memories, and says so', async () => {
    const clock = testClock();
    const engine = await bench().openAt(clock);
    const spokes = Array.from({ length: 1100 }, (_, i) => memoryOf({ id: `FACT-SPOKE-${i}` }));
    const hub = memoryOf({ id: 'FACT-HUB', relations: spokes.map(({ id }) => to(id)) });
    await put(engine, hub, ...spokes);
    const result = await clockedOver(engine, clock).relations({ id: 'FACT-HUB', depth: 2 });
    expect(result.reached).toHaveLength(1000);
    expect(result.truncated).toBe(true);
  });
});

onEveryStore((openWith) => {
  const CHAIN = [
    { id: 'FACT-AAA', body: 'The keel is oak.' },
    { id: 'FACT-BBB', body: 'The mast is pine.' },
    { id: 'FACT-CCC', body: 'The sail is red.' },
  ];

  test('[E1] edges of some types only, and neighbours that they lead to', async () => {
    const loci = await openWith(...CHAIN);
    await loci.relate({ source: 'FACT-AAA', type: 'depends_on', target: 'FACT-BBB' });
    await loci.relate({ source: 'FACT-CCC', type: 'related', target: 'FACT-BBB' });
    const all = await loci.relations({ id: 'FACT-AAA', depth: 2 });
    expect(all.reached?.at(-1)).toEqual({ id: 'FACT-CCC', distance: 2 });
    const some = await loci.relations({ id: 'FACT-BBB', type: ['related'] });
    expect(some.relations).toEqual([
      {
        source: 'FACT-CCC',
        type: 'related_to',
        target: 'FACT-BBB',
        confidence: 1,
        origin: 'stated',
      },
    ]);
    await expect(loci.relations({ id: 'FACT-GONE' })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('[L6] both ends must be there; what a batch relates to nothing is refused alone', async () => {
    const loci = await openWith(...CHAIN);
    await expect(
      loci.relate({ source: 'GHOST-A-1', type: 'supports', target: 'GHOST-B-1' }),
    ).rejects.toMatchObject({ code: 'not_found' });
    const targets = ['FACT-AAA', 'FACT-BBB', 'GHOST-B-1', 'FACT-CCC', 'FACT-AAA'];
    const { results } = await loci.remember(targets.map((target, i) => item(i, target)));
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'stored',
      'stored',
      'refused',
      'stored',
      'stored',
    ]);
    expect(results[2]?.reason).toContain('there is no memory "GHOST-B-1"');
  });

  test('[E1] types of both kinds are kept, and unknown ones; an edge can be taken away', async () => {
    const loci = await openWith(...CHAIN);
    const types = [
      'supports',
      'contradicts',
      'evolved_into',
      'extends',
      'caused_by',
      'rhymes with',
    ];
    for (const type of types) await loci.relate({ source: 'FACT-AAA', type, target: 'FACT-BBB' });
    const { relations } = await loci.relations({ id: 'FACT-BBB' });
    expect(relations.map(({ type }) => type)).toEqual([
      'caused_by',
      'contradicts',
      'evolved_into',
      'extends',
      'rhymes_with',
      'supports',
    ]);
    const asked = { source: 'FACT-AAA', type: 'Rhymes with', target: 'fact-bbb' };
    expect(await loci.unrelate(asked)).toEqual({
      removed: [
        {
          source: 'FACT-AAA',
          type: 'rhymes_with',
          target: 'FACT-BBB',
          confidence: 1,
          origin: 'stated',
        },
      ],
    });
    expect((await loci.relations({ id: 'FACT-BBB' })).relations).toHaveLength(5);
    await expect(loci.unrelate(asked)).rejects.toMatchObject({
      code: 'not_found',
      message: 'FACT-AAA has no edge rhymes_with to FACT-BBB',
    });
    const { memories } = await loci.get({ ids: ['FACT-AAA'], history: true });
    expect(memories[0]?.history?.at(-1)).toMatchObject({
      kind: 'memory.related',
      reason: 'no longer rhymes_with FACT-BBB',
    });
  });

  test('[E1] a replacement is no mere edge', async () => {
    const loci = await openWith(...CHAIN);
    const asked = { source: 'FACT-BBB', type: 'supersedes', target: 'FACT-AAA' };
    await loci.relate(asked);
    await expect(loci.unrelate(asked)).rejects.toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining('--supersedes FACT-BBB'),
    });
  });

  test('[C7] signals come from edges of either direction, and those of links make none', async () => {
    const loci = await openWith(
      { id: 'FACT-KEEL-OAK', title: 'Oak', body: 'The keel is made of oak.' },
      { id: 'FACT-KEEL-STEEL', body: 'The keel is made of steel, unlike [[Oak]].' },
      { id: 'FACT-KEEL-IRON', body: 'The keel is made of iron.' },
    );
    await loci.relink({ apply: true });
    await loci.relate({
      source: 'FACT-KEEL-STEEL',
      type: 'contradicts',
      target: 'FACT-KEEL-OAK',
    });
    await loci.relate({
      source: 'FACT-KEEL-IRON',
      type: 'evolved_into',
      target: 'FACT-KEEL-STEEL',
    });
    const signals = async (): Promise<Record<string, string[]>> => {
      const { results } = await loci.recall({ query: 'keel', includeSuperseded: true });
      const of = results.map(({ id, signals: all }) => {
        return [id, all.map(({ kind, id: other }) => `${kind} ${other}`)] as const;
      });
      return Object.fromEntries(of);
    };
    expect(await signals()).toEqual({
      'FACT-KEEL-OAK': ['contradicts FACT-KEEL-STEEL'],
      'FACT-KEEL-STEEL': ['contradicts FACT-KEEL-OAK'],
      'FACT-KEEL-IRON': ['evolved_into FACT-KEEL-STEEL'],
    });
    await loci.relate({ source: 'FACT-KEEL-STEEL', type: 'supersedes', target: 'FACT-KEEL-IRON' });
    expect((await signals())['FACT-KEEL-IRON']).toEqual([
      'superseded_by FACT-KEEL-STEEL',
      'evolved_into FACT-KEEL-STEEL',
    ]);
  });
});
