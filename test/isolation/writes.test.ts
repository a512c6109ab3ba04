import { describe, expect, test } from 'vitest';
import type { MemoryInput } from '../../src/domain/inputs.ts';
import type { Loci } from '../../src/loci.ts';
import { KINDS, store } from '../exchange/support.ts';
import { rounds, SOAK_TIMEOUT_MS } from '../vault/soak.ts';
import { filled, idOf, lived } from './places.ts';

const STATUSES = ['active', 'draft', 'archived', 'superseded', 'rejected'] as const;

const MINE = 'The API server of the harbour office listens on port 8080 since the spring.';
const NEARLY = 'The API server of the harbour office listens on port 8080 since spring.';
const AGAINST = 'The API server of the harbour office listens on port 9090 since the spring.';

/** What a writer is told, without what is made anew each time. */
async function receipts(loci: Loci, inputs: readonly MemoryInput[]): Promise<string> {
  const { results, warnings } = await loci.remember(inputs);
  const told = results.map((receipt) => ({ ...receipt, id: null }));
  return JSON.stringify({ told, warnings });
}

async function aliases(loci: Loci): Promise<readonly string[]> {
  return (await loci.entities()).entities.flatMap((entity) => entity.aliases);
}

async function said(loci: Loci): Promise<readonly string[]> {
  return (await loci.episodes()).episodes.map(({ summary }) => summary);
}

describe.each(KINDS)('[G1] [G2] %s', (_kind, name) => {
  test('receipts do not tell what others hold, have rejected or nearly said', async () => {
    const inputs: MemoryInput[] = [
      { id: 'FACT-MINE-ONE', body: MINE },
      { body: NEARLY },
      { body: AGAINST },
      { body: 'The moon is made of cheese.' },
      { body: 'A text with its own id.', id: 'FACT-TAKEN-ELSEWHERE' },
      { body: 'A text that replaces.', supersedes: 'FACT-TAKEN-ELSEWHERE', externalId: 'x-1' },
    ];
    const alone = await store(name(), { isolation: 'per-agent', project: 'boat' });
    const expected = await receipts(alone.scoped({ agent: 'bob' }), inputs);
    const all = await store(name(), { isolation: 'per-agent', project: 'boat' });
    for (const scope of [{ agent: 'ann' }, { project: 'boat%', agent: 'bob' }]) {
      const other = all.scoped(scope);
      await other.remember([
        { body: MINE, externalId: 'x-1' },
        { body: AGAINST },
        { body: 'It is mine.', id: 'FACT-TAKEN-ELSEWHERE' },
      ]);
      const { results } = await other.remember({ body: 'The moon is made of cheese.' });
      await other.reject({ id: results[0]?.id ?? '', reason: 'no' });
    }
    expect(await receipts(all.scoped({ agent: 'bob' }), inputs)).toBe(expected);
  });

  test('entities are told apart by project and drawer, whatever their names are', async () => {
    const all = await store(name(), { isolation: 'per-agent', project: 'global' });
    const left = all.scoped({ project: 'a', agent: 'b' });
    const right = all.scoped({ project: 'a/b/tool:x', agent: 'y' });
    await left.entity({ kind: 'tool', name: 'x/y/tool:z', aliases: ['left'] });
    await right.entity({ kind: 'tool', name: 'z', aliases: ['right'] });
    expect(await aliases(left)).toEqual(['left']);
    expect(await aliases(right)).toEqual(['right']);
  });

  test('two agents may call their sessions the same', async () => {
    const all = await store(name(), { isolation: 'per-agent', project: 'boat' });
    const [ann, bob] = [all.scoped({ agent: 'ann' }), all.scoped({ agent: 'bob' })];
    await ann.episode({ sessionId: 's-1', summary: 'Ann mended the sail.' });
    expect(await bob.episode({ sessionId: 's-1', summary: 'Bob slept.' })).toMatchObject({
      outcome: 'stored',
      warnings: [],
    });
    await ann.episode({ sessionId: 's-1', summary: 'Ann mended both sails.' });
    expect(await said(ann)).toEqual(['Ann mended both sails.']);
    expect(await said(bob)).toEqual(['Bob slept.']);
  });

  test('upkeep of one drawer leaves every other memory and record as it was', async () => {
    const { all } = await filled(name());
    const places = [
      [4, 3],
      [4, 5],
      [4, 0],
      [5, 3],
    ] as const;
    await lived(all, places);
    const owner = all.scoped({ project: 'a', agent: 'bob' });
    const others = [
      all.scoped({ project: 'a', agent: 'ann' }),
      all.scoped({ project: 'ab', agent: 'bob' }),
      all.scoped({ project: 'global' }),
    ];
    const known = async (): Promise<string> => {
      const told = [];
      for (const loci of others) {
        const ofAgent = await loci.search({ limit: 200, status: [...STATUSES] });
        const mine = ofAgent.results.filter(({ agent, project }) => {
          return project !== 'a' || agent === 'ann';
        });
        told.push(mine, await loci.runs({ limit: 100 }), (await loci.entities()).entities);
      }
      return JSON.stringify(told);
    };
    const before = await known();
    const old = { createdAt: '2020-01-01', validTo: '2020-02-01' };
    await owner.remember([
      { id: 'FACT-OVER-ONE', body: 'It was over long ago.', ...old },
      { id: 'FACT-STALE-ONE', body: 'Nobody asks for it.', createdAt: '2020-01-01' },
      { id: 'FACT-GOES-NOW', body: 'It goes for good.' },
    ]);
    expect((await owner.reflect()).changes.length).toBeGreaterThan(0);
    expect((await owner.meditate()).archived.length).toBeGreaterThan(0);
    await owner.lint({ fix: true });
    await owner.relink({ apply: true });
    await owner.migrateRelations({ apply: true });
    await owner.citations();
    await owner.gc();
    const { runs } = await owner.runs();
    for (const { id } of runs) await owner.undo({ ref: id }).catch(() => undefined);
    expect(
      await owner.purge({ ids: ['FACT-GOES-NOW', idOf(5, 3), idOf(4, 0)], yes: true }),
    ).toEqual({
      purged: ['FACT-GOES-NOW'],
      missing: [idOf(5, 3), idOf(4, 0)],
      warnings: [],
    });
    expect(await known()).toBe(before);
  });

  test(
    'case N4: projects that write and read in turns see no row of each other',
    async () => {
      const path = await name();
      const all = await store(path, { isolation: 'per-agent', project: 'global' });
      const tenants = ['a_', 'a%'].map((project) => ({ project, loci: all.scoped({ project }) }));
      const turns = rounds(60, 500);
      const work = tenants.map(async ({ project, loci }) => {
        for (let i = 0; i < turns; i++) {
          await loci.remember({ body: `The anchor number ${i} of ${project}.`, tags: ['all_'] });
          const { results } = await loci.recall({ query: `anchor ${i}`, limit: 50, minScore: 0 });
          expect(new Set(results.map((one) => one.project))).toEqual(new Set([project]));
          expect((await loci.search({ tags: ['all%'] })).total).toBe(0);
          expect((await loci.search({ tags: ['all_'], limit: 1 })).total).toBe(i + 1);
        }
      });
      await Promise.all(work);
      expect((await all.status({ allProjects: true })).memories.by_project).toEqual({
        'a%': turns,
        a_: turns,
      });
    },
    SOAK_TIMEOUT_MS,
  );
});
