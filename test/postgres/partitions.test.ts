import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { openPostgres } from '../../src/engines/postgres/open.ts';
import { testClock } from '../../src/testing/clock.ts';
import { idsFor } from '../../src/testing/contract/keyword.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { freshStore, ownDatabase, query, withoutServer } from '../engines/postgres.ts';

vi.setConfig({ testTimeout: 120_000 });

const page = readFileSync(new URL('../../docs/postgres.md', import.meta.url), 'utf8');
const section = page.slice(page.indexOf('## Partitions'), page.indexOf('## Deleting for good'));

/** The tables that the page names, and what it does with one of them. */
function procedure(): { tables: string[]; sql: string } {
  const [before = '', sql = ''] = section.split('```sql\n');
  const names = [...before.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name);
  return { tables: names, sql: sql.slice(0, sql.indexOf('```')) };
}

test('[B4] a store whose tables are split by project works like any other', async (context) => {
  if (withoutServer !== undefined) context.skip(withoutServer);
  const url = await freshStore();
  const schema = new URL(url).searchParams.get('schema') as string;
  const options = { clock: testClock(), ids: testIds(970_000), url };
  const first = await openPostgres(options);
  await put(first, memoryOf({ id: 'FACT-BEFORE', body: 'Zeppelin', project: 'apollo' }));
  await first.close();

  const { tables, sql } = procedure();
  expect(tables).toHaveLength(12);
  for (const table of tables) {
    const own = sql.replaceAll('loci.', `${schema}.`).replaceAll('memories', table);
    await query(await ownDatabase(), own);
  }
  const partitioned = await query(
    await ownDatabase(),
    `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = '${schema}' AND c.relkind = 'p' ORDER BY 1`,
  );
  expect(partitioned.map(({ relname }) => relname)).toEqual(tables.toSorted());

  const engine = await openPostgres(options);
  const projects = Array.from({ length: 12 }, (_, i) => `project-${i}`);
  for (const project of projects) {
    const session = { session_id: 's', project };
    await put(
      engine,
      ...Array.from({ length: 30 }, (_, turn) =>
        memoryOf({ id: `FACT-${project}-${turn}`, body: `Zeppelin ${turn}`, turn, ...session }),
      ),
    );
  }
  await put(engine, memoryOf({ id: 'FACT-project-3-7', body: 'Yacht', project: 'project-3' }));
  const view = { projects: ['project-3'], agents: 'all' as const };
  expect(await idsFor(engine, 'zeppelin', { view, k: 100 })).toHaveLength(29);
  expect((await engine.stats(VIEW_ALL)).total).toBe(1 + 12 * 30);
  const { stateHash } = await engine.verify();
  expect(await engine.reindex()).toMatchObject({ stateHash, problems: [] });
  expect((await engine.purge(['FACT-project-3-7'], 'owner')).purged).toEqual(['FACT-project-3-7']);
  await engine.compact('owner');
  expect((await engine.verify()).problems).toEqual([]);
  await engine.close();
});
