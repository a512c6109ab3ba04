import { rmSync, writeFileSync } from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { open } from '../../src/open.ts';

const BOAT = 'The boat needs a new sail before summer.';
const BREAD = 'We bake bread with rye flour every Monday.';

async function vaultWithVectors(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'loci-vectors-'));
  const loci = await open(root, { project: 'home' });
  await loci.remember([{ body: BOAT }, { body: BREAD }]);
  await loci.reEmbed();
  await loci.close();
  return root;
}

function remove(root: string, name: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(root, name + suffix), { force: true });
}

async function bestFor(root: string, query: string): Promise<[string | undefined, number]> {
  const loci = await open(root, { project: 'home' });
  const { results } = await loci.search({ query, mode: 'vector' });
  const { embeddings } = await loci.status();
  await loci.close();
  return [results[0]?.body, embeddings.stored];
}

test('[D2] a new index does not give memories the vectors of others', async () => {
  const root = await vaultWithVectors();
  const loci = await open(root, { project: 'home' });
  // Another order of documents than the first time.
  await loci.remember({ body: 'A first note that is archived.' });
  await loci.update({
    id: (await loci.recall({ query: 'boat' })).results[0]?.id as string,
    title: 'Sails',
  });
  await loci.close();
  remove(root, '.memory-index.db');
  expect((await bestFor(root, 'ship and yacht'))[0]).toBe(BOAT);
  expect((await bestFor(root, 'flour, cake and oven'))[0]).toBe(BREAD);
});

test('[D4] vectors that are deleted while the vault is open are made again', async () => {
  const root = await vaultWithVectors();
  const loci = await open(root, { project: 'home' });
  await loci.search({ query: 'yacht', mode: 'vector' });
  remove(root, '.memory-vectors.db');
  expect((await loci.status()).embeddings).toMatchObject({ stored: 0, pending: 2 });
  const { results } = await loci.search({ query: 'yacht', mode: 'vector' });
  expect(results[0]?.body).toBe(BOAT);
  expect((await loci.status()).embeddings).toMatchObject({ stored: 2, pending: 0 });
  await loci.close();
});

test.each([
  ['is no database', 'This is text, and long enough to be read as a header of something.'],
  ['is empty', ''],
])('[D4] a file of vectors that %s is made again', async (_what, bytes) => {
  const root = await vaultWithVectors();
  remove(root, '.memory-vectors.db');
  writeFileSync(join(root, '.memory-vectors.db'), bytes);
  expect(await bestFor(root, 'ship and yacht')).toEqual([BOAT, 2]);
});
