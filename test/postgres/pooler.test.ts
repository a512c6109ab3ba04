import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { View } from '../../src/domain/view.ts';
import { openPostgres, setUpPostgres } from '../../src/engines/postgres/open.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testClock } from '../../src/testing/clock.ts';
import { idsFor } from '../../src/testing/contract/keyword.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { freshPath } from '../engines/harnesses.ts';
import { freshStore, ownDatabase, saySkipped, withoutServer } from '../engines/postgres.ts';

vi.setConfig({ testTimeout: 240_000 });

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(
  (path) => spawnSync(path, ['--version']).status === 0,
);
const reason = withoutServer ?? (program ? undefined : 'pgbouncer is not installed');
const running: ChildProcess[] = [];
let seed = 980_000;

afterAll(() => running.forEach((one) => one.kill('SIGKILL')));

/** A real pooler in transaction mode, with two connections to the server. */
async function pooler(): Promise<string> {
  const target = new URL(await ownDatabase());
  const folder = freshPath('pgbouncer');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  const port = await freePort();
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"postgres" "${target.password}"\n`, { mode: 0o644 });
  const settings = join(folder, 'pgbouncer.ini');
  const database = target.pathname.slice(1);
  writeFileSync(
    settings,
    `[databases]
${database} = host=127.0.0.1 port=${target.port} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = md5
auth_file = ${users}
pool_mode = transaction
default_pool_size = 2
max_client_conn = 200
`,
  );
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? ['-u', 'postgres'] : [];
  running.push(spawn(program as string, [...user, settings], { stdio: 'ignore' }));
  await listening(port);
  target.port = String(port);
  return target.href;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const there = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false)).on('connect', () => socket.end());
    });
    if (there) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the pooler did not start');
}

describe.skipIf(reason !== undefined)('case N4: behind a pooler in transaction mode', () => {
  test('[B9] two tenants, interleaved a thousand times, see nothing of each other', async () => {
    const through = new URL(await pooler());
    const urls = [await freshStore(), await freshStore()].map((url) => {
      through.search = new URL(url).search;
      return through.href;
    });
    const tenants: { name: string; engine: Engine; view: View }[] = [];
    for (const [i, url] of urls.entries()) {
      for (const name of [`a${i}`, `b${i}`]) {
        seed += 1;
        const engine = await openPostgres({ clock: testClock(), ids: testIds(seed), url });
        tenants.push({ name, engine, view: { projects: [name], agents: 'all' } });
      }
    }
    const errors: unknown[] = [];
    const foreign: string[] = [];
    const work = async ({ name, engine, view }: (typeof tenants)[number], n: number) => {
      try {
        const id = `FACT-${name.toUpperCase()}-${n}`;
        await put(engine, memoryOf({ id, body: `word of ${name}`, project: name }));
        const found = await idsFor(engine, 'word', { view, k: 1000 });
        if (!found.includes(id)) errors.push(`${id} was not found`);
        const prefix = `FACT-${name.toUpperCase()}-`;
        foreign.push(...found.filter((one) => !one.startsWith(prefix)));
      } catch (error) {
        errors.push(error);
      }
    };
    const rounds = Array.from({ length: 250 }, (_, n) => n);
    await Promise.all(
      tenants.map(async (tenant) => {
        for (const n of rounds) await work(tenant, n);
      }),
    );
    expect(errors).toEqual([]);
    expect(foreign).toEqual([]);
    for (const { name, engine, view } of tenants) {
      expect({ name, total: (await engine.stats(view)).total }).toEqual({ name, total: 250 });
      expect((await engine.verify()).problems).toEqual([]);
    }
    for (const { engine } of tenants) await engine.close();
  });

  test('[B9] setup notices it, and refuses', async () => {
    const url = `${await pooler()}?schema=pooled`;
    const refused = setUpPostgres({ clock: testClock(), ids: testIds(1), url });
    await expect(refused).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('transaction mode'),
      hint: expect.stringContaining('afterwards this one will do'),
    });
  });
});

saySkipped('behind a pooler', reason);
