import { expect, test } from 'vitest';
import { onEveryEngine } from '../recall/clocked.ts';

const DAYS = (n: number): string => new Date(Date.UTC(2026, 2, 9) - n * 86_400_000).toISOString();

/** Four subjects: the boat's and the kitchen's are joined by one memory that bears a tag of both. */
const SHELF = [
  { id: 'FACT-HULL', body: 'The hull is oak.', tags: ['boat', 'wood'], createdAt: DAYS(5) },
  { id: 'FACT-TABLE', body: 'The table is oak.', tags: ['kitchen', 'wood'], createdAt: DAYS(6) },
  { id: 'FACT-STOVE', body: 'The stove is hot.', tags: ['kitchen', 'heat'], createdAt: DAYS(7) },
  { id: 'FACT-SUN', body: 'The sun is far.', tags: ['sky'], createdAt: DAYS(8) },
  { id: 'FACT-TAX', body: 'Tax is due.', tags: ['money'], createdAt: DAYS(400) },
] as const;

onEveryEngine((openAt) => {
  const filled = async () => {
    const { loci } = await openAt('2026-03-09T00:00:00Z');
    await loci.remember([...SHELF]);
    return loci;
  };

  test('[E9] from a memory over shared tags, step by step, and what collides', async () => {
    const loci = await filled();
    const { seeds, activated, collisions, steps } = await loci.wander({ seeds: ['fact-hull'] });
    expect(seeds).toEqual(['FACT-HULL']);
    expect(activated.map(({ id, step, from }) => [id, step, from])).toEqual([
      ['FACT-HULL', 0, null],
      ['FACT-TABLE', 1, 'FACT-HULL'],
      ['FACT-STOVE', 2, 'FACT-TABLE'],
    ]);
    // 0.5 × tanh 1 × √logistic(ln 2 − ln 6 ÷ 2)
    expect(activated[1]?.activation).toBeCloseTo(0.2553, 3);
    expect(steps).toBe(3);
    expect(collisions.map(({ a, b, dissimilarity }) => [a, b, dissimilarity])).toEqual([
      ['FACT-HULL', 'FACT-STOVE', 1],
    ]);
    expect(collisions[0]).toMatchObject({
      a_title: 'The hull is oak.',
      b_title: 'The stove is hot.',
    });
  });

  test('[E9] edges weigh more than tags, either way; history and drafts are not walked to', async () => {
    const loci = await filled();
    await loci.relate({ source: 'FACT-SUN', type: 'caused_by', target: 'FACT-HULL' });
    const first = await loci.wander({ seeds: ['FACT-HULL'] });
    const sun = first.activated.find(({ id }) => id === 'FACT-SUN');
    const table = first.activated.find(({ id }) => id === 'FACT-TABLE');
    expect(sun?.activation).toBeGreaterThan(table?.activation ?? 1);
    const weak = await loci.wander({ seeds: ['FACT-HULL'], relationWeight: 0.05 });
    expect(weak.activated.map(({ id }) => id)).not.toContain('FACT-SUN');
    await loci.archive({ id: 'FACT-SUN' });
    await loci.update({ id: 'FACT-TABLE', status: 'draft' });
    const { activated } = await loci.wander({ seeds: ['FACT-HULL'] });
    expect(activated.map(({ id }) => id)).toEqual(['FACT-HULL']);
  });

  test('[E9] what is cited is lifted once citations are indexed', async () => {
    const loci = await filled();
    await loci.remember([
      {
        id: 'FACT-OLD',
        title: 'Clinker build',
        body: 'Planks overlap.',
        tags: ['wood'],
        createdAt: DAYS(900),
      },
      ...[1, 2, 3].map((i) => ({
        id: `FACT-CITE-${i}`,
        body: `Clinker build, ${i}.`,
        createdAt: DAYS(9),
      })),
    ]);
    const activation = async (): Promise<number> => {
      const { activated } = await loci.wander({ seeds: ['FACT-HULL'], steps: 1, threshold: 0.01 });
      return activated.find(({ id }) => id === 'FACT-OLD')?.activation ?? 0;
    };
    const before = await activation();
    await loci.citations();
    expect(await activation()).toBeGreaterThan(before * 1.5);
  });

  test('[E9] starts from the three newest, or from tags in turn', async () => {
    const loci = await filled();
    expect((await loci.wander()).seeds).toEqual(['FACT-HULL', 'FACT-TABLE', 'FACT-STOVE']);
    const { seeds } = await loci.wander({ tags: ['kitchen', 'money', 'no such tag'] });
    expect(seeds).toEqual(['FACT-TABLE', 'FACT-TAX', 'FACT-STOVE']);
    expect((await loci.wander({ tags: ['kitchen', 'money'], topK: 2 })).seeds).toEqual([
      'FACT-TABLE',
      'FACT-TAX',
    ]);
    expect(await loci.wander({ tags: ['no such tag'] })).toEqual({
      seeds: [],
      activated: [],
      collisions: [],
      steps: 0,
    });
    await expect(loci.wander({ seeds: ['FACT-GONE'] })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(loci.wander({ steps: 0 })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('[E9] a tag that everything bears leads nowhere, and the answer stays small', async () => {
    const { loci } = await openAt('2026-03-09T00:00:00Z');
    const many = Array.from({ length: 260 }, (_, i) => ({
      id: `FACT-MANY-${i}`,
      body: `Number ${i}.`,
      tags: ['all', `pair-${i >> 1}`, `dozen-${Math.floor(i / 12)}`],
    }));
    await loci.remember(many);
    const { activated, collisions } = await loci.wander({ seeds: ['FACT-MANY-0'], threshold: 0 });
    expect(activated.length).toBe(12);
    expect(activated[1]).toMatchObject({ id: 'FACT-MANY-1', from: 'FACT-MANY-0' });
    expect(collisions).toEqual([]);
    const few = await loci.wander({ seeds: ['FACT-MANY-0'], threshold: 0, topK: 4 });
    expect(few.activated).toHaveLength(5);
  });

  test('[E9] other projects are not walked to', async () => {
    const loci = await filled();
    await loci.remember({ id: 'FACT-SEA', body: 'Driftwood.', tags: ['wood'], project: 'sea' });
    const { activated } = await loci.wander({ seeds: ['FACT-HULL'] });
    expect(activated.map(({ id }) => id)).not.toContain('FACT-SEA');
    await expect(loci.wander({ seeds: ['FACT-SEA'] })).rejects.toMatchObject({ code: 'not_found' });
  });
});
