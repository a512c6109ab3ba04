import { expect, test } from 'vitest';
import { open } from '../../src/index.ts';

const TURNS = 10_000;

test('a session of thousands of turns, as it was recorded, is recalled in time in proportion', async () => {
  const loci = await open('memory:', { project: 'p', env: {} });
  const turns = Array.from({ length: TURNS }, (_, turn) => {
    const body = `Turn ${turn} speaks of thing${(turn * 7) % 1000} and of lock${turn % 77}.`;
    return { body, type: 'episode' as const, sessionId: 'talk', speaker: 'Ann', turn };
  });
  await loci.remember(turns);
  const start = performance.now();
  const asRecorded = new Date().toISOString();
  const { results } = await loci.recall({ query: 'thing7 and lock5', asRecorded });
  expect(performance.now() - start).toBeLessThan(4000);
  expect(results).not.toEqual([]);
  await loci.close();
});
