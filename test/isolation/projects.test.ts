import { assert, asyncProperty, constantFrom, nat, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MemoryInput } from '../../src/domain/inputs.ts';
import type { Loci } from '../../src/loci.ts';
import { KINDS, store } from '../exchange/support.ts';

/** Names that are patterns, paths or ids elsewhere, and that differ by little. */
const PROJECTS = [
  'a_b',
  'a-b',
  'a%b',
  'a.b',
  'a',
  'ab',
  '%',
  '_',
  '.',
  '..',
  'a/b',
  '*',
  "o'neil",
  '"quoted"',
  'A_B',
  'global-2',
  'ä',
  '550e8400-e29b-41d4-a716-446655440000',
  '550e8400-e29b-41d4-a716-44665544000_',
  '--all-projects',
];
const AGENTS = ['ann', 'Ann', 'an_', 'bob', 'a-n-n'];
const WORDS = ['anchor', 'beacon', 'compass', 'dinghy'];

/** What stands in every memory of a place, and in no other: whatever shows it has leaked. */
function markOf(project: number, agent: number): string {
  return `mark${'abcdefghijklmnopqrst'[project]}${'vwxyz'[agent] ?? 'u'}q`;
}

/** Every verb that an agent reads with, on behalf of whoever the store is scoped to. */
const READS: readonly [
  verb: string,
  read: (loci: Loci, id: string, word: string) => Promise<unknown>,
][] = [
  [
    'recall',
    (loci, _, word) => loci.recall({ query: word, explain: true, limit: 50, minScore: 0 }),
  ],
  ['recall, newest', (loci) => loci.recall({ limit: 50, includeSuperseded: true })],
  ['recall --why-not', (loci, id, word) => loci.recall({ query: word, whyNot: id })],
  ['recall --entity', (loci, _, word) => loci.recall({ entity: word })],
  ['recall --as-of', (loci, _, word) => loci.recall({ query: word, asOf: '2030-01-01' })],
  ['search', (loci, _, word) => loci.search({ query: word, limit: 50 })],
  [
    'search, all',
    (loci) => loci.search({ limit: 200, status: ['active', 'archived', 'superseded'] }),
  ],
  [
    'search, paged',
    async (loci) => {
      const first = await loci.search({ limit: 1 });
      const cursor = first.next_cursor ?? undefined;
      return [first, await loci.search({ limit: 1, ...(cursor ? { cursor } : {}) })];
    },
  ],
  ['get', (loci, id) => loci.get({ ids: [id], history: true, relations: true })],
  ['get --as-recorded', (loci, id) => loci.get({ ids: [id], asRecorded: '2031-01-01' })],
  ['context', (loci) => loci.context({ maxTokens: 20_000 })],
  ['status', (loci) => loci.status()],
  ['entities', (loci) => loci.entities()],
];

/** Verbs that name one memory: a foreign one must be answered as if there were none. */
const BY_ID: readonly [verb: string, ask: (loci: Loci, id: string) => Promise<unknown>][] = [
  ['get', (loci, id) => loci.get({ ids: [id] })],
  ['why-not', (loci, id) => loci.recall({ query: 'anchor', whyNot: id })],
  ['relations', (loci, id) => loci.relations({ id })],
  ['update', (loci, id) => loci.update({ id, tags: ['taken'] })],
  ['archive', (loci, id) => loci.archive({ id })],
  ['restore', (loci, id) => loci.restore({ id })],
  ['reject', (loci, id) => loci.reject({ id })],
  ['relate from', (loci, id) => loci.relate({ source: id, type: 'supports', target: id })],
  ['supersede', (loci, id) => loci.remember({ body: 'Something new.', supersedes: id })],
  ['unshare', (loci, id) => loci.unshare({ id })],
];

interface Filled {
  readonly all: Loci;
  /** Ids of the memories of each place. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
}

async function filled(name: string): Promise<Filled> {
  const all = await store(name, { isolation: 'per-agent', project: 'global' });
  const memories: MemoryInput[] = [];
  const places: string[] = [];
  PROJECTS.forEach((project, p) => {
    [...AGENTS, undefined].forEach((agent, a) => {
      for (let i = 0; i < 2; i++) {
        const mark = markOf(p, a);
        const word = WORDS[(p + a + i) % WORDS.length] as string;
        const who = agent === undefined ? {} : { agent };
        places.push(`${project}/${agent ?? ''}`);
        memories.push({
          id: `FACT-${mark.toUpperCase()}-${i}`,
          body: `The ${word} of ${mark} number ${i}.`,
          title: `${mark} ${word}`,
          tags: [mark, word],
          entities: [{ kind: 'tool', name: word }],
          project,
          ...who,
        });
      }
    });
  });
  memories.push({ id: 'FACT-GLOBAL-ONE', body: 'The anchor of everybody.', project: 'global' });
  await all.remember(memories);
  // A project replaces and relates what all of them see: the others learn of it, not by whom.
  const first = all.scoped({ project: PROJECTS[0] as string });
  const own = `FACT-${markOf(0, 5).toUpperCase()}-0`;
  await first.relate({ source: 'FACT-GLOBAL-ONE', type: 'supports', target: own });
  await first.relate({ source: own, type: 'supersedes', target: 'FACT-GLOBAL-ONE' });
  await first.entity({ name: `wheel of ${markOf(0, 5)}`, kind: 'tool', aliases: [markOf(0, 5)] });
  const ids = new Map<string, string[]>();
  memories.forEach(({ id = '' }, i) => {
    const place = places[i] ?? 'global/';
    ids.set(place, [...(ids.get(place) ?? []), id]);
  });
  return { all, ids };
}

/** The marks that may show to an agent of a project. */
function marksSeen(p: number, a: number): ReadonlySet<string> {
  return new Set([markOf(p, a), markOf(p, AGENTS.length)]);
}

function marksIn(answer: unknown): readonly string[] {
  return (
    JSON.stringify(answer)
      .toLowerCase()
      .match(/mark[a-t][u-z]q/g) ?? []
  );
}

async function sextants(loci: Loci): Promise<number> {
  return (await loci.recall({ query: 'sextant' })).results.length;
}

const RUNS = 2000 / READS.length;

describe.each(KINDS)('[G1] [C10] %s', (_kind, name) => {
  test(
    'nothing of another project or drawer shows in any answer',
    { timeout: 240_000 },
    async () => {
      const { all } = await filled(name());
      const place = record({
        p: nat(PROJECTS.length - 1),
        a: nat(AGENTS.length - 1),
        foreign: nat(PROJECTS.length - 1),
        foreignAgent: nat(AGENTS.length),
        word: constantFrom(...WORDS),
      });
      await assert(
        asyncProperty(place, async ({ p, a, foreign, foreignAgent, word }) => {
          const loci = all.scoped({ project: PROJECTS[p] as string, agent: AGENTS[a] as string });
          const seen = marksSeen(p, a);
          const id = `FACT-${markOf(foreign, foreignAgent).toUpperCase()}-0`;
          for (const [verb, read] of READS) {
            const answer = await read(loci, id, word);
            const asked = new Set(marksIn(id));
            const leaked = marksIn(answer).filter((mark) => !seen.has(mark) && !asked.has(mark));
            expect(leaked, `${verb} in ${PROJECTS[p]} for ${AGENTS[a]}`).toEqual([]);
          }
          const { memories, log, tags } = await loci.status();
          expect(memories.total).toBe(5);
          expect(memories.by_project).toEqual({ [PROJECTS[p] as string]: 4, global: 1 });
          // Four were stored; what all see was stored, related and replaced; one project has an entity.
          expect(log).toEqual(p === 0 ? { events: 9, position: 9 } : { events: 7, position: 7 });
          expect(Object.values(tags).reduce((sum, n) => sum + n, 0)).toBe(8);
        }),
        { numRuns: Math.ceil(RUNS) },
      );
    },
  );

  test('a foreign id is answered exactly as an unknown one', { timeout: 120_000 }, async () => {
    const { all, ids } = await filled(name());
    const reader = all.scoped({ project: 'a', agent: 'bob' });
    const places = [...ids].filter(([place]) => !['a/bob', 'a/', 'global/'].includes(place));
    const before = await all.verify();
    for (const [verb, ask] of BY_ID) {
      const answers = new Set<string>();
      const foreign = places.map(([, [id = '']]) => id).filter((_, i) => i % 7 === 0);
      for (const id of [...foreign, 'FACT-THERE-IS-NONE', 'fact-there-is-none']) {
        const answer = await ask(reader, id).catch((error: unknown) => ({
          error: String(error),
          error_: error,
        }));
        const text = JSON.stringify(answer).replaceAll(id, 'ID').replaceAll(id.toUpperCase(), 'ID');
        answers.add(text);
      }
      expect([verb, answers.size]).toEqual([verb, 1]);
    }
    expect(await all.verify()).toEqual(before);
  });

  test('an id that is taken elsewhere does not show that it is', async () => {
    const { all, ids } = await filled(name());
    const writer = all.scoped({ project: 'a', agent: 'bob' });
    const [taken = ''] = ids.get('ab/ann') ?? [];
    const stored = await writer.remember({ id: taken, body: 'A text of my own.' });
    expect(stored.results[0]?.outcome).toBe('stored');
    const { memories } = await writer.get({ ids: [taken] });
    expect(memories[0]).toMatchObject({ body: 'A text of my own.', project: 'a' });
    expect((await writer.update({ id: taken, body: 'Another text.' })).outcome).toBe('updated');
    const owner = all.scoped({ project: 'ab', agent: 'ann' });
    expect((await owner.get({ ids: [taken] })).memories[0]?.body).toMatch(/number 0/);
  });

  test('upkeep changes nothing outside of its own project and drawers', async () => {
    const { all } = await filled(name());
    const gone = { body: 'It was over long ago.', validTo: '2026-01-02' };
    for (const project of ['a', 'ab', 'global']) {
      await all.remember({ ...gone, project, body: `${gone.body} ${project}` });
      await all.remember({ ...gone, project, agent: 'ann', body: `${gone.body} ${project}, ann` });
    }
    const upkeep = all.scoped({ project: 'a', agent: 'bob' });
    expect((await upkeep.gc()).changes).toHaveLength(1);
    expect((await all.scoped({ project: 'a', agent: 'ann' }).gc()).changes).toHaveLength(1);
    expect((await all.scoped({ project: 'ab', agent: 'ann' }).gc()).changes).toHaveLength(2);
    expect((await all.scoped({ project: 'global' }).gc()).changes).toHaveLength(1);
  });

  test('[G1] an entity that is named for everybody is known in every project', async () => {
    const { all } = await filled(name());
    await all.entity({ name: 'dinghy', kind: 'tool', aliases: ['tender'] });
    const loci = all.scoped({ project: '_', agent: 'bob' });
    const { entity_resolved, entity_id, results } = await loci.recall({ entity: 'Tender' });
    expect({ entity_resolved, entity_id }).toEqual({
      entity_resolved: true,
      entity_id: 'tool:dinghy',
    });
    expect(results.length).toBeGreaterThan(0);
    expect(results.every(({ project }) => project === '_')).toBe(true);
  });

  test('writes land in the current project, and every project shows on request', async () => {
    const { all } = await filled(name());
    const a_b = all.scoped({ project: 'a_b' });
    await a_b.remember({ id: 'FACT-UNDERSCORE', body: 'The sextant is new.' });
    expect(await sextants(a_b)).toBe(1);
    const others = ['a-b', 'a%b', 'a.b', 'A_B', '_', '%'];
    const seen = others.map((project) => sextants(all.scoped({ project })));
    expect(await Promise.all(seen)).toEqual([0, 0, 0, 0, 0, 0]);
    const everywhere = await all.recall({ query: 'sextant', allProjects: true });
    expect(everywhere.results.map(({ project }) => project)).toEqual(['a_b']);
  });
});
