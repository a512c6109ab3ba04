import { assert, asyncProperty, constantFrom, nat, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Loci } from '../../src/loci.ts';
import { KINDS, store } from '../exchange/support.ts';
import { rounds, SOAK_TIMEOUT_MS } from '../vault/soak.ts';
import {
  AGENTS,
  filled,
  idOf,
  lived,
  markOf,
  marksIn,
  marksSeen,
  PROJECTS,
  WORDS,
} from './places.ts';
import { BY_ID, READS } from './reads.ts';

async function sextants(loci: Loci): Promise<number> {
  return (await loci.recall({ query: 'sextant' })).results.length;
}

/** Where more has happened: drawers, and shared ones (5), of projects whose names are alike. */
const LIVELY = [
  [0, 0],
  [0, 5],
  [1, 0],
  [1, 1],
  [4, 3],
  [5, 2],
  [6, 5],
  [17, 4],
] as const;
const ENOUGH = Math.ceil(rounds(400, 2000) / READS.length);

describe.each(KINDS)('[G1] [C10] %s', (_kind, name) => {
  test(
    '[G2] nothing of another project or drawer shows in any answer',
    async () => {
      const { all } = await filled(name());
      await lived(all, LIVELY);
      const reader = constantFrom(...LIVELY.slice(0, 6), [9, 2] as const, [19, 4] as const);
      const place = record({
        reader,
        foreign: nat(PROJECTS.length - 1),
        foreignAgent: nat(AGENTS.length),
        word: constantFrom(...WORDS),
      });
      await assert(
        asyncProperty(place, async ({ reader: [p, drawer], foreign, foreignAgent, word }) => {
          const a = drawer % AGENTS.length;
          const loci = all.scoped({ project: PROJECTS[p] as string, agent: AGENTS[a] as string });
          const seen = marksSeen(p, a);
          const id = idOf(foreign, foreignAgent);
          for (const [verb, read] of READS) {
            const answer = await read(loci, id, word);
            const asked = new Set(marksIn(id));
            const leaked = marksIn(answer).filter((mark) => !seen.has(mark) && !asked.has(mark));
            expect(leaked, `${verb} in ${PROJECTS[p]} for ${AGENTS[a]}`).toEqual([]);
          }
        }),
        { numRuns: ENOUGH },
      );
    },
    SOAK_TIMEOUT_MS,
  );

  test(
    '[G2] what others write changes no answer, count or hash',
    async () => {
      const { all } = await filled(name());
      await lived(all, [
        [0, 0],
        [0, 5],
      ]);
      const loci = all.scoped({ project: 'a_b', agent: 'ann' });
      const ask = async (): Promise<Map<string, string>> => {
        const answers = new Map<string, string>();
        for (const [verb, read] of READS) {
          const answer = await read(loci, idOf(3, 1), 'anchor');
          answers.set(verb, JSON.stringify(answer, withoutNow));
        }
        return answers;
      };
      // The first look counts tokens and indexes what is cited.
      await ask();
      const before = await ask();
      await lived(
        all,
        [
          [0, 1],
          [0, 3],
          [1, 0],
          [1, 5],
          [4, 0],
        ],
        1,
      );
      await all.scoped({ project: 'a_b', agent: 'bob' }).archive({ id: idOf(0, 3) });
      const after = await ask();
      for (const [verb, answer] of before) expect([verb, after.get(verb)]).toEqual([verb, answer]);
    },
    SOAK_TIMEOUT_MS,
  );

  test(
    'a foreign id is answered exactly as an unknown one',
    async () => {
      const { all, ids } = await filled(name());
      await lived(all, [[5, 0]]);
      const reader = all.scoped({ project: 'a', agent: 'bob' });
      const owner = all.scoped({ project: 'ab', agent: 'ann' });
      const places = [...ids].filter(([place]) => !['a/bob', 'a/', 'global/'].includes(place));
      const foreign = [
        ...places.map(([, [id = '']]) => id).filter((_, i) => i % 7 === 0),
        ...(await namesOf(owner)),
      ];
      const before = await all.verify();
      for (const [verb, ask] of BY_ID) {
        for (const id of foreign) {
          const unknown = id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');
          const told = async (ref: string): Promise<string> => {
            const answer = await ask(reader, ref).catch((error: unknown) => ({
              error: String(error),
              error_: error,
            }));
            // A conflict is named by its two sides.
            return [ref, ...ref.split('+')].reduce(
              (text, name) => text.replaceAll(name, 'ID').replaceAll(name.toUpperCase(), 'ID'),
              JSON.stringify(answer),
            );
          };
          expect([verb, id, await told(id)]).toEqual([verb, id, await told(unknown)]);
        }
      }
      expect(await all.verify()).toEqual(before);
    },
    SOAK_TIMEOUT_MS,
  );

  test('evidence is read by those who see a memory that names it, and taken over by no other', async () => {
    const all = await store(name(), { isolation: 'per-agent' });
    const [ann, bob] = [all.scoped({ agent: 'ann' }), all.scoped({ agent: 'bob' })];
    const { results } = await ann.remember({
      body: 'The deed is signed.',
      evidence: [Buffer.from('Signed by Ann')],
    });
    const { evidence } = await ann.evidence({ ref: results[0]?.id ?? '' });
    const hash = evidence[0]?.sha256 ?? '';
    const none = '0'.repeat(64);
    expect(Buffer.from(await ann.readEvidence(hash)).toString()).toBe('Signed by Ann');
    expect((await ann.evidence({ ref: hash })).evidence).toEqual([{ sha256: hash, size: 13 }]);
    const asked = (read: (ref: string) => Promise<unknown>) => async (ref: string) =>
      JSON.stringify(await read(ref).catch(String)).replaceAll(ref, 'HASH');
    for (const read of [
      asked((ref) => bob.evidence({ ref })),
      asked((ref) => bob.readEvidence(ref)),
      asked((ref) => bob.remember({ body: 'I have it.', evidence: [ref] })),
      asked((ref) => all.scoped({ project: 'zoo', agent: 'ann' }).readEvidence(ref)),
    ]) {
      expect(await read(hash)).toBe(await read(none));
    }
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

/** What names something of a drawer: its runs, their events, conflicts, drafts and evidence. */
async function namesOf(loci: Loci): Promise<readonly string[]> {
  const { runs } = await loci.runs();
  const [run = ''] = runs.map(({ id }) => id);
  const { changes = [] } = await loci.runs({ run });
  const { conflicts } = await loci.conflicts();
  const review = await loci.review();
  const waiting = 'waiting' in review ? review.waiting : [];
  const { results } = await loci.search({ query: 'Proved by', limit: 1 });
  const { evidence } = await loci.evidence({ ref: results[0]?.id ?? '' });
  const names = [
    run,
    changes[0]?.event,
    conflicts[0]?.id,
    waiting[0]?.id,
    results[0]?.id,
    evidence[0]?.sha256,
  ];
  expect(names.filter((one) => one === undefined || one === '')).toEqual([]);
  return names as string[];
}

/** Times run on while it is asked, and the pages in the folder are everybody's. */
function withoutNow(key: string, value: unknown): unknown {
  return ['window', 'at', 'now', 'views'].includes(key) ? 'now' : value;
}
