import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { open } from '../../src/open.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'loci-weights-'));
const MEMORIES = [
  { id: 'FACT-TITLE', title: 'Anchor', body: 'It holds in mud and sand down to thirty metres.' },
  { id: 'FACT-BODY', body: 'The spare rope lies beside the anchor in the locker.' },
];

async function order(store: string, weights?: string): Promise<string[]> {
  const loci = await open(store, { embedder: 'none', ...(weights ? { weights } : {}) });
  await loci.remember(MEMORIES);
  const { results } = await loci.recall({ query: 'anchor' });
  await loci.close();
  return results.map(({ id }) => id);
}

test.each([
  ['in-memory', 'memory:'],
  ['sqlite', `sqlite:${join(FOLDER, 'store.db')}`],
  ['vault', join(FOLDER, 'vault')],
])('[C2] a weight that is set changes the order, %s', async (_, store) => {
  expect(await order(store)).toEqual(['FACT-TITLE', 'FACT-BODY']);
  expect(await order(store, 'keyword.head=0, keyword.subject=0')).toEqual(['FACT-BODY']);
  expect(await order(store, 'choice.min_score=1')).toEqual([]);
});

test('[C2] a vault carries its weights in config.yaml', async () => {
  const vault = join(FOLDER, 'weighted');
  mkdirSync(vault);
  writeFileSync(join(vault, 'config.yaml'), 'weights:\n  keyword.head: 0\n  keyword.subject: 0\n');
  expect(await order(vault)).toEqual(['FACT-BODY']);
});
