import { expect, test } from 'vitest';
import { connect, type Reply } from './mcp-support.ts';

const texts = ({ json }: Reply): string[] => json.results.map(({ body }: { body: string }) => body);

test('[C11] case L4: what holds and what held, by tool', async () => {
  const { call } = await connect();
  const stored = await call('remember', {
    body: 'My favourite editor is Vim',
    created_at: '2026-01-05',
  });
  const [{ id }] = stored.json.results;
  const helix = 'My current favourite editor is Helix';
  await call('remember', { body: helix, supersedes: id, created_at: '2026-02-01' });
  const query = 'favourite editor';
  expect(texts(await call('recall', { query }))).toEqual([helix]);
  const both = await call('recall', { query, include_superseded: true });
  expect(texts(both)).toEqual([helix, 'My favourite editor is Vim']);
  const then = await call('recall', { query, as_of: '2026-01-31' });
  expect(texts(then)).toEqual(['My favourite editor is Vim']);
  expect(then.text).toContain('Times: what held at 2026-01-31T23:59:59.999Z; zone UTC.');
  expect(texts(await call('recall', { query, as_recorded: 'yesterday' }))).toEqual([]);
  const missing = await call('get', { ids: [id], as_of: '2025-12-31' });
  expect(missing.isError).toBe(true);
  expect(missing.text).toContain('what held at 2025-12-31T23:59:59.999Z');
});

test('[C11] case L5: the zone is that of the server or of the call, and is said', async () => {
  const { call } = await connect({ env: { TZ: 'Pacific/Kiritimati', LOCI_ZONE: 'Asia/Kolkata' } });
  await call('remember', {
    memories: [
      { body: 'The gate is shut in the evening', created_at: '2026-03-09T18:29:59.999Z' },
      { body: 'The lamp is lit in the morning', created_at: '2026-03-09T18:30:00Z' },
    ],
  });
  const day = { since: '2026-03-09', until: '2026-03-10' };
  const inKolkata = await call('search', day);
  expect(texts(inKolkata)).toEqual(['The gate is shut in the evening']);
  expect(inKolkata.json.window.zone).toBe('Asia/Kolkata');
  const inUtc = await call('search', { ...day, zone: 'UTC' });
  expect(texts(inUtc).toSorted()).toEqual([
    'The gate is shut in the evening',
    'The lamp is lit in the morning',
  ]);
  expect(inUtc.text).toContain(
    'Times: created from 2026-03-09T00:00:00.000Z until before 2026-03-10T00:00:00.000Z; zone UTC.',
  );
});
