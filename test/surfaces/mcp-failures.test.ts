// Success is said only of what is durable; whatever failed is flagged.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect, idsOf, tempFolder } from './mcp-support.ts';

const UNKNOWN = 'FACT-2026-01-01-NOWHERE-0000';

test('writes that must fail are errors, and leave nothing behind', async () => {
  const { call } = await connect();
  const [id] = idsOf(await call('remember', { body: 'The only one is red' }));
  const failures: [string, Record<string, unknown>, RegExp][] = [
    ['remember', {}, /^invalid_input: .*body/],
    ['remember', { body: '' }, /^invalid_input: .*body/],
    ['remember', { body: '   ' }, /^invalid_input: .*body/],
    ['remember', { body: 'x', type: 'invalid_xyz' }, /^invalid_input: .*type/],
    ['remember', { body: 'x', supersedes: UNKNOWN }, /^not_found: /],
    ['remember', { body: 'x', memories: [] }, /^invalid_input: /],
    ['relate', { source: id, type: 'supports', target: UNKNOWN }, /^not_found: /],
    ['relate', { source: UNKNOWN, type: 'supports', target: id }, /^not_found: /],
    ['forget', { id: UNKNOWN }, /^not_found: /],
    ['get', { ids: [UNKNOWN] }, /^not_found: /],
  ];
  for (const [tool, args, message] of failures) {
    const reply = await call(tool, args);
    expect([tool, args, reply.isError]).toEqual([tool, args, true]);
    expect(reply.text).toMatch(message);
  }
  expect((await call('search', {})).json.total).toBe(1);
});

test('a batch is an error only when nothing of it was stored', async () => {
  const { call } = await connect();
  const none = await call('remember', { memories: [{ body: '' }, { bdy: 'x' }] });
  expect(none.isError).toBe(true);
  expect(none.text).toMatch(/^invalid_input: nothing was stored/);
  expect(none.text).toContain('refused (item 1)');
  expect(none.text).toContain('refused (item 2)');
  const some = await call('remember', { memories: [{ body: '' }, { body: 'A good one' }] });
  expect(some.isError).toBe(false);
  expect(some.json.results.map(({ outcome }: { outcome: string }) => outcome).toSorted()).toEqual([
    'refused',
    'stored',
  ]);
  expect((await call('search', {})).json.total).toBe(1);
});

test('what was acknowledged is there for a process that starts later', async () => {
  const store = join(tempFolder(), 'memory');
  const first = await connect({ store });
  const [a, b] = idsOf(
    await first.call('remember', { memories: [{ body: 'First fact' }, { body: 'Second fact' }] }),
  );
  await first.call('relate', { source: a, type: 'supports', target: b });
  await first.call('forget', { id: b, reason: 'no longer of use' });
  process.kill(first.pid, 'SIGKILL');
  const { call } = await connect({ store });
  const { json } = await call('get', { ids: [a, b], relations: true });
  expect(json.missing).toEqual([]);
  const found = new Map(json.memories.map((memory: { id: string }) => [memory.id, memory]));
  expect(found.get(a)).toMatchObject({
    body: 'First fact',
    edges: [{ source: a, type: 'supports', target: b }],
  });
  expect(found.get(b)).toMatchObject({ status: 'archived', status_reason: 'no longer of use' });
  expect((await call('recall', { query: 'first fact' })).json.results[0].id).toBe(a);
});

describe('a store that cannot be opened', () => {
  test('leaves the handshake and the tool list alone, and tools say why', async () => {
    const folder = tempFolder();
    const blocked = join(folder, 'file');
    writeFileSync(blocked, 'not a folder');
    const { call, tools } = await connect({ store: join(blocked, 'memory') });
    expect((await tools()).length).toBeGreaterThan(5);
    for (const attempt of [1, 2]) {
      const reply = await call('recall', { query: 'x' });
      expect([attempt, reply.isError]).toEqual([attempt, true]);
      expect(reply.text).toMatch(/^[a-z_]+: .+/);
    }
  });

  test('works from the next call on, once it can be opened', async () => {
    const folder = tempFolder();
    const parent = join(folder, 'parent');
    writeFileSync(parent, 'in the way');
    const { call } = await connect({ store: join(parent, 'memory') });
    expect((await call('remember', { body: 'x' })).isError).toBe(true);
    rmSync(parent);
    mkdirSync(parent);
    expect((await call('remember', { body: 'It works now' })).isError).toBe(false);
  });

  test('because its server is not there', async () => {
    const { call, tools } = await connect({ store: 'postgres://127.0.0.1:9/memory' });
    expect((await tools()).length).toBeGreaterThan(5);
    const reply = await call('remember', { body: 'x' });
    expect(reply.text).toMatch(/^unavailable: .*127\.0\.0\.1/);
  });

  test('because nothing can be made there', async (context) => {
    if (process.platform !== 'linux') context.skip('needs /sys, where not even root may write');
    const { call } = await connect({ store: '/sys/nowhere/memory' });
    const reply = await call('remember', { body: 'x' });
    expect(reply.isError).toBe(true);
    expect(reply.text).toMatch(/^unavailable: .*\/sys\/nowhere/);
  });
});
