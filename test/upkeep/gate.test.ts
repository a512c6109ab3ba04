import { beforeEach, describe, expect, test } from 'vitest';
import { open } from '../../src/index.ts';
import type { Loci } from '../../src/loci.ts';

// What upkeep writes goes through the same gate as everything else, and takes no more than it says.

let loci: Loci;
beforeEach(async () => {
  loci = await open('memory:', { project: 'boat', env: {}, embedder: 'none' });
});

const A = { id: 'FACT-2026-01-01-PORT-AAAA', body: 'The queue listens on port 5001.' };
const B = { id: 'FACT-2026-01-01-PORT-BBBB', body: 'The queue listens on port 5002.' };
const C = { id: 'FACT-2026-01-01-PORT-CCCC', body: 'The queue listens on port 5003.' };
const NOTE = 'CONF-2026-01-01-NOTE-AAAA';
const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

async function bodyOf(id: string): Promise<string | undefined> {
  return (await loci.get({ ids: [id] })).memories[0]?.body;
}

async function statusOf(...ids: string[]): Promise<Record<string, string>> {
  const { memories } = await loci.get({ ids });
  return Object.fromEntries(memories.map(({ id, status }) => [id, status]));
}

describe('the gate', () => {
  test('takes secrets out of what settles a conflict, and out of reasons', async () => {
    await loci.remember([A, { ...B, relations: [{ type: 'contradicts', target: A.id }] }]);
    const body = 'The queue password is hunter2x9, and its port is 5003.';
    await loci.resolve({ id: `${A.id}+${B.id}`, body, reason: `as ${TOKEN} said` });
    await loci.remember({ id: 'FACT-2026-01-01-DRAFT-DDDD', body: 'A draft.', source: 'tool' });
    await loci.review({ action: 'refuse', ids: ['FACT-2026-01-01-DRAFT-DDDD'], reason: TOKEN });
    const told: string[] = [];
    await loci.export({}, { write: async (text) => void told.push(text) });
    expect(told.join('')).not.toMatch(/hunter2x9|ghp_/);
    expect(told.join('')).toContain('[redacted:');
  });

  test.each([
    ['', 'invalid_input'],
    ['   ', 'invalid_input'],
    ['ok', 'invalid_input'],
    ['The queue has no port at all.', 'conflict'],
  ])('refuses %j as the text that holds', async (body, code) => {
    const rejected = { id: 'FACT-2026-01-01-NONE-EEEE', body: 'The queue has no port at all.' };
    await loci.remember([
      A,
      { ...B, relations: [{ type: 'contradicts', target: A.id }] },
      rejected,
    ]);
    await loci.reject({ id: rejected.id, reason: 'it has' });
    await expect(loci.resolve({ id: `${A.id}+${B.id}`, body })).rejects.toMatchObject({ code });
    expect(await bodyOf(A.id)).toBe(A.body);
    expect(await bodyOf(B.id)).toBe(B.body);
  });
});

const other = { id: 'FACT-2026-01-01-PLAN-FFFF', title: 'Network plan', body: 'All cables.' };
const note = (...targets: string[]) => ({
  id: NOTE,
  type: 'conflict' as const,
  body: 'Two ports are named; see also [[Network plan]].',
  relations: targets.map((target) => ({ type: 'related_to', target })),
});

describe('[E7] a conflict that somebody noted', () => {
  test('is about the memories it was given, not about what its text links to', async () => {
    await loci.remember([A, B, other, note(A.id, B.id)]);
    await loci.relink({ apply: true });
    await loci.resolve({ id: NOTE, keep: A.id });
    expect(await statusOf(A.id, B.id, other.id)).toEqual({
      [A.id]: 'active',
      [B.id]: 'superseded',
      [other.id]: 'active',
    });
  });

  test('of which all hold leaves none that contradicts another', async () => {
    const against = [{ type: 'contradicts', target: C.id }];
    await loci.remember([A, C, { ...B, relations: against }, note(A.id, B.id, C.id)]);
    await loci.resolve({ id: NOTE, both: true });
    expect((await loci.conflicts()).total).toBe(0);
  });

  test('that is related to nothing says how it is closed', async () => {
    await loci.remember(note());
    await expect(loci.resolve({ id: NOTE, body: 'It is settled now.' })).rejects.toMatchObject({
      code: 'conflict',
      hint: `Close it with: loci resolve ${NOTE} --both`,
    });
  });
});

test('[A7] what is history replaces nothing: one of a chain stays current', async () => {
  await loci.remember([A, { ...B, supersedes: A.id }, { ...C, supersedes: B.id }]);
  const back = loci.relate({ source: A.id, type: 'supersedes', target: C.id });
  await expect(back).rejects.toMatchObject({ code: 'conflict' });
  expect((await statusOf(C.id))[C.id]).toBe('active');
});

test('[A11] purge leaves nothing of a memory in what was proposed', async () => {
  const twin = { body: 'Our port of the queue is 5001 now, they say.', tags: ['zebratag'] };
  await loci.remember([
    { ...A, body: 'The port of our queue is 5001 now, they say.' },
    { ...B, ...twin, title: 'ZEBRATITLE of the second' },
  ]);
  await loci.reflect();
  expect(await loci.review()).toMatchObject({ total: 1 });
  await loci.purge({ ids: [B.id], yes: true });
  const told: string[] = [];
  await loci.export({}, { write: async (text) => void told.push(text) });
  expect(told.join('').toLowerCase()).not.toContain('zebra');
});

test('[E8] the pages count no tag of a memory that they may not tell', async () => {
  await loci.remember([
    { body: 'We buy the mill.', type: 'decision', classification: 'PRIVATE', tags: ['take-over'] },
    { body: 'We paint the hull.', type: 'decision', tags: ['hull'] },
  ]);
  const { text } = await loci.view({ name: 'index' });
  expect(text).toContain('hull');
  expect(text).not.toContain('take-over');
});

test.each(['list', 'text'])(
  '[G1] evidence of another project, given as a %s, is not there',
  async (form) => {
    const [kept] = (
      await loci.remember([{ body: 'Salaries are kept.', evidence: [Buffer.from('SALARIES')] }])
    ).results;
    const { evidence } = await loci.evidence({ ref: kept?.id ?? '' });
    const sha = evidence[0]?.sha256 ?? '';
    const pier = loci.scoped({ project: 'pier' });
    const given = (form === 'list' ? [sha] : sha) as unknown as string[];
    const { results } = await pier.remember([{ body: 'The pier is long.', evidence: given }]);
    expect(results[0]).toMatchObject({ outcome: 'refused' });
    await expect(pier.readEvidence(sha)).rejects.toMatchObject({ code: 'not_found' });
  },
);
