import { expect, test } from 'vitest';
import { bodies, onEveryStore } from './stores.ts';

onEveryStore((openWith) => {
  test('[C2] a neighbour of what answers is lifted, and joins at a low floor', async () => {
    const loci = await openWith(
      { body: 'The winch jams in frost', externalId: 'winch' },
      { body: 'Grease keeps it going', externalId: 'grease' },
      { body: 'Lamps burn all night' },
    );
    await loci.relate({ source: 'winch', type: 'depends_on', target: 'grease' });
    const asked = { query: 'why does the winch jam', minScore: 0, explain: true };
    const { results } = await loci.recall(asked);
    const lifted = results.find(({ body }) => body.startsWith('Grease'));
    expect(lifted?.explain?.graph).toEqual({
      boost: expect.any(Number),
      from: results[0]?.id,
    });
    const { results: plain } = await loci.recall({ ...asked, graph: false });
    const before = plain.find(({ body }) => body.startsWith('Grease'))?.score ?? 0;
    expect(lifted?.score).toBeGreaterThan(before);
    expect(lifted?.score).toBeLessThan(before + 0.15);
    expect(plain[0]?.explain).not.toHaveProperty('graph');
  });

  test('[C2] a hub lifts each of its neighbours by less', async () => {
    const spokes = Array.from({ length: 6 }, (_, i) => ({ body: `錨 ${i}`, externalId: `s${i}` }));
    const loci = await openWith({ body: 'The winch jams', externalId: 'hub' }, ...spokes);
    const boostAfter = async (count: number): Promise<number> => {
      for (let i = 0; i < count; i++) {
        await loci.relate({ source: 'hub', type: 'related_to', target: `s${i}` });
      }
      const { results } = await loci.recall({ query: 'winch jams', minScore: 0, explain: true });
      return results.find(({ body }) => body === '錨 0')?.explain?.graph?.boost ?? 0;
    };
    const alone = await boostAfter(1);
    expect(alone).toBeGreaterThan(0.05);
    expect(await boostAfter(6)).toBeCloseTo(alone / 6, 2);
  });

  test('[C2] a neighbour that the filter or the view holds back does not join', async () => {
    const loci = await openWith({ body: 'The winch jams', externalId: 'winch' });
    await loci.remember([
      { body: '錨 draft', status: 'draft', externalId: 'draft' },
      { body: '錨 belief', type: 'belief', externalId: 'belief' },
    ]);
    await loci.relate({ source: 'winch', type: 'supports', target: 'draft' });
    await loci.relate({ source: 'winch', type: 'supports', target: 'belief' });
    const query = 'winch jams';
    expect(await bodies(loci, { query, minScore: 0 })).toEqual(['The winch jams', '錨 belief']);
    expect(await bodies(loci, { query, minScore: 0, type: ['fact'] })).toEqual(['The winch jams']);
  });
});
