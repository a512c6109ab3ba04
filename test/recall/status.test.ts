import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Loci } from '../../src/loci.ts';
import { open } from '../../src/open.ts';
import { onEveryStore } from './stores.ts';

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

onEveryStore((openWith) => {
  test('[E11] status counts memories and tags, and says how old they are', async () => {
    const loci = await openWith(
      { body: 'One.', tags: ['lock', 'ice'], createdAt: daysAgo(200) },
      { body: 'Two.', tags: ['lock'], type: 'decision', createdAt: daysAgo(100) },
      { body: 'Three.', status: 'draft', createdAt: daysAgo(40) },
      { body: 'Four.', createdAt: daysAgo(10), ttlDays: 5 },
      { id: 'FACT-FIVE', body: 'Five.', createdAt: daysAgo(300) },
    );
    await loci.archive({ id: 'FACT-FIVE' });
    expect(await loci.status()).toMatchObject({
      memories: {
        total: 5,
        by_type: { fact: 4, decision: 1 },
        by_status: { active: 3, archived: 1, draft: 1 },
      },
      tags: { lock: 2, ice: 1 },
      staleness: { over_30_days: 3, over_90_days: 2, over_180_days: 1, ended: 1 },
      embeddings: { model: 'builtin:words' },
      index: expect.any(String),
    });
    expect(await loci.status()).not.toHaveProperty('agents');
  });

  test('[E11] status --all-agents says what each agent holds', async () => {
    const loci = await openWith(
      { body: 'Shared.' },
      { body: 'Of Ann.', agent: 'ann' },
      { body: 'Of Ann too.', agent: 'ann', type: 'decision', status: 'draft' },
      { body: 'Of Bob.', agent: 'bob', project: 'other' },
    );
    expect((await loci.status({ allAgents: true })).agents).toEqual([
      { agent: null, total: 1, by_type: { fact: 1 }, by_status: { active: 1 } },
      {
        agent: 'ann',
        total: 2,
        by_type: { decision: 1, fact: 1 },
        by_status: { active: 1, draft: 1 },
      },
    ]);
    const everywhere = await loci.status({ allAgents: true, allProjects: true });
    expect(everywhere.agents?.map(({ agent }) => agent)).toEqual([null, 'ann', 'bob']);
  });
});

describe('[E11] with drawers of their own', () => {
  const opened: Loci[] = [];
  afterEach(async () => {
    for (const loci of opened.splice(0)) await loci.close();
  });

  test('an agent counts its own and the shared one; who works for none may ask for all', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'loci-status-')), 'vault');
    const owner = await open(path, { project: 'boat', isolation: 'per-agent' });
    opened.push(owner);
    const loci = owner.scoped({ agent: 'ann' });
    await loci.remember({ body: 'Of Ann.' });
    await loci.scoped({ agent: 'bob' }).remember([{ body: 'Of Bob.' }, { body: 'Of Bob too.' }]);
    expect((await loci.status()).memories.total).toBe(1);
    const { memories, agents } = await owner.status({ allAgents: true });
    expect(memories.total).toBe(3);
    expect(agents?.map(({ agent, total }) => [agent, total])).toEqual([
      ['ann', 1],
      ['bob', 2],
    ]);
  });
});
