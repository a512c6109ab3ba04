// Text is data: punctuation never breaks a query, and what it names is found.
import { expect, test } from 'vitest';
import { connect, idsOf } from './mcp-support.ts';

const LITERALS = [
  'src/main.py',
  'CLAUDE.md',
  '10 GB/s',
  "don't use",
  'C:\\agent\\data',
  'grammar::fa',
  '"unbalanced',
  'a^b',
  'ADR-042',
  'v1.9',
  '週末は京都で',
  '深色主题',
];
const HARMLESS = [
  '(',
  '*',
  'AND',
  'foo OR',
  'NEAR(',
  '{x}',
  'title:',
  '%',
  '🚀',
  '-042',
  'a '.repeat(5_000),
];
const BLANK = ['', '   '];

test('every literal is found, and nothing fails', async () => {
  const { call } = await connect();
  const memories = [...LITERALS, ...HARMLESS.slice(0, -1)].map((text, i) => ({
    body: `Note ${i} says ${text} and then goes on`,
  }));
  const ids = idsOf(await call('remember', { memories }));
  for (const [i, query] of LITERALS.entries()) {
    for (const tool of ['recall', 'search']) {
      const reply = await call(tool, { query, limit: 50 });
      expect([tool, query, reply.isError]).toEqual([tool, query, false]);
      const found = reply.json.results.map(({ id }: { id: string }) => id);
      expect([tool, query, found.slice(0, 3)]).toEqual([
        tool,
        query,
        expect.arrayContaining([ids[i]]),
      ]);
    }
  }
  for (const query of HARMLESS) {
    for (const tool of ['recall', 'search']) {
      const reply = await call(tool, { query });
      expect([tool, query.slice(0, 20), reply.isError]).toEqual([tool, query.slice(0, 20), false]);
    }
  }
});

test('a blank question is nothing, or an error: never the whole store', async () => {
  const { call } = await connect();
  await call('remember', { memories: [{ body: 'One thing' }, { body: 'Another thing' }] });
  for (const query of BLANK) {
    const reply = await call('recall', { query });
    expect(reply.isError ? [] : reply.json.results).toEqual([]);
  }
});

test('NUL characters cost one character, not the batch', async () => {
  const { call } = await connect();
  const stored = await call('remember', {
    memories: [
      { body: 'A normal one' },
      { body: 'before\u0000after zebra', details: { 'ke\u0000y': 'value' } },
      { body: 'the literal \\u0000 stays' },
    ],
  });
  expect(stored.json.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'stored',
    'stored',
    'stored',
  ]);
  expect(stored.text).toMatch(/Warning: line 2: body: .*removed/);
  const found = await call('recall', { query: 'zebra' });
  expect(found.json.results[0].body).toBe('beforeafter zebra');
  const literal = await call('recall', { query: 'literal stays' });
  expect(literal.json.results[0].body).toBe('the literal \\u0000 stays');
});
