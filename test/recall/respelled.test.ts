import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { open } from '../../src/open.ts';
import type { Loci } from '../../src/loci.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'loci-respelled-'));
const STORES: readonly [kind: string, name: () => string][] = [
  ['in-memory', () => 'memory:'],
  ['sqlite', () => `sqlite:${join(folder(), 'store.db')}`],
  ['vault', () => join(folder(), 'vault')],
];

const opened: Loci[] = [];
afterEach(async () => {
  for (const loci of opened.splice(0)) await loci.close();
});

async function filled(store: string, embedder: string): Promise<Loci> {
  const loci = await open(store, { project: 'boat', embedder });
  opened.push(loci);
  await loci.remember([
    { body: 'Dagster partitions are backfilled by the night job.' },
    { body: 'The compass hangs beside the hatch.' },
    { body: 'Kubernetes runs the harbour office.', project: 'harbour' },
  ]);
  return loci;
}

describe.each(STORES)('%s', (_kind, store) => {
  test('[C13] a misspelt word is read as the nearest one that a memory holds', async () => {
    const loci = await filled(store(), 'builtin');
    const { results, coverage } = await loci.recall({ query: 'dagstr partitons' });
    expect(results[0]?.body).toBe('Dagster partitions are backfilled by the night job.');
    expect(coverage).toMatchObject({
      unmatched: [],
      respelled: [
        { from: 'dagstr', to: 'dagster' },
        { from: 'partitons', to: 'partitions' },
      ],
    });
  });

  test('a word that is spelt right is left as it is, however near another one lies', async () => {
    const loci = await filled(store(), 'builtin');
    const { coverage } = await loci.recall({ query: 'hands' });
    expect(coverage.respelled).toBeUndefined();
    expect(coverage.unmatched).toEqual(['hands']);
  });

  test('what only another project holds is no spelling', async () => {
    const loci = await filled(store(), 'builtin');
    const { coverage } = await loci.recall({ query: 'kubernets' });
    expect(coverage.respelled).toBeUndefined();
    expect(coverage.unmatched).toEqual(['kubernets']);
  });

  test('without a list of words nothing is changed', async () => {
    const loci = await filled(store(), 'none');
    const { coverage } = await loci.recall({ query: 'dagstr' });
    expect(coverage.respelled).toBeUndefined();
    expect(coverage.unmatched).toEqual(['dagstr']);
  });
});
