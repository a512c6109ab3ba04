import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodies, onEveryStore } from './stores.ts';

const COPIES = [
  'The billing service uses Postgres as its primary database',
  'Primary database of the billing service: Postgres',
  'The primary database of our billing service is Postgres',
  'Postgres is the primary database that the billing service uses',
].map((body) => ({ body }));
const OTHERS = [
  { body: 'Billing exports its invoices to a bucket every night' },
  { body: 'The database of the search service is rebuilt on Sundays' },
];

onEveryStore((openWith) => {
  test('[C4] at 0.7 no more than two copies of one thing come back, at 1 all of them', async () => {
    const loci = await openWith(...COPIES, ...OTHERS);
    const query = 'primary database of the billing service';
    const copies = new Set(COPIES.map(({ body }) => body));
    const count = async (diversity?: number): Promise<number> => {
      const found = await bodies(loci, { query, diversity, minScore: 0 });
      return found.filter((body) => copies.has(body)).length;
    };
    expect(await count()).toBe(2);
    expect(await count(0.7)).toBe(2);
    expect(await count(1)).toBe(4);
    const first = await bodies(loci, { query, limit: 3, minScore: 0 });
    expect(first.filter((body) => copies.has(body))).toHaveLength(2);
    expect(await bodies(loci, { query, limit: 3, diversity: 1 })).toHaveLength(3);
  });

  test('[C4] less of it spreads the answer over other things', async () => {
    const loci = await openWith(...COPIES.slice(0, 2), ...OTHERS);
    const query = 'database of the billing service';
    const found = (diversity: number) => bodies(loci, { query, limit: 2, diversity, minScore: 0 });
    const copies = COPIES.slice(0, 2).map(({ body }) => body);
    expect((await found(1)).toSorted()).toEqual(copies.toSorted());
    const [best, next] = await found(0);
    expect(copies).toContain(best);
    expect(copies).not.toContain(next);
  });

  test('[C4] texts that differ in a number, a name or a denial are no copies', async () => {
    const ports = Array.from({ length: 6 }, (_, i) => ({
      body: `The ssh port of host h${i} is 22${i}`,
    }));
    const sides = [
      { body: 'We deploy the shop on Fridays' },
      { body: 'On Fridays we deploy the shop' },
      { body: 'We never deploy the shop on Fridays' },
      { body: 'We deploy the shop on Mondays' },
    ];
    const loci = await openWith(...ports, ...sides);
    const hosts = await bodies(loci, { query: 'ssh port of the host', minScore: 0 });
    expect(hosts.filter((body) => body.includes('ssh'))).toHaveLength(6);
    const deploys = await bodies(loci, { query: 'when do we deploy the shop', minScore: 0 });
    expect(deploys).toContain(sides[2]?.body);
    expect(deploys).toContain(sides[3]?.body);
  });

  test('[C4] whatever lambda is, nothing is invented, doubled or lost but copies', async () => {
    const words = ['rope', 'sail', 'keel', 'mast', 'deck', 'hull'];
    const texts = Array.from({ length: 30 }, (_, i) => {
      return `Harbour ${words.filter((_word, k) => (i + 1) % (k + 2) === 0).join(' ')} ${i}`;
    });
    const loci = await openWith(...texts.map((body) => ({ body })));
    const query = 'harbour rope sail keel mast';
    const all = await bodies(loci, { query, diversity: 1, limit: 100, minScore: 0 });
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), async (diversity) => {
        const found = await bodies(loci, { query, diversity, limit: 100, minScore: 0 });
        expect(found.toSorted()).toEqual(all.toSorted());
        expect(found[0]).toBe(all[0]);
      }),
      { numRuns: 10, examples: [[0], [0.7], [1]] },
    );
  });
});
