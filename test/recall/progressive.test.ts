import { expect, test } from 'vitest';
import { bodies, onEveryStore } from './stores.ts';

const QUERY = 'do we use bun or npm';
const PREFERENCE = {
  body: 'We use bun, not npm, for every script',
  type: 'preference' as const,
};
const FACT = { body: 'The old pipeline ran npm ci; to use bun there took a new image' };
const TALK = {
  body: 'Somebody asked whether we use bun or npm',
  tier: 'conversations' as const,
};

onEveryStore((openWith) => {
  test('[C6] a preference that answers for sure ends the search', async () => {
    const loci = await openWith(TALK, FACT, PREFERENCE);
    const answer = await loci.recall({ query: QUERY });
    expect(answer.results.map(({ body }) => body)).toEqual([PREFERENCE.body]);
    expect(answer.coverage.stopped_at).toBe('preferences');
  });

  test('[C6] it can be turned off, pinned to a tier, and given another threshold', async () => {
    const loci = await openWith(TALK, FACT, PREFERENCE);
    expect(await bodies(loci, { query: QUERY, progressive: false })).toHaveLength(3);
    const pinned = { query: QUERY, tier: ['conversations'] };
    expect(await bodies(loci, pinned)).toEqual([TALK.body]);
    const all = await loci.recall({ query: QUERY, confidenceThreshold: 0.99 });
    expect(all.results).toHaveLength(3);
    expect(all.coverage).not.toHaveProperty('stopped_at');
  });

  test('[C6] the next tier joins when the first says only part of what was asked', async () => {
    const vague = { body: 'Use bun, use bun, always use bun', type: 'preference' as const };
    const loci = await openWith(vague, FACT, TALK);
    const found = await loci.recall({ query: QUERY });
    expect(found.coverage.stopped_at).not.toBe('preferences');
    expect(found.results.map(({ body }) => body)).toContain(FACT.body);
  });

  test('[C6] a much better answer of a later tier is not given up for a good one', async () => {
    const good = {
      body: 'Before every merge run the tests; only then say what you did and why, in plain words.',
      type: 'preference' as const,
    };
    const better = { title: 'How to run the tests', body: 'Run the tests with `make tests`.' };
    const loci = await openWith(
      good,
      better,
      ...Array.from({ length: 8 }, (_, i) => ({ body: `Buoy ${i}` })),
    );
    const { results, coverage } = await loci.recall({ query: 'how do I run the tests' });
    expect(results[0]?.title).toBe(better.title);
    expect(coverage.stopped_at).not.toBe('preferences');
  });

  test('[C6] a listing without a question goes through all tiers', async () => {
    const loci = await openWith(TALK, FACT, PREFERENCE);
    expect(await bodies(loci, {})).toHaveLength(3);
  });
});
