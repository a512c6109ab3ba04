import { expect, test } from 'vitest';
import type { Loci } from '../../src/loci.ts';
import { onEveryEngine } from './clocked.ts';
import { bodies } from './stores.ts';

const VIM = 'My favourite editor is Vim';
const HELIX = 'My current favourite editor is Helix';

async function remembered(loci: Loci, input: Parameters<Loci['remember']>[0]): Promise<string> {
  return (await loci.remember(input)).results[0]?.id ?? '';
}

onEveryEngine((openAt) => {
  test('[C11] case L4: a preference that changed has one current value, and its history', async () => {
    const { loci, clock } = await openAt('2026-01-05T10:00:00Z');
    const vim = await remembered(loci, { body: VIM, type: 'preference' });
    clock.set('2026-02-01T10:00:00Z');
    const helix = await remembered(loci, { body: HELIX, type: 'preference', supersedes: vim });
    clock.set('2026-03-01T10:00:00Z');

    const query = 'favourite editor';
    expect(await bodies(loci, { query })).toEqual([HELIX]);
    const all = await loci.recall({ query, includeSuperseded: true });
    expect(all.results.map(({ body }) => body)).toEqual([HELIX, VIM]);
    expect(all.results.map(({ signals }) => signals)).toEqual([
      [],
      [{ kind: 'superseded_by', id: helix, message: `superseded by ${helix}` }],
    ]);
    expect(await bodies(loci, { query, asOf: '2026-01-20' })).toEqual([VIM]);
    expect(await bodies(loci, { query, asOf: '2026-01-31' })).toEqual([VIM]);
    expect(await bodies(loci, { query, asOf: '2026-02-01T09:59:59.999Z' })).toEqual([VIM]);
    expect(await bodies(loci, { query, asOf: '2026-02-01T10:00Z' })).toEqual([HELIX]);
    // The state of a day is that at its end.
    expect(await bodies(loci, { query, asOf: '2026-02-01' })).toEqual([HELIX]);
    expect(await bodies(loci, { query, asOf: '2026-01-04' })).toEqual([]);
  });

  test('[C11] case L4: an expired wording never outranks the truth unmarked', async () => {
    const { loci, clock } = await openAt('2026-01-05T10:00:00Z');
    await loci.remember({ body: 'server SSH port is 22', validTo: '2026-02-01' });
    await loci.remember({ body: 'sshd now listens on 49222, the SSH port of the server' });
    clock.set('2026-03-01T10:00:00Z');
    const query = 'server SSH port';
    expect(await bodies(loci, { query })).toEqual([
      'sshd now listens on 49222, the SSH port of the server',
    ]);
    const all = await loci.recall({ query, includeSuperseded: true });
    const marks = all.results.map(({ body, signals }) => [body.slice(0, 6), signals[0]?.kind]);
    expect(Object.fromEntries(marks)).toEqual({ server: 'expired', 'sshd n': undefined });
    expect(await bodies(loci, { query, asOf: '2026-01-31' })).toHaveLength(2);
  });

  test('the current belief stands first, however well the old wording fits', async () => {
    const { loci } = await openAt('2026-01-05T10:00:00Z');
    const port = await remembered(loci, { body: 'The server SSH port is 22' });
    const next = await remembered(loci, {
      body: 'Since the audit in spring the daemon listens for administrators on port 2222',
      supersedes: port,
    });
    await loci.remember({
      body: 'For administrators there is, after a long debate, a jump host with port 49222',
      supersedes: next,
    });
    await loci.remember({ body: 'The server SSH port scan runs at night' });
    const query = 'the server SSH port';
    const { results } = await loci.recall({
      query,
      includeSuperseded: true,
      minScore: 0,
      explain: true,
    });
    const order = results.map(({ body }) => body.match(/\d+$|night/)?.[0]);
    const chain = order.filter((word) => word !== 'night');
    expect(chain).toEqual(['49222', '2222', '22']);
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const raised = results.find(({ body }) => body.endsWith('49222'));
    expect(raised?.explain?.factors['successor']).toBeGreaterThan(1);
  });

  test('[C11] as_recorded answers what the store knew, whenever it held', async () => {
    const { loci, clock } = await openAt('2026-03-01T10:00:00Z');
    const old = await remembered(loci, { body: 'Port 22', createdAt: '2025-01-01' });
    clock.set('2026-03-05T10:00:00Z');
    // Learnt in March, true since February.
    await loci.remember({ body: 'Port 49222', createdAt: '2026-02-01', supersedes: old });
    clock.set('2026-03-10T10:00:00Z');

    const asked = (asOf?: string, asRecorded?: string): Promise<string[]> =>
      bodies(loci, { query: 'port', asOf, asRecorded });
    expect(await asked()).toEqual(['Port 49222']);
    expect(await asked('2026-02-10')).toEqual(['Port 49222']);
    expect(await asked('2026-01-10')).toEqual(['Port 22']);
    expect(await asked(undefined, '2026-03-04')).toEqual(['Port 22']);
    expect(await asked('2026-02-10', '2026-03-04')).toEqual(['Port 22']);
    expect(await asked('2026-02-10', '2026-03-05')).toEqual(['Port 49222']);
    expect(await asked('2024-12-31', '2026-03-04')).toEqual([]);
    expect(await asked(undefined, '2026-02-28')).toEqual([]);
    // A time to come: nothing more is known of it.
    expect(await asked(undefined, '2030-01-01')).toEqual(['Port 49222']);

    const listed = await loci.search({ asRecorded: '2026-03-04', status: ['superseded'] });
    expect(listed.total).toBe(0);
    expect((await loci.search({ asRecorded: 'today' })).total).toBe(1);
    const { memories } = await loci.get({ ids: [old], asRecorded: '2026-03-04' });
    expect(memories[0]).toMatchObject({ status: 'active', version: 1 });
  });

  test('[C11] as_recorded is asked at that time: what has expired since had not', async () => {
    const { loci, clock } = await openAt('2026-03-01T10:00:00Z');
    await loci.remember({ body: 'The freeze is on', ttlDays: 3 });
    clock.set('2026-03-10T10:00:00Z');
    expect(await bodies(loci, { query: 'freeze' })).toEqual([]);
    const then = await loci.recall({ query: 'freeze', asRecorded: '2026-03-02' });
    expect(then.results.map(({ signals }) => signals)).toEqual([[]]);
    expect(await bodies(loci, { query: 'freeze', asRecorded: '2026-03-04T10:00Z' })).toEqual([]);
  });

  test('[C11] get gives the version that held', async () => {
    const { loci, clock } = await openAt('2026-03-01T10:00:00Z');
    const id = await remembered(loci, {
      body: 'The pump is red',
      createdAt: '2026-02-20',
      externalId: 'pump',
    });
    clock.set('2026-03-03T10:00:00Z');
    await loci.update({ id, body: 'The pump is blue' });
    clock.set('2026-03-05T10:00:00Z');
    await loci.archive({ id, reason: 'sold' });
    clock.set('2026-03-10T10:00:00Z');

    const at = async (asOf: string) => {
      const { memories, missing } = await loci.get({ ids: ['pump'], asOf, history: true });
      const [memory] = memories;
      if (!memory) return missing;
      return [memory.body, memory.status, memory.version, memory.history?.length];
    };
    expect(await at('2026-02-19')).toEqual(['pump']);
    // It counts from then on, though it was written down later.
    expect(await at('2026-02-20')).toEqual(['The pump is red', 'active', 1, 1]);
    expect(await at('2026-03-02')).toEqual(['The pump is red', 'active', 1, 1]);
    expect(await at('2026-03-03')).toEqual(['The pump is blue', 'active', 2, 2]);
    expect(await at('2026-03-05T10:00Z')).toEqual(['The pump is blue', 'archived', 3, 3]);
    expect(await at('now')).toEqual(['The pump is blue', 'archived', 3, 3]);
  });

  test('[C11] get: a successor written down later replaced it when it came about', async () => {
    const { loci } = await openAt('2026-03-10T10:00:00Z');
    const old = await remembered(loci, { body: 'Port 22', createdAt: '2026-01-01' });
    await loci.remember({ body: 'Port 49222', createdAt: '2026-02-01', supersedes: old });
    const statusAt = async (asOf: string) =>
      (await loci.get({ ids: [old], asOf })).memories.map(({ status }) => status);
    expect(await statusAt('2025-12-31')).toEqual([]);
    expect(await statusAt('2026-01-31')).toEqual(['active']);
    expect(await statusAt('2026-02-01')).toEqual(['superseded']);
  });

  test('[C11] what was archived later is found as of before, what was rejected is not', async () => {
    const { loci, clock } = await openAt('2026-03-01T10:00:00Z');
    const stale = await remembered(loci, { body: 'The mast is of wood' });
    const wrong = await remembered(loci, { body: 'The mast is of stone' });
    clock.set('2026-03-05T10:00:00Z');
    await loci.archive({ id: stale });
    await loci.reject({ id: wrong, reason: 'nonsense' });
    clock.set('2026-03-10T10:00:00Z');
    expect(await bodies(loci, { query: 'mast' })).toEqual([]);
    expect(await bodies(loci, { query: 'mast', asOf: '2026-03-04' })).toEqual([
      'The mast is of wood',
    ]);
    expect(await bodies(loci, { query: 'mast', asOf: '2026-03-05' })).toEqual([]);
    expect(await bodies(loci, { query: 'mast', asRecorded: '2026-03-04' })).toHaveLength(2);
  });

  test('[C11] the past can only be read', async () => {
    const { loci, clock } = await openAt('2026-03-01T10:00:00Z');
    await loci.remember({ body: 'The anchor is heavy' });
    clock.set('2026-03-02T10:00:00Z');
    const before = (await loci.verify()).state_hash;
    await loci.recall({ query: 'anchor', asRecorded: '2026-03-01', maxTokens: 500 });
    expect((await loci.verify()).state_hash).toBe(before);
    expect((await loci.status()).log.events).toBe(1);
  });
});
