import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { open } from '../../src/index.ts';

const MEMORIES = 4000;

const idOf = (i: number): string => `FACT-2026-01-01-NUMBER-${i}-AAAA`;

function told(word: string) {
  return Array.from({ length: MEMORIES }, (_, i) => ({
    id: idOf(i),
    body: `Machine ${i} stands in ${word} ${i * 7}, beside ${'other machines, '.repeat(20)}`,
    ...(i > 0 ? { relations: [{ type: 'supports', target: idOf(0) }] } : {}),
  }));
}

test('[B6] a large log is compacted in time in proportion to it; then what all name is purged', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'loci-log-')), 'memory.db');
  const loci = await open(`sqlite:${file}`, { project: 'p', env: {}, create: true });
  await loci.remember(told('room'));
  await loci.remember(told('hall'));
  const start = performance.now();
  expect(await loci.compact()).toMatchObject({ dropped: MEMORIES });
  expect(performance.now() - start).toBeLessThan(3000);
  expect(await loci.purge({ ids: [idOf(0)], yes: true })).toMatchObject({ purged: [idOf(0)] });
  const { memories } = await loci.get({ ids: [idOf(1)], relations: true });
  expect(memories[0]?.relations).toEqual([]);
  expect((await loci.verify()).problems).toEqual([]);
  await loci.close();
});
