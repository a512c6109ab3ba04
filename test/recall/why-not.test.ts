import { expect, test } from 'vitest';
import type { RecallOptions } from '../../src/domain/inputs.ts';
import type { Loci } from '../../src/loci.ts';
import { onEveryStore } from './stores.ts';

async function why(loci: Loci, whyNot: string, options: RecallOptions = {}) {
  return (await loci.recall({ query: 'anchor chain', ...options, whyNot })).why_not;
}

onEveryStore((openWith) => {
  test('[I7] a memory that is in the answer is said to be, with its place', async () => {
    const loci = await openWith(
      { body: 'The anchor chain is of steel', externalId: 'a' },
      { body: 'The chain', externalId: 'b' },
    );
    expect(await why(loci, 'a')).toMatchObject({ stage: 'returned', rank: 1 });
    expect(await why(loci, 'b', { minScore: 0 })).toMatchObject({ stage: 'returned', rank: 2 });
  });

  test('[I7] what another project holds is as unknown as what is not there', async () => {
    const loci = await openWith({ body: 'The anchor' });
    await loci.remember({ body: 'The anchor chain', project: 'plane', externalId: 'theirs' });
    const [theirs, none] = [await why(loci, 'theirs'), await why(loci, 'no-such-id')];
    expect({ ...theirs, id: '' }).toEqual({ ...none, id: '' });
    expect(none).toEqual({
      id: 'no-such-id',
      stage: 'unknown',
      message: 'There is no memory of this id here.',
    });
    expect(await why(loci, 'theirs', { allProjects: true })).toMatchObject({ stage: 'returned' });
  });

  test('[I7] a filter is named with what the memory has there', async () => {
    const loci = await openWith(
      { body: 'The anchor chain', externalId: 'old', tags: ['deck'] },
      { body: 'The anchor chain may be long', externalId: 'draft', status: 'draft' },
      { body: 'The anchor chain of old', externalId: 'past', validTo: '2020-01-01' },
    );
    await loci.remember({ body: 'The anchor chain is new', supersedes: 'old' });
    expect(await why(loci, 'draft')).toMatchObject({
      stage: 'filtered',
      criteria: [{ criterion: 'status', value: 'draft' }],
      message: 'It is left out by status (it has: draft).',
    });
    expect(await why(loci, 'past')).toMatchObject({
      criteria: [{ criterion: 'valid', value: 'until 2020-01-01T00:00:00.000Z' }],
    });
    const strict = { tags: ['hull'], type: ['decision'], includeSuperseded: true };
    expect(await why(loci, 'old', strict)).toMatchObject({
      criteria: [
        { criterion: 'type', value: 'fact' },
        { criterion: 'tags', value: 'deck' },
      ],
    });
    expect(await why(loci, 'old', { asOf: '2019-01-01' })).toMatchObject({
      criteria: [{ criterion: 'as_of' }],
    });
  });

  test('[I7] a memory without any word of the question matched nothing', async () => {
    const loci = await openWith({ body: 'The anchor chain' }, { body: '錨', externalId: 'other' });
    expect(await why(loci, 'other')).toMatchObject({ stage: 'not_matched' });
    expect(await why(loci, 'other', { query: '  ' })).toMatchObject({
      stage: 'not_matched',
      message: 'The question is blank, and a blank question finds nothing.',
    });
  });

  test('[I7] a weak one is told its score and the floor, one too many its place', async () => {
    const loci = await openWith(
      { body: 'The anchor chain', externalId: 'best' },
      { body: 'The anchor, its chain, and forty other things of the deck', externalId: 'next' },
      { body: 'An anchor is an anchor', externalId: 'weak' },
    );
    const weak = await why(loci, 'weak', { minScore: 0.7 });
    expect(weak).toMatchObject({ stage: 'below_min_score', floor: 0.7 });
    expect(weak?.score).toBeLessThan(0.7);
    expect(weak?.score).toBeGreaterThan(0);
    expect(await why(loci, 'weak', { limit: 1, minScore: 0 })).toMatchObject({
      stage: 'beyond_limit',
      rank: 3,
      limit: 1,
    });
  });

  test('[I7] one of a hundred and fifty others is told its place among all', async () => {
    const crowd = Array.from({ length: 150 }, (_, i) => ({ body: `anchor chain ${i}` }));
    const long = `${'The deck is long and wide. '.repeat(40)} anchor`;
    const loci = await openWith(...crowd, { body: long, externalId: 'last' });
    const last = await why(loci, 'last', { minScore: 0, limit: 5 });
    expect(last).toMatchObject({ stage: 'beyond_limit', rank: 151, limit: 5 });
  });

  test('[I7] copies, full budgets and early stops are told apart', async () => {
    const loci = await openWith(
      { body: 'The anchor chain is of steel', externalId: 'a' },
      { body: 'Of steel is the anchor chain', externalId: 'b' },
      { body: 'Steel is what the anchor chain is of', externalId: 'c' },
      {
        body: `The anchor. ${'Chains of iron rust in the wet locker. '.repeat(30)}`,
        externalId: 'd',
      },
      { body: 'Anchor chain', type: 'preference', externalId: 'rule' },
      { body: 'Anchor chain for the talk', tier: 'conversations', externalId: 'talk' },
    );
    const open = { progressive: false, minScore: 0 };
    const stages = await Promise.all(
      ['a', 'b', 'c'].map(async (id) => (await why(loci, id, open))?.stage),
    );
    expect(stages.toSorted()).toEqual(['copy', 'returned', 'returned']);
    expect(await why(loci, 'd', { ...open, maxTokens: 200 })).toMatchObject({
      stage: 'over_budget',
      tokens: expect.any(Number),
      left: expect.any(Number),
    });
    expect(await why(loci, 'talk', { query: 'anchor chain' })).toMatchObject({
      stage: 'tier_stopped',
      at: 'preferences',
    });
  });

  test('[I7] asking changes nothing in the answer', async () => {
    const crowd = Array.from({ length: 120 }, (_, i) => ({ body: `anchor chain ${i % 7} ${i}` }));
    const loci = await openWith(...crowd);
    const { why_not, ...asked } = await loci.recall({ query: 'anchor chain 5', whyNot: 'x' });
    expect(why_not?.stage).toBe('unknown');
    expect(asked).toEqual(await loci.recall({ query: 'anchor chain 5' }));
  });
});
