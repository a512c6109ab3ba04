import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll } from 'vitest';
import { openPostgres, setUpPostgres } from '../../src/engines/postgres/open.ts';
import { testClock } from '../../src/testing/clock.ts';
import type { EngineHarness } from '../../src/testing/engine-harness.ts';
import { testIds } from '../../src/testing/ids.ts';
import { inMemory } from './harnesses.ts';

/** URL of the superuser of the server that was started for the tests. */
const server = process.env.TEST_POSTGRES;

/** Why tests of a real server cannot run here; undefined where they can. */
export const withoutServer =
  server === undefined ? 'no PostgreSQL here: npm run postgres -- npm test' : undefined;

const files = `loci_${randomBytes(6).toString('hex')}`;
let database: Promise<string> | undefined;
let stores = 0;

afterAll(async () => {
  if (database) await query(server as string, `DROP DATABASE IF EXISTS ${files} WITH (FORCE)`);
});

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

/** URL of a database of this test file's own. */
export function ownDatabase(): Promise<string> {
  database ??= query(server as string, `CREATE DATABASE ${files}`).then(() => {
    const url = new URL(server as string);
    url.pathname = `/${files}`;
    return url.href;
  });
  return database;
}

/** URL of a schema that nothing lies in yet. */
export async function freshUrl(): Promise<string> {
  stores += 1;
  return `${await ownDatabase()}?schema=store_${stores}`;
}

/** URL of a new, empty store that was set up. */
export async function freshStore(): Promise<string> {
  const url = await freshUrl();
  await setUpPostgres({ url, clock: testClock(), ids: testIds(500_000 + stores) });
  return url;
}

const urls = new WeakMap<object, string>();

export const postgres: EngineHarness = {
  ...inMemory,
  async open(options) {
    const url = await freshStore();
    const engine = await openPostgres({ ...options, url });
    urls.set(engine, url);
    return engine;
  },
  async reopen(engine, options) {
    const url = urls.get(engine) as string;
    await engine.close();
    const opened = await openPostgres({ ...options, url });
    urls.set(opened, url);
    return opened;
  },
};
