import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Loci } from '../../src/loci.ts';
import { keepAgentsApart } from '../../src/config.ts';
import { fresh, hashOf, KINDS, store } from '../exchange/support.ts';

const APART = { isolation: 'per-agent' } as const;

/** The same store for nobody in particular, for Ann and for Bob. */
async function threeOf(
  name: string | Promise<string>,
): Promise<{ all: Loci; ann: Loci; bob: Loci }> {
  const all = await store(name, APART);
  const as = (agent: string): Loci => all.scoped({ agent, actor: agent });
  return { all, ann: as('ann'), bob: as('bob') };
}

async function recalled(loci: Loci, query: string): Promise<string[]> {
  const { results } = await loci.recall({ query, diversity: 1, minScore: 0 });
  return results
    .map(({ id, agent, body }) => `${agent ?? 'shared'}: ${body}`.replace(id, ''))
    .sort();
}

describe.each(KINDS)('[G2] %s', (_kind, name) => {
  test('an agent sees its own drawer and the shared one', async () => {
    const { all, ann, bob } = await threeOf(name());
    await ann.remember({ id: 'FACT-ANNS', body: 'The key lies under the mat.' });
    await all.remember({ body: 'The key is made of brass.' });
    expect(await recalled(ann, 'key')).toEqual([
      'ann: The key lies under the mat.',
      'shared: The key is made of brass.',
    ]);
    expect(await recalled(bob, 'key')).toEqual(['shared: The key is made of brass.']);
    expect(await recalled(all, 'key')).toEqual(['shared: The key is made of brass.']);
    const asked = [
      await bob.get({ ids: ['FACT-ANNS'], allProjects: true }),
      await bob.get({ ids: ['FACT-NONE'], allProjects: true }),
    ];
    expect(asked.map(({ memories }) => memories)).toEqual([[], []]);
  });

  test('a shared copy is a snapshot; sharing again brings it up to date', async () => {
    const { ann, bob } = await threeOf(name());
    await ann.remember({ id: 'FACT-ANNS', body: 'The key lies under the mat.', tags: ['house'] });
    const first = await ann.share({ id: 'FACT-ANNS' });
    expect(first).toEqual({ id: expect.any(String), of: 'FACT-ANNS', outcome: 'shared' });
    expect(await recalled(bob, 'key')).toEqual(['shared: The key lies under the mat.']);
    expect(await ann.share({ id: 'FACT-ANNS' })).toMatchObject({
      id: first.id,
      outcome: 'unchanged',
    });
    await ann.update({ id: 'FACT-ANNS', body: 'The key hangs by the door.' });
    expect(await recalled(bob, 'key')).toEqual(['shared: The key lies under the mat.']);
    expect(await ann.share({ id: 'FACT-ANNS' })).toEqual({ ...first, outcome: 'updated' });
    expect(await recalled(bob, 'key')).toEqual(['shared: The key hangs by the door.']);
    const { memories } = await bob.get({ ids: ['FACT-ANNS'] });
    expect(memories[0]).toMatchObject({
      id: first.id,
      tags: ['house'],
      details: { shared_from: { agent: 'ann', id: 'FACT-ANNS' } },
    });
  });

  test('the own memory stands for the shared copy of it, and for the same text', async () => {
    const { all, ann, bob } = await threeOf(name());
    await ann.remember({ id: 'FACT-ANNS', body: 'The key lies under the mat.' });
    await ann.share({ id: 'FACT-ANNS' });
    expect(await recalled(ann, 'key')).toEqual(['ann: The key lies under the mat.']);
    await ann.update({ id: 'FACT-ANNS', body: 'The key hangs by the door.' });
    expect(await recalled(ann, 'key')).toEqual(['ann: The key hangs by the door.']);
    expect((await ann.get({ ids: ['FACT-ANNS'] })).memories[0]?.agent).toBe('ann');
    await all.remember({ body: 'The lock is old.' });
    await bob.remember({ body: 'The lock is old.' });
    expect(await recalled(bob, 'lock')).toEqual(['bob: The lock is old.']);
    expect((await bob.context()).ids).toHaveLength(2);
    const { why_not } = await ann.recall({
      query: 'key',
      whyNot: (await bob.search({ query: 'key' })).results[0]!.id,
    });
    expect(why_not).toMatchObject({ stage: 'copy', of: 'FACT-ANNS' });
    // An own memory that is current no more does not hide what others still hold.
    await ann.archive({ id: 'FACT-ANNS' });
    expect(await recalled(ann, 'key')).toEqual(['shared: The key lies under the mat.']);
  });

  test('what is unshared is gone for the others, and can be shared again', async () => {
    const { ann, bob } = await threeOf(name());
    await ann.remember({ id: 'FACT-ANNS', body: 'The key lies under the mat.' });
    const { id } = await ann.share({ id: 'FACT-ANNS' });
    expect(await bob.unshare({ id: 'FACT-ANNS' })).toEqual({ id, outcome: 'unshared' });
    expect(await ann.unshare({ id })).toEqual({ id, outcome: 'unchanged' });
    expect(await recalled(bob, 'key')).toEqual([]);
    expect(await recalled(ann, 'key')).toEqual(['ann: The key lies under the mat.']);
    expect(await ann.share({ id: 'FACT-ANNS' })).toMatchObject({ id, outcome: 'updated' });
    expect(await recalled(bob, 'key')).toEqual(['shared: The key lies under the mat.']);
  });

  test('a text that is shared already is not shared twice', async () => {
    const { all, ann } = await threeOf(name());
    await all.remember({ id: 'FACT-OF-ALL', body: 'The key is made of brass.' });
    await ann.remember({ id: 'FACT-ANNS', body: 'The key is made of brass.' });
    expect(await ann.share({ id: 'FACT-ANNS' })).toEqual({
      id: 'FACT-OF-ALL',
      of: 'FACT-ANNS',
      outcome: 'merged',
    });
    await all.reject({ id: 'FACT-OF-ALL', reason: 'it is steel' });
    await expect(ann.share({ id: 'FACT-ANNS' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(all.unshare({ id: 'FACT-OF-ALL' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('an agent opens and fills its own drawer only', async () => {
    const { all, ann, bob } = await threeOf(name());
    await ann.remember({ id: 'FACT-ANNS', body: 'The key lies under the mat.' });
    await expect(bob.share({ id: 'FACT-ANNS', from: 'ann' })).rejects.toMatchObject({
      code: 'denied',
    });
    const foreign = await bob.share({ id: 'FACT-ANNS' }).catch((error: unknown) => error);
    const unknown = await bob.share({ id: 'FACT-NONE' }).catch((error: unknown) => error);
    expect(String(foreign).replace('FACT-ANNS', 'ID')).toBe(
      String(unknown).replace('FACT-NONE', 'ID'),
    );
    expect(await all.share({ id: 'FACT-ANNS', from: 'ann' })).toMatchObject({ outcome: 'shared' });
    await expect(all.share({ id: 'FACT-ANNS' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(
      bob.remember({ body: 'The key lies under the mat.', agent: 'ann' }),
    ).rejects.toMatchObject({ code: 'denied' });
    expect((await bob.remember({ body: 'The key lies under the mat.' })).results[0]?.outcome).toBe(
      'stored',
    );
  });

  test('[E11] the memories of every agent are counted for who works for none', async () => {
    const { all, ann, bob } = await threeOf(name());
    await ann.remember([{ body: 'One.' }, { body: 'Two.' }]);
    await bob.remember({ body: 'Three.' });
    await all.remember({ body: 'Four.' });
    const { agents } = await all.status({ allAgents: true });
    expect(agents?.map(({ agent, total }) => [agent, total])).toEqual([
      [null, 1],
      ['ann', 2],
      ['bob', 1],
    ]);
    expect((await all.status()).agents).toBeUndefined();
    expect((await ann.status()).memories.total).toBe(3);
    expect((await ann.status()).log).toEqual({ events: 3, position: 3 });
    await expect(ann.status({ allAgents: true })).rejects.toMatchObject({ code: 'denied' });
  });

  test('without drawers an agent is provenance only', async () => {
    const all = await store(name());
    const ann = all.scoped({ agent: 'ann' });
    await ann.remember({ id: 'FACT-ANNS', body: 'The key lies under the mat.' });
    expect(await recalled(all.scoped({ agent: 'bob' }), 'key')).toEqual([
      'ann: The key lies under the mat.',
    ]);
    expect((await ann.status({ allAgents: true })).agents).toMatchObject([
      { agent: 'ann', total: 1 },
    ]);
    await expect(ann.share({ id: 'FACT-ANNS' })).rejects.toMatchObject({ code: 'unsupported' });
    await expect(all.migrateIsolation({ strategy: 'fresh' })).rejects.toMatchObject({
      code: 'unsupported',
    });
  });
});

describe.each(KINDS.filter(([kind]) => kind !== 'in-memory'))(
  '[G2] %s begins to keep agents apart',
  (_kind, name) => {
    const begin = async (): Promise<{ path: string; hash: string }> => {
      const path = await name();
      const together = await store(path);
      await together.remember([
        { id: 'FACT-ANNS', body: 'Ann knows this.', agent: 'ann' },
        { id: 'FACT-BOBS', body: 'Bob knows this.', agent: 'bob' },
        { id: 'FACT-ALLS', body: 'All know this.' },
      ]);
      const hash = await hashOf(together);
      await together.close();
      return { path, hash };
    };
    const base = { private: 2, shared: 1, archived: 0, copied: 0, run: null, dry_run: false };

    test('partition leaves each memory to its agent', async () => {
      const { path, hash } = await begin();
      const { all, ann } = await threeOf(path);
      expect(await all.migrateIsolation({ strategy: 'partition' })).toEqual({
        ...base,
        strategy: 'partition',
      });
      expect(await hashOf(all)).toBe(hash);
      expect(await recalled(ann, 'know this')).toEqual([
        'ann: Ann knows this.',
        'shared: All know this.',
      ]);
    });

    test('clone-to-shared lets everybody go on seeing everything, once each', async () => {
      const { path } = await begin();
      const { all, ann, bob } = await threeOf(path);
      expect(
        await all.migrateIsolation({ strategy: 'clone-to-shared', dryRun: true }),
      ).toMatchObject({
        copied: 2,
        dry_run: true,
      });
      expect(await all.migrateIsolation({ strategy: 'clone-to-shared' })).toMatchObject({
        copied: 2,
      });
      expect(await all.migrateIsolation({ strategy: 'clone-to-shared' })).toMatchObject({
        copied: 0,
      });
      expect(await recalled(ann, 'know this')).toEqual([
        'ann: Ann knows this.',
        'shared: All know this.',
        'shared: Bob knows this.',
      ]);
      expect(await recalled(bob, 'know this')).toHaveLength(3);
    });

    test('fresh sets everything aside as one run, and loses nothing', async () => {
      const { path } = await begin();
      const { all, ann } = await threeOf(path);
      const { run, ...counts } = await all.migrateIsolation({ strategy: 'fresh' });
      expect(counts).toMatchObject({ archived: 3 });
      expect(run).toMatch(/^[0-9A-Z]{26}$/);
      expect(await recalled(ann, 'know this')).toEqual([]);
      await ann.restore({ id: 'FACT-ANNS' });
      expect(await recalled(ann, 'know this')).toEqual(['ann: Ann knows this.']);
      await hashOf(all);
    });
  },
);

test('[G2] config.yaml keeps agents apart from then on, and its other lines stay', async () => {
  const vault = fresh('vault');
  expect(existsSync(vault)).toBe(false);
  const path = keepAgentsApart(vault);
  expect(readFileSync(path, 'utf8')).toBe('isolation: per-agent\n');
  writeFileSync(path, '# ours\nproject: boat\nisolation: shared # for now\nzone: UTC');
  keepAgentsApart(vault);
  expect(readFileSync(join(vault, 'config.yaml'), 'utf8')).toBe(
    '# ours\nproject: boat\nisolation: per-agent\nzone: UTC',
  );
  const loci = await store(vault, {});
  await loci.scoped({ agent: 'ann' }).remember({ id: 'FACT-ANNS', body: 'Ann knows this.' });
  expect(existsSync(join(vault, 'agents/ann/ENTITIES/FACT-ANNS.md'))).toBe(true);
  expect((await loci.get({ ids: ['FACT-ANNS'] })).missing).toEqual(['FACT-ANNS']);
});
