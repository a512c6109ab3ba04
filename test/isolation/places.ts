import type { MemoryInput } from '../../src/domain/inputs.ts';
import type { Loci } from '../../src/loci.ts';
import { store } from '../exchange/support.ts';

/** Names that are patterns, paths or ids elsewhere, and that differ by little. */
export const PROJECTS = [
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
export const AGENTS = ['ann', 'Ann', 'an_', 'bob', 'a-n-n'];
export const WORDS = ['anchor', 'beacon', 'compass', 'dinghy'];

/** What stands in every memory of a place, and in no other: whatever shows it has leaked. */
function markOf(project: number, agent: number): string {
  return `mark${'abcdefghijklmnopqrst'[project]}${'vwxyz'[agent] ?? 'u'}q`;
}

/** The marks that may show to an agent of a project. */
export function marksSeen(p: number, a: number): ReadonlySet<string> {
  return new Set([markOf(p, a), markOf(p, AGENTS.length)]);
}

export function marksIn(answer: unknown): readonly string[] {
  return (
    JSON.stringify(answer)
      .toLowerCase()
      .match(/mark[a-t][u-z]q/g) ?? []
  );
}

/** The id of the first memory of a place. */
export function idOf(project: number, agent: number, i = 0): string {
  return `FACT-${markOf(project, agent).toUpperCase()}-${i}`;
}

export interface Filled {
  readonly all: Loci;
  /** Ids of the memories of each place. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
}

/** Two memories in every drawer of every project, and one that everybody sees. */
export async function filled(name: string | Promise<string>): Promise<Filled> {
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
          id: idOf(p, a, i),
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
  const own = idOf(0, AGENTS.length);
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

/**
 * What upkeep and sessions leave behind in some of the drawers: episodes, runs, conflicts, drafts,
 * evidence, citations and links.
 * @param places project and agent, by number
 * @param round told in the texts, so that it can be done again
 */
export async function lived(
  all: Loci,
  places: readonly (readonly [p: number, a: number])[],
  round = 0,
): Promise<void> {
  for (const [p, a] of places) {
    const agent = AGENTS[a];
    const loci = all.scoped({
      project: PROJECTS[p] as string,
      ...(agent === undefined ? {} : { agent }),
    });
    const mark = markOf(p, a);
    const session = `${mark}-session-${round}`;
    await loci.remember([
      { body: `The API server of ${mark} ${round} listens on port 8080.` },
      { body: `The API server of ${mark} ${round} listens on port 9090.` },
      { body: `Maybe ${mark} ${round} sails at noon.`, status: 'draft', confidence: 0.4 },
      { body: `Perhaps ${mark} ${round} sails at dawn.`, status: 'draft', confidence: 0.95 },
      { body: `Over long ago: ${mark} ${round}.`, validTo: '2026-01-02' },
      { body: `See [[${idOf(p, a)}]] and ${mark} ${WORDS[0]}, round ${round}.`, type: 'belief' },
      { body: `Proved by ${mark} ${round}.`, evidence: [Buffer.from(`blob ${mark} ${round}`)] },
    ]);
    await loci.episode({ sessionId: session, summary: `${mark} learnt to sail, ${round}.` });
    await loci.entity({ name: `rope of ${mark} ${round}`, kind: 'tool' });
    await loci.reflect();
    await loci.relink({ apply: true });
    await loci.citations();
  }
}
