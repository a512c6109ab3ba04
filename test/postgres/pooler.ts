import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { freshPath } from '../engines/harnesses.ts';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(
  (path) => spawnSync(path, ['--version']).status === 0,
);

/** Why nothing can go through a pooler here; undefined where it can. */
export const withoutPooler = program === undefined ? 'pgbouncer is not installed' : undefined;

const running: ChildProcess[] = [];

afterAll(() => running.forEach((one) => one.kill('SIGKILL')));

/**
 * A real pooler in transaction mode, with two connections to the server.
 * @param database URL of the database, with the user and password that come through
 * @returns URL of the database by way of the pooler
 */
export async function startPooler(database: string): Promise<string> {
  const target = new URL(database);
  const folder = freshPath('pgbouncer');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  const port = await freePort();
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"${target.username}" "${target.password}"\n`, { mode: 0o644 });
  const settings = join(folder, 'pgbouncer.ini');
  const name = target.pathname.slice(1);
  writeFileSync(
    settings,
    `[databases]
${name} = host=127.0.0.1 port=${target.port} dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = md5
auth_file = ${users}
pool_mode = transaction
default_pool_size = 2
max_client_conn = 200
server_login_retry = 1
`,
  );
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
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
