import { expect, test } from 'vitest';
import { bodies, onEveryStore } from './stores.ts';

const KEEL = {
  body: 'The keel is inspected every spring.',
  tags: ['hull'],
  createdAt: '2026-01-05',
};
const SAIL = { body: 'The main sail is inspected by Ann.', type: 'procedure' as const };
const PAINT = {
  body: 'Paint the hull in blue.',
  type: 'decision' as const,
  paths: ['docs/hull.md'],
};

onEveryStore((openWith) => {
  test('[C3] scores lie from 0 to 1 and min_score leaves out what is weaker', async () => {
    const loci = await openWith(KEEL, SAIL, PAINT);
    const { results } = await loci.recall({ query: 'who inspected the main sail', minScore: 0 });
    expect(results.slice(0, 2).map(({ body }) => body)).toEqual([SAIL.body, KEEL.body]);
    const [best = 0, second = 0] = results.map(({ score }) => score);
    expect(best).toBeGreaterThan(second);
    expect(best).toBeLessThanOrEqual(1);
    expect(second).toBeGreaterThan(0);
    const query = 'who inspected the main sail';
    expect(await bodies(loci, { query, minScore: (best + second) / 2 })).toEqual([SAIL.body]);
    expect(await bodies(loci, { query, minScore: 1 })).toEqual([]);
  });

  test('limit is a number of memories, ten by default', async () => {
    const many = Array.from({ length: 14 }, (_, i) => ({ body: `Mooring line number ${i}` }));
    const loci = await openWith(...many);
    expect(await bodies(loci, { query: 'mooring' })).toHaveLength(10);
    expect(await bodies(loci, { query: 'mooring', limit: 3 })).toHaveLength(3);
    expect(await bodies(loci, { query: 'mooring', limit: 99 })).toHaveLength(14);
  });

  test('filters apply before the best are taken', async () => {
    const others = Array.from({ length: 30 }, (_, i) => ({ body: `inspected inspected ${i}` }));
    const loci = await openWith(KEEL, SAIL, ...others);
    const query = 'inspected';
    expect(await bodies(loci, { query, limit: 1, tags: ['hull'] })).toEqual([KEEL.body]);
    expect(await bodies(loci, { query, limit: 1, type: ['procedure'] })).toEqual([SAIL.body]);
    expect(await bodies(loci, { query, limit: 1, until: '2026-02-01' })).toEqual([KEEL.body]);
    expect(await bodies(loci, { query: 'hull', paths: 'docs/**' })).toEqual([]);
  });

  test('a project sees its own memories and the global ones', async () => {
    const loci = await openWith({ body: 'Anchor of the boat' });
    await loci.remember([
      { body: 'Anchor of the world', project: 'global' },
      { body: 'Anchor of the plane', project: 'plane' },
    ]);
    const query = 'anchor';
    expect((await bodies(loci, { query })).toSorted()).toEqual([
      'Anchor of the boat',
      'Anchor of the world',
    ]);
    expect(await bodies(loci, { query, allProjects: true })).toHaveLength(3);
    expect(await bodies(loci.scoped({ project: 'plane' }), { query })).not.toContain(
      'Anchor of the boat',
    );
  });

  test('[C7] what is replaced, expired or a draft is left out, or marked when asked for', async () => {
    const loci = await openWith({ body: 'The port is 22', externalId: 'old' });
    await loci.remember([
      { body: 'The port is 49222', supersedes: 'old' },
      { body: 'The port is closed at night', validTo: '2020-01-01' },
      { body: 'The port may be 80', source: 'web' },
    ]);
    expect(await bodies(loci, { query: 'port' })).toEqual(['The port is 49222']);
    const all = await loci.recall({
      query: 'port',
      includeSuperseded: true,
      includeDrafts: true,
    });
    const marked = all.results.map(({ body, signals }) => [body, signals.map(({ kind }) => kind)]);
    expect(Object.fromEntries(marked)).toEqual({
      'The port is 22': ['superseded_by'],
      'The port is 49222': [],
      'The port is closed at night': ['expired'],
      'The port may be 80': ['draft', 'untrusted'],
    });
  });

  test('as_of answers what held then', async () => {
    const loci = await openWith({ body: 'Port 22', createdAt: '2026-01-01', externalId: 'old' });
    await loci.remember({ body: 'Port 49222', createdAt: '2026-02-01', supersedes: 'old' });
    expect(await bodies(loci, { query: 'port', asOf: '2026-01-15' })).toEqual(['Port 22']);
    expect(await bodies(loci, { query: 'port', asOf: '2026-02-15' })).toEqual(['Port 49222']);
    expect(await bodies(loci, { query: 'port', asOf: '2025-01-01' })).toEqual([]);
  });

  test('without a question the newest come first, and episodes only when asked for', async () => {
    const loci = await openWith(
      { body: 'First', createdAt: '2026-01-01' },
      { body: 'Third', createdAt: '2026-01-03' },
      { body: 'Second', createdAt: '2026-01-02', type: 'episode' },
    );
    expect(await bodies(loci, {})).toEqual(['Third', 'First']);
    expect(await bodies(loci, { includeEpisodes: true })).toEqual(['Third', 'Second', 'First']);
    expect(await bodies(loci, { query: 'second' })).toEqual(['Second']);
  });

  test('a blank question finds nothing, one of signs finds them as they stand', async () => {
    const loci = await openWith({ body: 'a -> b maps to (c)' }, { body: 'nothing of that kind' });
    expect(await bodies(loci, { query: '   ' })).toEqual([]);
    expect(await bodies(loci, { query: '->' })).toEqual(['a -> b maps to (c)']);
    expect(await bodies(loci, { query: '%' })).toEqual([]);
  });

  test('[C7] contradictions are signalled on both sides', async () => {
    const loci = await openWith(
      { body: 'Rope is stored dry', externalId: 'a' },
      { body: 'Rope is stored wet', externalId: 'b' },
    );
    await loci.relate({ source: 'a', type: 'contradicts', target: 'b' });
    const { results } = await loci.recall({ query: 'rope' });
    expect(results.map(({ signals }) => signals.map(({ kind }) => kind))).toEqual([
      ['contradicts'],
      ['contradicts'],
    ]);
  });

  test('[C7] what a memory has become is signalled on it, not on its successor', async () => {
    const loci = await openWith(
      { body: 'Rope is bought by the metre', externalId: 'a' },
      { body: 'Rope is bought by the coil', externalId: 'b' },
    );
    await loci.relate({ source: 'a', type: 'evolved_into', target: 'b' });
    const { results } = await loci.recall({ query: 'rope bought' });
    const successor = results.find(({ body }) => body.endsWith('coil'));
    const signals = Object.fromEntries(results.map(({ id, signals: all }) => [id, all]));
    expect(Object.keys(signals)).toHaveLength(2);
    for (const [id, all] of Object.entries(signals)) {
      expect(all).toEqual(
        id === successor?.id
          ? []
          : [
              {
                kind: 'evolved_into',
                id: successor?.id,
                message: `evolved into ${successor?.id}`,
              },
            ],
      );
    }
  });

  test('[I9] coverage names the words that nothing speaks of', async () => {
    const loci = await openWith(KEEL);
    const { coverage } = await loci.recall({ query: 'keel zeppelin' });
    expect(coverage).toEqual({
      unmatched: ['zeppelin'],
      newest: '2026-01-05T00:00:00.000Z',
      strength: 'weak',
    });
  });

  test('explain shows what each word brought', async () => {
    const loci = await openWith(KEEL, SAIL);
    const { results } = await loci.recall({ query: 'keel inspected', explain: true });
    const parts = results[0]?.explain?.terms.map(({ term, documents }) => [term, documents]);
    expect(parts).toEqual([
      ['keel', 1],
      ['inspected', 2],
    ]);
    expect(results[0]?.explain?.terms[0]?.part).toBeGreaterThan(
      results[0]?.explain?.terms[1]?.part ?? Infinity,
    );
  });
});
