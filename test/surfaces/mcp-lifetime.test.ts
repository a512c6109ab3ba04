import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rounds as soakRounds } from '../vault/soak.ts';
import { BIN, eventually, isAlive, startRaw, tempFolder } from './mcp-support.ts';

const ROUNDS = soakRounds(8, 20);
const AT_ONCE = 4;

async function rounds(play: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => play(round + i)));
  }
}

describe('case M3: standard output', () => {
  test('holds JSON-RPC and nothing else, whatever the surroundings are', async () => {
    const home = tempFolder();
    const cwd = tempFolder();
    writeFileSync(join(cwd, '.env'), 'DEBUG=*\nLOCI_NONSENSE=1\nLOCI_PROJECT=from-dot-env\n');
    const env = { HOME: home, USERPROFILE: home, DEBUG: '*', NODE_DEBUG: 'net', LOCI_TYPO: '1' };
    const server = startRaw({ env, cwd });
    await server.initialize();
    await server.request('tools/list');
    expect((await server.call('remember', { body: 'Kept quiet' })).isError).toBe(false);
    expect((await server.call('recall', { query: 'quiet' })).isError).toBe(false);
    expect((await server.call('remember', { body: '' })).isError).toBe(true);
    server.send({ not: 'json-rpc' });
    server.process.stdin.write('this is no JSON\n');
    expect((await server.call('search', {})).isError).toBe(false);
    server.process.stdin.end();
    expect(await server.exited).toBe(0);
    for (const line of server.lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  test.each([
    ['an unknown surface', { LOCI_SURFACE: 'everything' }],
    ['a store that cannot be named', { LOCI_STORE: 'postgres://nowhere/db' }],
    ['empty variables', { LOCI_SURFACE: '', LOCI_PROJECT: '', LOCI_AGENT: '' }],
  ])('and the tool list is served with %s', async (_, env) => {
    const server = startRaw({ env });
    const { result } = await server.initialize();
    expect(result).toMatchObject({ serverInfo: { name: 'loci' } });
    const listed = (await server.request('tools/list')).result as { tools: unknown[] };
    expect(listed.tools.length).toBe(7);
  });
});

describe('a handshake', () => {
  test('does not wait for the store', async () => {
    const folder = tempFolder();
    const server = startRaw({ store: join(folder, 'memory') });
    await server.initialize();
    expect(readdirSync(folder)).toEqual([]);
    await server.request('tools/list');
    await eventually(() => readdirSync(folder).includes('memory'));
  });

  test('is quick', async () => {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const start = performance.now();
      const server = startRaw();
      await server.initialize();
      times.push(performance.now() - start);
      server.process.kill('SIGKILL');
    }
    expect(Math.min(...times)).toBeLessThan(1_000);
  });
});

describe('case M4: the server ends', () => {
  test('when its input ends, in every round', async () => {
    await rounds(async (round) => {
      const server = startRaw();
      await server.initialize();
      if (round % 2 === 0) await server.call('remember', { body: `Round ${round}` });
      server.process.stdin.end();
      expect(await server.exited).toBe(0);
    });
  }, 120_000);

  test('when the process that started it is killed, behind a shell', async () => {
    const started: number[] = [];
    await rounds(async (round) => {
      const script = `"${process.execPath}" "${BIN}" mcp; true`;
      const server = startRaw({}, ['sh', '-c', script]);
      await server.initialize();
      if (round % 2 === 0) await server.call('remember', { body: `Round ${round}` });
      const shell = server.process.pid ?? 0;
      const children = childrenOf(shell);
      expect(children.length).toBeGreaterThan(0);
      started.push(...children);
      process.kill(shell, 'SIGKILL'); // the pipes stay open: this test holds their other ends
      await eventually(() => !children.some(isAlive));
    });
    expect(started.filter(isAlive)).toEqual([]);
  }, 180_000);

  test('when its output breaks', async () => {
    const server = startRaw();
    await server.initialize();
    server.process.stdout.destroy();
    server.send({ jsonrpc: '2.0', id: 99, method: 'tools/list' });
    await eventually(() => server.process.exitCode !== null);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('on %s', async (signal) => {
    const server = startRaw();
    await server.initialize();
    await server.call('remember', { body: 'Before the signal' });
    server.process.kill(signal);
    expect(await server.exited).toBe(0);
  });

  test('and the next start is clean after a kill', async () => {
    const store = join(tempFolder(), 'memory');
    mkdirSync(store);
    for (let round = 0; round < 3; round++) {
      const server = startRaw({ store });
      await server.initialize();
      const reply = await server.call('remember', { body: `Killed in round ${round}` });
      expect(reply.isError).toBe(false);
      server.process.kill('SIGKILL');
      await server.exited;
    }
    const server = startRaw({ store });
    await server.initialize();
    expect((await server.call('search', {})).json.total).toBe(3);
  });
});

function childrenOf(pid: number): number[] {
  if (process.platform === 'linux') {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return children.split(' ').filter(Boolean).map(Number);
  }
  const listed = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return listed.split('\n').filter(Boolean).map(Number);
}
