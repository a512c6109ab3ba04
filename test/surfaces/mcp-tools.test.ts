import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { connect, ERAS, idsOf } from './mcp-support.ts';

const SURFACES = ['core', 'full'] as const;

describe.each(SURFACES)('the surface %s', (surface) => {
  test.each(ERAS)('is what clients of the %s era were promised', async (era) => {
    const { tools } = await connect({ era, args: ['--surface', surface] });
    const listed = await tools();
    // A changed tool list is a changed contract: read the difference, then run vitest with -u.
    const text = `${JSON.stringify(listed, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`golden/mcp-tools-${surface}.json`);
  });

  test('case M2: speaks the schema subset that every provider takes', async () => {
    const { tools } = await connect({ args: ['--surface', surface] });
    for (const tool of await tools()) {
      expect(tool.name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,40}$/);
      expect(tool.description?.length ?? 0).toBeGreaterThan(20);
      expect(tool.description?.length ?? 0).toBeLessThan(2048);
      expect([tool.name, faults(tool.inputSchema)]).toEqual([tool.name, []]);
      expect([tool.name, faults(tool.outputSchema)]).toEqual([tool.name, []]);
      expect(tool.annotations).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        openWorldHint: false,
      });
    }
  });
});

test.each(ERAS)('every tool answers as its schema says, era %s', async (era) => {
  const env = { LOCI_ISOLATION: 'per-agent' };
  const { call, tools } = await connect({ era, args: ['--surface', 'full'], env });
  await tools(); // from now on the client holds each answer to its schema
  const stored = await call('remember', { memories: [{ body: 'One' }, { body: 'Two' }] });
  const [a, b] = idsOf(stored);
  await call('remember', { body: 'Over', valid_to: '2026-01-01' });
  const { run } = (await call('gc')).json;
  const ports = [{ body: 'The API listens on port 80' }, { body: 'The API listens on port 81' }];
  const pair = idsOf(await call('remember', { memories: ports }))
    .sort()
    .join('+');
  const calls: [string, Record<string, unknown>][] = [
    ['recall', { query: 'one', explain: true }],
    ['recall', { query: 'nothing of the kind' }],
    ['search', { query: 'one' }],
    ['search', {}],
    ['get', { ids: [a, 'UNKNOWN-ID'], history: true, relations: true }],
    ['relate', { source: a, type: 'supports', target: b }],
    ['relations', { id: b }],
    ['relations', { id: b, depth: 2 }],
    ['relink', {}],
    ['citations', {}],
    ['wander', {}],
    ['closure', { trajectory: true }],
    ['episode', { session_id: 's1', summary: 'All was done.' }],
    ['episodes', {}],
    ['checkpoint', { session_id: 's1' }],
    ['unrelate', { source: a, type: 'supports', target: b }],
    ['entity', { name: 'PostgreSQL', kind: 'tool', aliases: ['pg'] }],
    ['entities', {}],
    ['history', { id: a }],
    ['diff', { since: '1d' }],
    ['update', { id: a, title: 'Number one' }],
    ['share', { id: a }],
    ['unshare', { id: a }],
    ['archive', { id: a }],
    ['restore', { id: a }],
    ['forget', { id: a, mode: 'archive', reason: 'enough' }],
    ['reject', { id: b }],
    ['context', {}],
    ['recall_docs', { query: 'one' }],
    ['gc', {}],
    ['view', { name: 'handoff' }],
    ['meditate', { mode: 'full' }],
    ['reflect', { dry_run: true }],
    ['reflect', {}],
    ['conflicts', {}],
    ['resolve', { id: pair, both: true }],
    ['runs', {}],
    ['undo', { ref: run }],
    ['gc', { dry_run: true }],
    ['lint', { fix: true, dry_run: true }],
    ['status', {}],
  ];
  for (const [name, args] of calls) {
    const reply = await call(name, args);
    expect([name, reply.isError]).toEqual([name, false]);
    expect(reply.text.length).toBeGreaterThan(0);
    expect(reply.json).toEqual(expect.any(Object));
  }
  const used = new Set(['remember', ...calls.map(([name]) => name)]);
  expect((await tools()).map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
});

test('core is small: tools and instructions together', async () => {
  for (const era of ERAS) {
    const { client } = await connect({ era });
    const instructions = client.getInstructions() ?? '';
    expect(Buffer.byteLength(instructions)).toBeLessThan(2048);
    const list = JSON.stringify(await client.listTools());
    const tokens = encode(list).length + encode(instructions).length;
    expect(tokens).toBeLessThan(1_500);
  }
});

test('the surface can come from the environment', async () => {
  const { tools } = await connect({ env: { LOCI_SURFACE: 'full' } });
  expect((await tools()).map(({ name }) => name)).toContain('update');
});

test('nothing that deletes for good is offered to agents', async () => {
  const { tools } = await connect({ args: ['--surface', 'full'] });
  const names = (await tools()).map(({ name }) => name);
  for (const name of ['purge', 'replay', 'reindex', 'verify', 'export'])
    expect(names).not.toContain(name);
});

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean']);
const KEYWORDS = new Set(['type', 'description', 'enum', 'items', 'properties', 'required']);

/** What a strict provider would stumble over, with its place. */
function faults(schema: unknown, path = '$', root = true): string[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    return [`${path}: not a schema`];
  }
  const node = schema as Record<string, unknown>;
  const found = Object.keys(node)
    .filter((key) => !KEYWORDS.has(key))
    .map((key) => `${path}: has ${key}`);
  if (typeof node.type !== 'string' || !TYPES.has(node.type)) found.push(`${path}: no plain type`);
  if (root && node.type !== 'object') found.push(`${path}: the root is no object`);
  if (node.type === 'array') found.push(...faults(node.items, `${path}[]`, false));
  for (const [name, field] of Object.entries(node.properties ?? {})) {
    if (!/^[a-z][a-z0-9_]*$/.test(name)) found.push(`${path}.${name}: is not in snake_case`);
    found.push(...faults(field, `${path}.${name}`, false));
  }
  for (const name of (node.required ?? []) as string[]) {
    if (!Object.hasOwn(node.properties ?? {}, name))
      found.push(`${path}: requires unknown ${name}`);
  }
  return found;
}
