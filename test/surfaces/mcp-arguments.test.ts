// What models really send: text for numbers, null for nothing, names that are almost right.
import { expect, test } from 'vitest';
import { connect, idsOf } from './mcp-support.ts';

test('numbers, flags and lists may come as text', async () => {
  const { call } = await connect();
  const stored = await call('remember', {
    body: 'Deploys need two approvals',
    tags: '["release","policy"]',
    paths: 'ci/deploy.yml, docs/release.md',
    confidence: '0.9',
    ttl_days: '30',
  });
  const [id] = idsOf(stored);
  const { json } = await call('get', { ids: id, history: 'false', relations: 'true' });
  expect(json.memories[0]).toMatchObject({
    tags: ['release', 'policy'],
    paths: ['ci/deploy.yml', 'docs/release.md'],
    confidence: 0.9,
    ttl_days: 30,
    edges: [],
  });
  expect(json.memories[0].history).toBeUndefined();
  const listed = await call('search', { limit: '1', tags: 'release', include: null });
  expect(listed).toMatchObject({ isError: true });
  expect((await call('search', { limit: '1', tags: 'release' })).json.total).toBe(1);
});

test('a batch may come as JSON text, its keys in snake_case', async () => {
  const { call } = await connect();
  const memories = JSON.stringify([
    { body: 'First of the batch', created_at: '2026-01-02', session_id: 's1' },
    { body: 'Second of the batch', valid_from: '2026-01-02T00:00:00Z' },
  ]);
  const stored = await call('remember', { memories });
  expect(stored.json.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'stored',
    'stored',
  ]);
  const { json } = await call('get', { ids: idsOf(stored) });
  const first = json.memories.find(({ body }: { body: string }) => body.startsWith('First'));
  expect(first).toMatchObject({ created_at: '2026-01-02T00:00:00.000Z', session_id: 's1' });
});

test('null counts as not given', async () => {
  const { call } = await connect();
  const stored = await call('remember', { body: 'Null is nothing', type: null, tags: null });
  expect(stored.json.results[0].outcome).toBe('stored');
});

test.each([
  [
    'remember',
    { bdy: 'x' },
    'invalid_input: remember has no argument "bdy" (Did you mean "body"?)',
  ],
  ['recall', { maxTokens: 5, query: 'x' }, 'Did you mean "max_tokens"?'],
  ['recall', { query: 'x', k: 5 }, 'It takes query, limit, max_tokens'],
  ['search', { limt: 3 }, 'Did you mean "limit"?'],
  ['get', { ids: ['x'], histroy: true }, 'Did you mean "history"?'],
])('%s refuses an argument it does not have: %j', async (tool, args, message) => {
  const reply = await (await connect()).call(tool, args);
  expect(reply).toMatchObject({ isError: true, json: undefined });
  expect(reply.text).toContain(message);
});

test.each([
  ['recall', { query: 'x', limit: 0 }, 'limit'],
  ['recall', { query: 'x', limit: 'many' }, 'limit'],
  ['recall', { query: 'x', min_score: 2 }, 'min_score'],
  ['search', { limit: -1 }, 'limit'],
  ['search', { limit: 1_000_000_000 }, 'limit'],
  ['recall', { query: 'x', max_tokens: 10_000_000 }, 'max_tokens'],
  ['search', { since: 'last weak' }, 'since'],
  ['search', { since: 'today', zone: 'Mars/Olympus' }, 'zone'],
  ['search', { since: 'today', until: 'yesterday' }, 'until'],
  ['get', { ids: ['x'], as_of: 'some day' }, 'as_of'],
  ['search', { cursor: 'made-up' }, 'cursor'],
  ['get', { ids: ['x'], offset: -3 }, 'offset'],
  ['get', {}, 'ids'],
  ['context', { max_tokens: 'all' }, 'max_tokens'],
  ['forget', { id: 'FACT-X', mode: 'purge' }, 'mode'],
  ['relate', { source: 'A', target: 'B' }, 'type'],
])('%s names the value that is wrong: %j', async (tool, args, field) => {
  const reply = await (await connect()).call(tool, args);
  expect(reply.isError).toBe(true);
  expect(reply.text).toMatch(/^invalid_input: /);
  expect(reply.text).toContain(field);
});
