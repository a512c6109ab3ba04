import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { open, setUp } from '../../src/open.ts';
import { MIGRATIONS } from '../../src/engines/postgres/migrations.ts';
import { openPostgres, setUpPostgres } from '../../src/engines/postgres/open.ts';
import { setUp as setUpOn } from '../../src/engines/postgres/set-up.ts';
import { openPg } from '../../src/engines/postgres/pg-driver.ts';
import { parsePostgresUrl } from '../../src/domain/postgres-url.ts';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { testClock } from '../../src/testing/clock.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import {
  freshStore,
  freshUrl,
  ownDatabase,
  query,
  saySkipped,
  withoutServer,
} from '../engines/postgres.ts';

const options = { clock: testClock(), ids: testIds(700_000) };
const EVERY = MIGRATIONS.map(({ version }) => version);
const NEWEST = EVERY.length;
const PASSWORD = 's3cret-%C3%BC';

function schemaOf(url: string): string {
  return new URL(url).searchParams.get('schema') ?? 'loci';
}

function withUser(url: string, user: string, password: string): string {
  const changed = new URL(url);
  changed.username = user;
  changed.password = password;
  return changed.href;
}

async function refusal(work: Promise<unknown>): Promise<Record<string, unknown>> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  const shown = JSON.stringify(error) + String((error as Error).message);
  expect(shown).not.toContain('s3cret');
  return JSON.parse(JSON.stringify(error)) as Record<string, unknown>;
}

describe('a database that cannot be reached', () => {
  const env = {};

  test('nothing listens there', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const url = `postgres://ann:${PASSWORD}@127.0.0.1:${port}/memory`;
    expect(await refusal(open(url, { env }))).toMatchObject({
      code: 'unavailable',
      message: `postgres://ann@127.0.0.1:${port}/memory: nothing answers at this address`,
      hint: expect.stringContaining('docker compose up'),
    });
    expect(await refusal(setUp(url, { env }))).toMatchObject({ code: 'unavailable' });
  });

  test('[B9] setup refuses the port of a transaction pooler before it asks anything', async () => {
    const url = `postgres://ann:${PASSWORD}@127.0.0.1:6543/memory`;
    expect(await refusal(setUp(url, { env }))).toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('transaction mode'),
      hint: expect.stringContaining('5432'),
    });
  });

  test('a URL that cannot be read is not repeated', async () => {
    const url = `postgres://ann:${PASSWORD}@[bad/memory`;
    expect(await refusal(open(url, { env }))).toMatchObject({ code: 'invalid_input' });
    const schema = `postgres://ann:${PASSWORD}@127.0.0.1/memory?schema=A;B`;
    expect(await refusal(open(schema, { env }))).toMatchObject({ code: 'invalid_input' });
  });

  test('a store that is no database needs no setup', async () => {
    expect(await refusal(setUp('memory:', { env }))).toMatchObject({
      code: 'invalid_input',
      message: 'memory: needs no setup',
    });
  });
});

describe.skipIf(withoutServer !== undefined)('[B9] setting up (case I4)', () => {
  test('makes the tables once, and says what it did', async () => {
    const url = await freshUrl();
    expect(await setUpPostgres({ ...options, url })).toEqual({
      from: 0,
      to: NEWEST,
      applied: EVERY,
    });
    const again = { from: NEWEST, to: NEWEST, applied: [] };
    expect(await setUpPostgres({ ...options, url })).toEqual(again);
    const engine = await openPostgres({ ...options, url });
    await put(engine, memoryOf({ id: 'FACT-A' }));
    expect(await setUpPostgres({ ...options, url })).toEqual(again);
    expect(await engine.get(['FACT-A'], VIEW_ALL)).toHaveLength(1);
    await engine.close();
  });

  test('four at once end up with one set of tables', async () => {
    const url = await freshUrl();
    const reports = await Promise.all([1, 2, 3, 4].map(() => setUpPostgres({ ...options, url })));
    expect(reports.flatMap(({ applied }) => applied).sort()).toEqual(EVERY);
    const [row] = await query(
      url.replace(/\?.*/, ''),
      `SELECT count(*) FROM ${schemaOf(url)}.store`,
    );
    expect(row).toEqual({ count: '1' });
  });

  test('opening makes nothing, and says what to run', async () => {
    const url = await freshUrl();
    expect(await refusal(openPostgres({ ...options, url }))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('not set up'),
      hint: expect.stringContaining('loci setup'),
    });
    const rows = await query(
      await ownDatabase(),
      `SELECT 1 FROM pg_namespace WHERE nspname = '${schemaOf(url)}'`,
    );
    expect(rows).toEqual([]);
  });

  test('a newer schema is refused by both, and left as it is', async () => {
    const url = await freshStore();
    await query(await ownDatabase(), `INSERT INTO ${schemaOf(url)}.migrations VALUES (999)`);
    // One after the other: a refusal that nobody waits for yet ends the process.
    for (const begin of [openPostgres, setUpPostgres]) {
      expect(await refusal(begin({ ...options, url }))).toMatchObject({
        code: 'unsupported',
        message: expect.stringContaining('999'),
        hint: expect.stringContaining('Update Loci'),
      });
    }
    const rows = await query(
      await ownDatabase(),
      `SELECT version FROM ${schemaOf(url)}.migrations ORDER BY 1`,
    );
    expect(rows).toEqual([...EVERY, 999].map((version) => ({ version })));
  });

  test('an older schema is not migrated by opening it', async () => {
    const url = await freshStore();
    await query(await ownDatabase(), `DELETE FROM ${schemaOf(url)}.migrations`);
    expect(await refusal(openPostgres({ ...options, url }))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`schema version 0, and this program needs ${NEWEST}`),
      hint: expect.stringContaining('loci setup'),
    });
  });

  test.each(EVERY.slice(0, -1))(
    'a database of version %i is brought to this program’s, with all that it holds',
    async (version) => {
      const url = await freshUrl();
      const { connect, schema } = parsePostgresUrl(url);
      const driver = await openPg({ url: connect, connectMs: 5000 });
      const parts = { ...options, driver, schema, location: 'here', deadlineMs: 5000 };
      const older = MIGRATIONS.slice(0, version);
      expect(await setUpOn({ ...parts, migrations: older })).toMatchObject({ to: version });
      await query(await ownDatabase(), `INSERT INTO ${schema}.notes VALUES ('kept', 'as it was')`);
      await driver.close();
      expect(await setUpPostgres({ ...options, url })).toEqual({
        from: version,
        to: NEWEST,
        applied: EVERY.slice(version),
      });
      const engine = await openPostgres({ ...options, url });
      expect(await engine.note('kept')).toBe('as it was');
      await put(engine, memoryOf({ id: 'FACT-A' }));
      expect(await engine.get(['FACT-A'], VIEW_ALL)).toHaveLength(1);
      await engine.close();
    },
  );

  test('a migration that fails leaves nothing of itself', async () => {
    const url = await freshStore();
    const { connect, schema } = parsePostgresUrl(url);
    const driver = await openPg({ url: connect, connectMs: 5000 });
    const broken = { version: NEWEST + 1, sql: 'CREATE TABLE half (id integer); SELECT 1 / 0;' };
    const parts = { ...options, driver, schema, location: 'here', deadlineMs: 5000 };
    const migrations = [...MIGRATIONS, broken];
    await expect(setUpOn({ ...parts, migrations })).rejects.toThrow('division');
    expect(
      await query(await ownDatabase(), `SELECT to_regclass('${schema}.half') AS half`),
    ).toEqual([{ half: null }]);
    expect(await setUpOn(parts)).toEqual({ from: NEWEST, to: NEWEST, applied: [] });
    await driver.close();
  });
});

describe.skipIf(withoutServer !== undefined)('case N4: rights and schemas', () => {
  let roles = 0;

  async function role(
    rights: (name: string) => string,
  ): Promise<{ name: string; password: string }> {
    roles += 1;
    const name = `${new URL(await ownDatabase()).pathname.slice(1)}_role_${roles}`;
    await query(await ownDatabase(), `CREATE ROLE ${name} LOGIN PASSWORD 'p4ss'; ${rights(name)}`);
    return { name, password: 'p4ss' };
  }

  test('case N4: who owns nothing can use a store', async () => {
    const url = await freshStore();
    const schema = schemaOf(url);
    const user = await role(
      (name) => `
        GRANT USAGE ON SCHEMA ${schema}, ${schema}_docs TO ${name};
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema}, ${schema}_docs TO ${name};
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema}, ${schema}_docs TO ${name}`,
    );
    const engine = await openPostgres({ ...options, url: withUser(url, user.name, user.password) });
    await put(engine, memoryOf({ id: 'FACT-A', body: 'Zeppelin' }));
    const model = {
      provider: 'fake',
      model: 'm',
      dimensions: 3,
      queryPrefix: '',
      documentPrefix: '',
    };
    const [pending] = await engine.pendingVectors('unknown', 10);
    await engine.putVectors(model, [
      { key: pending?.key ?? '', vectors: [new Float32Array([1, 0, 0])] },
    ]);
    expect(await engine.vectorModels()).toEqual([model]);
    await engine.reindex();
    expect((await engine.verify()).problems).toEqual([]);
    await engine.close();
    expect(
      await refusal(
        setUpPostgres({ ...options, url: withUser(await freshUrl(), user.name, 'p4ss') }),
      ),
    ).toMatchObject({ code: 'denied' });
    await query(await ownDatabase(), `DROP OWNED BY ${user.name}; DROP ROLE ${user.name}`);
  });

  test('case N4: who may only look is told which rights are missing', async () => {
    const url = await freshStore();
    const user = await role(() => '');
    const named = withUser(url, user.name, user.password);
    expect(await refusal(openPostgres({ ...options, url: named }))).toMatchObject({
      code: 'denied',
      hint: expect.stringContaining('docs/postgres.md'),
    });
    await query(await ownDatabase(), `DROP OWNED BY ${user.name}; DROP ROLE ${user.name}`);
  });

  test('[B4] a server that is set to read only is read, and says that it takes no writes', async () => {
    const url = await freshStore();
    const before = await openPostgres({ ...options, url });
    await put(before, memoryOf({ id: 'FACT-BEFORE' }));
    await before.close();
    const readOnly = `${url}&options=-c%20default_transaction_read_only%3Don`;
    const engine = await openPostgres({ ...options, url: readOnly });
    expect(await engine.get(['FACT-BEFORE'], VIEW_ALL)).toHaveLength(1);
    expect(await refusal(put(engine, memoryOf({ id: 'FACT-AFTER' })))).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/takes no writes: it is a standby, or set to read only$/),
      hint: 'Name the primary server in the URL.',
    });
    expect(await engine.events(0, 10)).toHaveLength(1);
    await engine.close();
  });

  test('a wrong password and an unknown database are named as what they are', async () => {
    const url = await freshStore();
    const wrong = withUser(url, 'postgres', 's3cret');
    expect(await refusal(openPostgres({ ...options, url: wrong }))).toMatchObject({
      code: 'denied',
      message: expect.stringContaining('refuses this user and password'),
    });
    const other = new URL(url);
    other.pathname = '/no_such_database';
    expect(await refusal(openPostgres({ ...options, url: other.href }))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('no such database'),
      hint: expect.stringContaining('createdb'),
    });
  });

  test('case N4: the extension may lie in a schema of its own, and is not made by who may not', async () => {
    const base = new URL(await ownDatabase());
    const name = `${base.pathname.slice(1)}_ext`;
    await query(base.href, `CREATE DATABASE ${name}`);
    base.pathname = `/${name}`;
    try {
      const user = await role((one) => `GRANT CREATE ON DATABASE ${name} TO ${one}`);
      const named = withUser(base.href, user.name, user.password);
      // Nobody has made the extension, and this user may not.
      expect(await refusal(setUpPostgres({ ...options, url: named }))).toMatchObject({
        code: 'unavailable',
        hint: expect.stringContaining('CREATE EXTENSION vector;'),
      });
      await query(
        base.href,
        `CREATE SCHEMA extensions; CREATE EXTENSION vector SCHEMA extensions;
         GRANT USAGE ON SCHEMA extensions TO ${user.name}`,
      );
      expect(await setUpPostgres({ ...options, url: named })).toMatchObject({ applied: EVERY });
      const engine = await openPostgres({ ...options, url: named });
      await put(engine, memoryOf({ id: 'FACT-A', body: 'Zeppelin' }));
      const [pending] = await engine.pendingVectors('unknown', 10);
      const model = {
        provider: 'fake',
        model: 'm',
        dimensions: 3,
        queryPrefix: '',
        documentPrefix: '',
      };
      await engine.putVectors(model, [
        { key: pending?.key ?? '', vectors: [new Float32Array([1, 0, 0])] },
      ]);
      expect((await engine.verify()).problems).toEqual([]);
      await engine.close();
      await query(base.href, `DROP OWNED BY ${user.name} CASCADE`);
      await query(await ownDatabase(), `DROP OWNED BY ${user.name}; DROP ROLE ${user.name}`);
    } finally {
      await query(await ownDatabase(), `DROP DATABASE ${name} WITH (FORCE)`);
    }
  });
});

saySkipped('setting up a database');
