// Several servers, one store: nothing is lost, nothing breaks for good.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { connect, idsOf, startRaw, tempFolder, type RawServer, type Reply } from './mcp-support.ts';

const ADDS = 50;
const FORGETS = 10;
const RELATES = 10;

async function started(store: string): Promise<RawServer> {
  const server = startRaw({ store });
  await server.initialize();
  return server;
}

async function seeded(server: RawServer, name: string): Promise<string[]> {
  const memories = Array.from({ length: FORGETS + RELATES }, (_, i) => ({
    body: `Seed ${i} of ${name}`,
  }));
  return idsOf(await server.call('remember', { memories }));
}

/** Everything at once, without waiting for any answer. */
function pipelined(server: RawServer, name: string, seeds: readonly string[]): Promise<Reply>[] {
  const [doomed, related] = [seeds.slice(0, FORGETS), seeds.slice(FORGETS)];
  return [
    ...Array.from({ length: ADDS }, (_, i) =>
      server.call('remember', { body: `Note ${i} written by ${name}`, type: 'fact' }),
    ),
    ...doomed.map((id) => server.call('forget', { id })),
    ...related.map((source, i) =>
      server.call('relate', {
        source,
        type: 'supports',
        target: related[(i + 1) % related.length],
      }),
    ),
  ];
}

describe('case K1: two servers write to one store at once', () => {
  test('and every write counts, once', async () => {
    const store = join(tempFolder(), 'memory');
    const servers = [await started(store), await started(store)];
    const seeds: string[][] = [];
    for (const [i, server] of servers.entries()) seeds.push(await seeded(server, `server ${i}`));
    const replies = await Promise.all(
      servers.flatMap((server, i) => pipelined(server, `server ${i}`, seeds[i] ?? [])),
    );
    expect(replies.filter(({ isError }) => isError).map(({ text }) => text)).toEqual([]);

    const { call } = await connect({ store });
    const active = (await call('search', { limit: 1 })).json.total;
    expect(active).toBe(2 * (ADDS + RELATES));
    expect((await call('search', { status: 'archived', limit: 1 })).json.total).toBe(2 * FORGETS);
    const related = await call('get', { ids: seeds.flatMap((ids) => ids.slice(FORGETS)) });
    const edges = related.json.memories.map(
      ({ relations }: { relations: { origin: string }[] }) =>
        relations.filter(({ origin }) => origin === 'stated').length,
    );
    expect(edges.every((count: number) => count === 1)).toBe(true);
    expectWellFormed(store, 2 * (ADDS + FORGETS + RELATES));
  }, 60_000);

  test('and one is killed: what was acknowledged stays, and the other goes on', async () => {
    const store = join(tempFolder(), 'memory');
    const servers = [await started(store), await started(store)] as const;
    const seeds = [await seeded(servers[0], 'a'), await seeded(servers[1], 'b')] as const;
    const acknowledged: string[] = [];
    const watch = async (reply: Promise<Reply>): Promise<void> => {
      const done = await reply.catch(() => undefined); // killed before it answered
      if (done && !done.isError && done.json.results) acknowledged.push(...idsOf(done));
    };
    const doomed = pipelined(servers[0], 'a', seeds[0]).map(watch);
    const survivor = pipelined(servers[1], 'b', seeds[1]);
    setTimeout(() => servers[0].process.kill('SIGKILL'), 150);
    const replies = await Promise.all(survivor);
    await Promise.all(doomed);
    expect(replies.filter(({ isError }) => isError).map(({ text }) => text)).toEqual([]);
    acknowledged.push(...replies.filter(({ json }) => json.results).flatMap(idsOf));

    const { call } = await connect({ store });
    for (let i = 0; i < acknowledged.length; i += 10) {
      const { json } = await call('get', { ids: acknowledged.slice(i, i + 10) });
      expect(json.missing).toEqual([]);
    }
    expect((await call('remember', { body: 'After the accident' })).isError).toBe(false);
  }, 60_000);
});

test('two servers that start at once on a store that is not there yet share it', async () => {
  for (let round = 0; round < 5; round++) {
    const store = join(tempFolder(), 'new', 'memory');
    const servers = [startRaw({ store }), startRaw({ store })];
    const replies = await Promise.all(
      servers.map(async (server, i) => {
        await server.initialize();
        return server.call('remember', { body: `Round ${round}, server ${i}` });
      }),
    );
    expect(replies.map(({ text, isError }) => (isError ? text : 'stored'))).toEqual([
      'stored',
      'stored',
    ]);
    for (const server of servers) expect((await server.call('search')).json.total).toBe(2);
    for (const server of servers) server.process.kill('SIGKILL');
  }
}, 60_000);

test('case K3: while another process holds the lock, reads answer and writes wait', async () => {
  const store = join(tempFolder(), 'memory');
  const [server, other] = [await started(store), await started(store)];
  await server.call('remember', { body: 'Written before' });
  await other.call('remember', { body: 'Written by somebody else, and not yet seen' });
  const heldMs = 3_000;
  await holdLock(join(store, '.loci-lock.db'), heldMs);
  const start = performance.now();
  const write = server.call('remember', { body: 'Written while it was held' });
  const read = await server.call('search', { query: 'written' });
  expect(read.json.total).toBeGreaterThanOrEqual(1);
  expect(performance.now() - start).toBeLessThan(1_000);
  const late = await started(store);
  expect((await late.call('search', { query: 'written' })).json.total).toBe(2);
  expect(performance.now() - start).toBeLessThan(heldMs);
  expect(await write).toMatchObject({ isError: false });
  expect(performance.now() - start).toBeGreaterThan(heldMs - 1_000);
  for (const reader of [server, other, late]) {
    expect((await reader.call('search', { query: 'written' })).json.total).toBe(3);
  }
}, 30_000);

test('case K3: a lock that is not given back is an error in time, and claims nothing', async () => {
  const store = join(tempFolder(), 'memory');
  const server = await started(store);
  await server.call('remember', { body: 'Written before' });
  await holdLock(join(store, '.loci-lock.db'), 60_000);
  const write = server.call('remember', { body: 'Never written' });
  const others = [1, 2, 3, 4].map(() => startRaw({ store }));
  const start = performance.now();
  await Promise.all(others.map((other) => other.initialize()));
  await Promise.all(others.map((other) => other.request('tools/list')));
  for (const other of others) expect((await other.call('search')).json.total).toBe(1);
  expect(performance.now() - start).toBeLessThan(5_000);
  const reply = await write;
  expect(reply.isError).toBe(true);
  expect(reply.text).toMatch(/^busy: .+/);
  expect((await server.call('search', { query: 'written' })).json.total).toBe(1);
}, 40_000);

const HOLDER = `
  const [path, ms] = process.argv.slice(1);
  let Database;
  try {
    Database = require('node:sqlite').DatabaseSync;
  } catch {
    Database = require('better-sqlite3');
  }
  const db = new Database(path);
  db.exec('BEGIN IMMEDIATE');
  console.log('held');
  setTimeout(() => db.exec('COMMIT'), Number(ms));
`;

/** Resolves once another process has the lock, which it gives back after a while. */
function holdLock(path: string, ms: number): Promise<void> {
  const holder = spawn(process.execPath, ['-e', HOLDER, path, String(ms)], { stdio: 'pipe' });
  onTestFinished(() => void holder.kill('SIGKILL'));
  return new Promise((resolve, reject) => {
    holder.stdout.once('data', () => resolve());
    holder.once('exit', (code) => reject(new Error(`the holder ended with ${code}`)));
  });
}

/** Every file has its front matter, every line of the log is JSON. */
function expectWellFormed(store: string, memories: number): void {
  const files = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(ENTITIES|ARCHIVE|CONFLICTS|EPISODES).*\.md$/.test(path),
  );
  expect(files.length).toBe(memories);
  for (const file of files) {
    const [, front = ''] = readFileSync(join(store, file), 'utf8').split('---\n');
    expect(parse(front)).toMatchObject({ id: expect.any(String) });
  }
  const log = readFileSync(join(store, 'events.ndjson'), 'utf8');
  expect(log.endsWith('\n')).toBe(true);
  for (const line of log.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('id');
}
