import { afterEach, expect, test } from 'vitest';
import type { Loci } from '../../src/loci.ts';
import { onEveryEngine } from './clocked.ts';

const NOW = '2026-03-10T01:30:00Z';
const MACHINES = ['UTC', 'Pacific/Midway', 'Asia/Kolkata', 'Pacific/Kiritimati'];

/** By the time at which each was created. */
const CREATED = {
  'the evening before': '2026-03-08T23:59:59Z',
  midnight: '2026-03-09T00:00Z',
  'in India, by day': '2026-03-09T04:00:00+05:30',
  'without a zone': '2026-03-09T12:00:00',
  'the last moment': '2026-03-09T23:59:59.999Z',
  today: '2026-03-10T00:00:01Z',
} as const;

const machineZone = process.env.TZ;
afterEach(() => {
  if (machineZone === undefined) delete process.env.TZ;
  else process.env.TZ = machineZone;
});

async function listed(loci: Loci, options: Parameters<Loci['search']>[0]): Promise<string[]> {
  const { results } = await loci.search({ sort: 'created_at', limit: 100, ...options });
  return results.map(({ body }) => body).toReversed();
}

const DAY = ['midnight', 'without a zone', 'the last moment'];
const BEFORE = ['in India, by day', 'the evening before'];

onEveryEngine((openAt) => {
  test.each(MACHINES)('[C11] case L5: yesterday, on a machine in %s', async (machine) => {
    process.env.TZ = machine;
    expect(new Date(NOW).getDate()).toBe(machine === 'Pacific/Midway' ? 9 : 10);
    const { loci } = await openAt(NOW);
    await loci.remember(Object.entries(CREATED).map(([body, createdAt]) => ({ body, createdAt })));

    const window = {
      since: '2026-03-09T00:00:00.000Z',
      until: '2026-03-10T00:00:00.000Z',
      zone: 'UTC',
    };
    const yesterday = { since: 'yesterday', until: 'today' };
    expect(await listed(loci, yesterday)).toEqual(DAY);
    expect((await loci.search(yesterday)).window).toEqual(window);
    const recalled = await loci.recall({ ...yesterday, limit: 50 });
    expect(recalled.results.map(({ body }) => body).toReversed()).toEqual(DAY);
    expect(recalled.window).toEqual(window);
    expect(await listed(loci, { since: '2026-03-09', until: '2026-03-10' })).toEqual(DAY);
    expect(await listed(loci, { since: '2026-03-09' })).toEqual([...DAY, 'today']);
    expect(await listed(loci, { until: 'yesterday' })).toEqual(BEFORE);
    expect(await listed(loci, { asOf: 'yesterday' })).toEqual([...BEFORE, ...DAY]);
    expect((await loci.search({ asOf: 'yesterday' })).window).toEqual({
      as_of: '2026-03-09T23:59:59.999Z',
      zone: 'UTC',
    });
    expect(await listed(loci, { asOf: 'now' })).toHaveLength(6);

    // Another set only when a zone is given.
    const zone = 'Asia/Kolkata';
    expect(await listed(loci, { ...yesterday, zone })).toEqual([
      'in India, by day',
      'the evening before',
      'midnight',
      'without a zone',
    ]);
    expect((await loci.search({ ...yesterday, zone })).window).toEqual({
      since: '2026-03-08T18:30:00.000Z',
      until: '2026-03-09T18:30:00.000Z',
      zone,
    });
    expect(await listed(loci, { ...yesterday, zone: 'Pacific/Midway' })).toEqual([
      'in India, by day',
      'the evening before',
      'midnight',
    ]);
  });

  test('[C11] without a time asked for there is no window in the answer', async () => {
    const { loci } = await openAt(NOW);
    await loci.remember({ body: 'the keel' });
    expect(await loci.recall({ query: 'keel', zone: 'Asia/Kolkata' })).not.toHaveProperty('window');
    expect(await loci.search({})).not.toHaveProperty('window');
    expect(await loci.get({ ids: ['FACT-X'] })).not.toHaveProperty('window');
  });

  test('[C11] words of time inside a question are words', async () => {
    const { loci } = await openAt(NOW);
    await loci.remember({ body: 'Last week we decided on oak', createdAt: '2020-01-01' });
    const { results, window } = await loci.recall({ query: 'what did we decide last week' });
    expect(results).toHaveLength(1);
    expect(window).toBeUndefined();
  });

  test("[C11] what is written is read in the caller's zone, and kept in UTC", async () => {
    const { loci } = await openAt(NOW);
    const inDelhi = loci.scoped({ zone: 'Asia/Kolkata' });
    const { results } = await inDelhi.remember({
      body: 'The fair',
      createdAt: '2026-03-09T04:00',
      validFrom: 'yesterday',
      validTo: 'tomorrow',
    });
    const id = results[0]?.id ?? '';
    expect((await loci.get({ ids: [id] })).memories[0]).toMatchObject({
      created_at: '2026-03-08T22:30:00.000Z',
      valid_from: '2026-03-08T18:30:00.000Z',
      valid_to: '2026-03-10T18:30:00.000Z',
    });
    await inDelhi.update({ id, validTo: '2026-03-12' });
    expect((await loci.get({ ids: [id] })).memories[0]?.valid_to).toBe('2026-03-11T18:30:00.000Z');
  });

  test.each([
    [{ since: '2026-03-09', until: '2026-03-09' }, /^until is ".*", not after since ".*"$/],
    [{ since: 'today', until: 'yesterday' }, /^until is/],
    [{ since: 'yesteday' }, /^search: since is "yesteday": Did you mean "yesterday"\?/],
    [{ asRecorded: '2026-02-30' }, /^search: as_recorded is "2026-02-30": Give ISO 8601/],
    [{ since: 'today', zone: 'Asia/Kolkatta' }, /^search: zone is "Asia\/Kolkatta": Did you mean/],
  ])('%j is refused', async (options, message) => {
    const { loci } = await openAt(NOW);
    await expect(loci.search(options)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
    });
  });
});
