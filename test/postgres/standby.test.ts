import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { startPostgres } from '../../scripts/postgres.mjs';
import { open, setUp } from '../../src/open.ts';
import type { Loci } from '../../src/loci.ts';
import { query, withoutServer } from '../engines/postgres.ts';

vi.setConfig({ testTimeout: 120_000 });

const HELM = { id: 'FACT-HELM', body: 'The helm is aft.', tags: ['deck'] };
const FERRY = { id: 'FACT-FERRY', body: 'The ferry sails at noon.' };

async function readings(loci: Loci): Promise<unknown> {
  return [
    await loci.recall({ query: 'when does the ferry sail', explain: true }),
    await loci.search({ query: 'helm' }),
    await loci.get({ ids: ['FACT-HELM'], history: true, relations: true }),
    await loci.context(),
    await loci.verify(),
  ];
}

test('[B4] a standby answers like its primary, takes no writes, and goes on in its place', async (context) => {
  if (withoutServer !== undefined) context.skip(withoutServer);
  const env = {};
  const primary = await startPostgres();
  const stores: Loci[] = [];
  const opened = async (url: string): Promise<Loci> => {
    const loci = await open(url, { project: 'boat', env });
    stores.push(loci);
    return loci;
  };
  let standby: typeof primary | undefined;
  try {
    await setUp(primary.url, { env });
    const writer = await opened(primary.url);
    await writer.remember(HELM);
    standby = await startPostgres({ standbyOf: primary });
    const reader = await opened(standby.url);
    expect((await reader.get({ ids: ['FACT-HELM'] })).missing).toEqual([]);

    await writer.remember(FERRY);
    await writer.reEmbed();
    const [{ at }] = (await query(primary.url, 'SELECT pg_current_wal_lsn() AS at')) as [
      { at: string },
    ];
    const isThere = `SELECT pg_last_wal_replay_lsn() >= '${at}' AS yes`;
    while ((await query(standby.url, isThere))[0]?.['yes'] !== true) await sleep(20);
    expect(await readings(reader)).toEqual(await readings(writer));
    await expect(reader.remember({ body: 'The mast is oak.' })).rejects.toMatchObject({
      code: 'unavailable',
      hint: 'Name the primary server in the URL.',
    });

    const before = await writer.verify();
    await writer.close();
    await primary.halt('immediate');
    await query(standby.url, 'SELECT pg_promote()');
    const { results } = await reader.remember({ body: 'The mast is oak.' });
    expect(results[0]?.outcome).toBe('stored');
    const { log, memories } = await reader.status();
    expect({ log, total: memories.total }).toEqual({ log: { events: 3, position: 3 }, total: 3 });
    await reader.purge({ ids: [results[0]?.id ?? ''], yes: true });
    expect((await reader.verify()).state_hash).toBe(before.state_hash);
  } finally {
    for (const loci of stores) await loci.close();
    await standby?.stop();
    await primary.stop();
  }
});
