import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, test } from 'vitest';
import type { Driver } from '../../src/engines/postgres/driver.ts';
import { openOn, openPostgres, setUpPostgres } from '../../src/engines/postgres/open.ts';
import { openPglite } from '../../src/engines/postgres/pglite-driver.ts';
import { setUp } from '../../src/engines/postgres/set-up.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testClock } from '../../src/testing/clock.ts';
import type { EngineHarness, EngineOptions } from '../../src/testing/engine-harness.ts';
import { testIds } from '../../src/testing/ids.ts';
import { freshPath, inMemory } from './harnesses.ts';

/** URL of the superuser of the server that was started for the tests. */
const server = process.env.TEST_POSTGRES;

/** Why tests of a real server cannot run here; undefined where they can. */
export const withoutServer =
  server === undefined ? 'no PostgreSQL here: npm run postgres -- npm test' : undefined;

/** Shows what is not tested here, and why. */
export function saySkipped(title: string, reason = withoutServer): void {
  if (reason === undefined) return;
  test(`not here: ${title}`, (context) => context.skip(reason));
}

const name = `loci_${randomBytes(6).toString('hex')}`;
let database: Promise<string> | undefined;
let stores = 0;

afterAll(async () => {
  if (!database) return;
  await query(
    await database,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await query(server as string, `DROP DATABASE IF EXISTS ${name}`);
}, 120_000);

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

/** Tables of a store in which words stand, in any case, as text or as bytes. */
export async function rowsWith(url: string, words: readonly string[]): Promise<string[]> {
  const schema = new URL(url).searchParams.get('schema') ?? 'public';
  const tables = await query(
    url,
    `SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' ORDER BY tablename`,
  );
  const found: string[] = [];
  for (const { tablename } of tables) {
    const rows = await query(
      url,
      `SELECT DISTINCT word FROM "${schema}"."${String(tablename)}" row,
         unnest(ARRAY['${words.join("','")}']) word
       WHERE strpos(lower(row::text), word) > 0
          OR strpos(row::text, encode(convert_to(word, 'UTF8'), 'hex')) > 0`,
    );
    found.push(...rows.map(({ word }) => `${String(tablename)}: ${String(word)}`));
  }
  return found;
}

/** URL of a database of this test file's own. */
export function ownDatabase(): Promise<string> {
  database ??= query(server as string, `CREATE DATABASE ${name}`).then(() => {
    const url = new URL(server as string);
    url.pathname = `/${name}`;
    return url.href;
  });
  return database;
}

async function queryOwn(sql: string): Promise<unknown> {
  return query(await ownDatabase(), sql);
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

/** Schemas that no test uses any more. Emptying one is much quicker than making another. */
class Schemas {
  readonly #left: string[] = [];
  readonly #inUse = new WeakMap<Engine, string>();

  async take(
    { clock, ids }: EngineOptions,
    run: (sql: string) => Promise<unknown>,
    make: () => Promise<string>,
  ): Promise<string> {
    const schema = this.#left.pop();
    if (schema === undefined) return make();
    const [id, replica, epoch] = [1, 2, 3].map(() => `'${ids.ulid(clock.nowMs())}'`);
    await run(
      `SET search_path = ${schema.replace(/^.*schema=/, '')};
       TRUNCATE tips, projects, records, events, evidence, memories, likeness, relations, citations, notes,
         spaces, segments, postings, deltas, doc_states, vectors, vector_writes, vector_models RESTART IDENTITY;
       UPDATE store SET id = ${id}, replica = ${replica}, epoch = ${epoch}, isolated = false,
         generation = 0, revision = 0, position = 0, hlc = 0, sequence = 0, spaces = 0;
       SET search_path = DEFAULT`,
    );
    return schema;
  }

  /** Takes it back when the engine is closed, unless `keep` was asked for its schema before. */
  watch(engine: Engine, schema: string): Engine {
    const close = engine.close.bind(engine);
    this.#inUse.set(engine, schema);
    engine.close = async () => {
      await close();
      if (this.#inUse.delete(engine)) this.#left.push(schema);
    };
    return engine;
  }

  keep(engine: Engine): string {
    const schema = this.#inUse.get(engine) as string;
    this.#inUse.delete(engine);
    return schema;
  }
}

const onServer = new Schemas();

async function openAt(url: string, options: EngineOptions): Promise<Engine> {
  return onServer.watch(await openPostgres({ ...options, url }), url);
}

export const postgres: EngineHarness = {
  ...inMemory,
  async open(options) {
    return openAt(await onServer.take(options, queryOwn, freshStore), options);
  },
  async reopen(engine, options) {
    const url = onServer.keep(engine);
    await engine.close();
    return openAt(url, options);
  },
};

const inProcess = new Schemas();
let shared: Promise<Driver> | undefined;

/** Making a PGlite takes seconds: the stores of a test file are schemas of one. */
async function sharedPglite(): Promise<Driver> {
  shared ??= openPglite(freshPath('pglite'), () => undefined);
  const driver = await shared;
  return { ...driver, transaction: driver.transaction.bind(driver), close: async () => undefined };
}

afterAll(async () => (await shared)?.close());

async function openIn(schema: string, options: EngineOptions): Promise<Engine> {
  const parts = { ...options, kind: 'pglite', location: `pglite:${schema}`, schema };
  return inProcess.watch(await openOn(await sharedPglite(), parts), schema);
}

export const pglite: EngineHarness = {
  ...inMemory,
  async open(options) {
    const driver = await sharedPglite();
    const run = (sql: string) =>
      driver.transaction({ begin: 'BEGIN' }, (session) => session.script(sql));
    const make = async (): Promise<string> => {
      stores += 1;
      const parts = { driver, location: 'pglite', schema: `store_${stores}`, deadlineMs: 60_000 };
      await setUp({ ...parts, clock: testClock(), ids: testIds(600_000 + stores) });
      return parts.schema;
    };
    return openIn(await inProcess.take(options, run, make), options);
  },
  async reopen(engine, options) {
    const schema = inProcess.keep(engine);
    await engine.close();
    return openIn(schema, options);
  },
};
