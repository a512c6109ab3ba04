import { describe, expect, test } from 'vitest';
import { connect, ERAS, idsOf, startRaw } from './mcp-support.ts';

describe.each(ERAS)('a client of the %s era', (era) => {
  test('[H3] connects, reads, writes and leaves', async () => {
    const { client, call } = await connect({ era });
    expect(client.getServerVersion()).toMatchObject({ name: 'loci', title: 'Loci' });
    const stored = await call('remember', { body: 'Invoices are sent on Tuesdays', type: 'fact' });
    expect(stored).toMatchObject({ isError: false, json: { results: [{ outcome: 'stored' }] } });
    const [id] = idsOf(stored);
    expect(stored.text).toBe(`stored ${id}`);
    const found = await call('recall', { query: 'when are invoices sent' });
    expect(found.json.results[0]).toMatchObject({ id, body: 'Invoices are sent on Tuesdays' });
    expect(found.text).toContain('Invoices are sent on Tuesdays');
  });

  test('is told its name in the history, and agent as the source', async () => {
    const { call } = await connect({ era });
    const [id] = idsOf(await call('remember', { body: 'The port is 8080' }));
    const { json } = await call('get', { ids: [id], history: true });
    expect(json.memories[0]).toMatchObject({ source: 'agent', status: 'active' });
    expect(json.memories[0].history[0]).toMatchObject({ actor: 'Test-Client' });
  });

  test('gets an unknown tool refused, with the nearest one', async () => {
    const { call } = await connect({ era });
    await expect(call('recal')).rejects.toThrow('No tool "recal". Did you mean "recall"?');
    await expect(call('update')).rejects.toThrow('loci mcp --surface full');
  });
});

test('the newer era is found by asking', async () => {
  const server = startRaw();
  const answer = await server.request('server/discover', {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    },
  });
  expect(answer.result).toMatchObject({ supportedVersions: ['2026-07-28'] });
});

test('requests that came before the end of input are answered', async () => {
  const server = startRaw();
  const answers = [server.initialize(), server.call('remember', { body: 'Piped in' })] as const;
  server.process.stdin.end();
  expect((await answers[1]).json.results[0].outcome).toBe('stored');
  expect(await server.exited).toBe(0);
});

test('a hundred calls at once are all answered, and all writes are kept', async () => {
  const { call } = await connect();
  const calls = Array.from({ length: 100 }, (_, i) =>
    i % 4 === 3
      ? call('recall', { query: `parallel note ${i}` })
      : call('remember', { body: `Parallel note number ${i}` }),
  );
  const replies = await Promise.all(calls);
  expect(replies.filter(({ isError }) => isError).map(({ text }) => text)).toEqual([]);
  const ids = replies.filter((_, i) => i % 4 !== 3).flatMap(idsOf);
  expect(new Set(ids).size).toBe(75);
  expect((await call('search', { limit: 1 })).json.total).toBe(75);
});

test('long work tells how far it is to whoever asks, before it answers', async () => {
  const server = startRaw();
  await server.initialize();
  const memories = Array.from({ length: 50 }, (_, i) => ({ body: `Batch item number ${i}` }));
  const params = { name: 'remember', arguments: { memories } };
  await server.request('tools/call', { ...params, _meta: { progressToken: 'p1' } });
  const messages = server.lines().map((line) => JSON.parse(line));
  const told = messages.filter(({ method }) => method === 'notifications/progress');
  const seen = told.map(({ params: { progress } }) => progress);
  expect(seen.at(-1)).toBe(50);
  expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
  expect(told.at(-1).params).toEqual({ progressToken: 'p1', progress: 50, total: 50 });
  expect(messages.at(-1).result.structuredContent.results).toHaveLength(50);
  await server.request('tools/call', params);
  expect(server.lines().length).toBe(messages.length + 1);
});

test('a cancelled call is not waited for, and the connection goes on', async () => {
  const server = startRaw();
  await server.initialize();
  // In one write: an empty store may answer before a second one arrives.
  server.send(
    {
      jsonrpc: '2.0',
      id: 'slow',
      method: 'tools/call',
      params: { name: 'recall', arguments: { query: 'x' } },
    },
    {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'slow', reason: 'changed my mind' },
    },
  );
  expect((await server.call('search')).json.total).toBe(0);
  expect(server.lines().some((line) => JSON.parse(line).id === 'slow')).toBe(false);
});
