import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { open } from '../../src/index.ts';
import { freshRoot, LOG } from './support.ts';

const COPIES = 400;

test('[E3] many notes of one text are joined by a run of their size, and come back', async () => {
  const root = freshRoot();
  mkdirSync(join(root, 'ENTITIES'), { recursive: true });
  for (let i = 0; i < COPIES; i++) {
    writeFileSync(join(root, `ENTITIES/note ${i}.md`), 'Nothing is planned for today, so far.\n');
  }
  const loci = await open(root, { project: 'global', env: {}, embedder: 'none' });
  const { state_hash: before } = await loci.verify();
  const size = statSync(join(root, LOG)).size;
  const { run } = await loci.reflect();
  expect(statSync(join(root, LOG)).size - size).toBeLessThan(4 * size);
  expect((await loci.status()).memories.by_status).toMatchObject({ active: 1 });
  expect(await loci.undo({ ref: run as string })).toMatchObject({ skipped: [] });
  expect((await loci.verify()).state_hash).toBe(before);
  await loci.close();
});
