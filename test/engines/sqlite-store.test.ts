import { describe, expect, test } from 'vitest';
import type { LogEvent } from '../../src/domain/event.ts';
import type { Memory, StoredMemory } from '../../src/domain/memory.ts';
import { InMemoryEngine } from '../../src/engines/in-memory/engine.ts';
import { sqliteDriver } from '../../src/engines/sqlite/drivers/index.ts';
import { KeywordIndex } from '../../src/engines/sqlite/keyword-index.ts';
import { migrate } from '../../src/engines/sqlite/migrations.ts';
import { readAll } from '../../src/engines/sqlite/reader.ts';
import { SqliteStore } from '../../src/engines/sqlite/store.ts';
import { parseQuery } from '../../src/domain/text/query.ts';
import { VIEW_ALL, type View } from '../../src/domain/view.ts';
import { testClock } from '../../src/testing/clock.ts';
import { answerOf } from '../../src/testing/contract/keyword.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';

// Events that arrive, one at a time or many, are applied to what is there: a vault's index lives like that
// for years. Whatever their order, it must come to what a fold of all of them says.

const PORT = memoryOf({ id: 'FACT-PORT', title: 'Port', body: 'The port is 8080.', tags: ['net'] });

function engineAt(start: string, seed: number): InMemoryEngine {
  return new InMemoryEngine({ clock: testClock(start), ids: testIds(seed) });
}

async function fork(left: readonly Memory[], right: readonly Memory[]): Promise<LogEvent[]> {
  const a = engineAt('2026-03-09T12:00:00.000Z', 1);
  const b = engineAt('2026-03-09T13:00:00.000Z', 2);
  await put(a, PORT);
  const origin = await a.events(0, 100);
  await b.merge(origin);
  for (const memory of left) await put(a, memory);
  for (const memory of right) await put(b, memory);
  return [...(await a.events(0, 10_000)), ...(await b.events(origin.length, 10_000))];
}

function* orders<T>(things: readonly T[]): Iterable<readonly T[]> {
  if (things.length === 0) yield [];
  for (const [i, first] of things.entries()) {
    const rest = things.filter((_, j) => j !== i);
    for (const order of orders(rest)) yield [first, ...order];
  }
}

/** @param parts what arrives together */
function storeOf(...parts: readonly (readonly LogEvent[])[]): SqliteStore {
  const database = sqliteDriver().open(':memory:');
  migrate(database, 'a test');
  const store = new SqliteStore(database, false);
  for (const events of parts) {
    const lines = events.map((event) => JSON.stringify(event));
    store.append(events, lines, 0);
  }
  return store;
}

/** One at a time, in two parts, all at once. */
function arrivals(events: readonly LogEvent[]): (readonly LogEvent[])[][] {
  const half = events.length >> 1;
  return [
    events.map((event) => [event]),
    [events.slice(0, half), events.slice(half)],
    [[...events]],
  ];
}

const byId = (a: StoredMemory, b: StoredMemory): number => (a.memory.id < b.memory.id ? -1 : 1);
const QUERY = parseQuery('port 8080 9090 7070 ports zeppelin yacht');
const VIEWS: readonly View[] = [
  VIEW_ALL,
  { projects: ['global'], agents: [''] },
  { projects: ['apollo'], agents: 'all' },
  { projects: ['zeus'], agents: ['ann'] },
];
const REQUESTS = VIEWS.map((view) => ({ view, filter: {}, query: QUERY, k: 10 }));

async function expectConvergence(events: readonly LogEvent[]): Promise<void> {
  const oracle = engineAt('2026-03-09T14:00:00.000Z', 3);
  await oracle.merge(events);
  const select = { view: VIEW_ALL, filter: {}, sort: 'id', descending: false, limit: 100 } as const;
  const { rows } = await oracle.select(select);
  const answers = await Promise.all(
    REQUESTS.map(async (request) => answerOf(await oracle.keyword(request))),
  );
  for (const parts of [...orders(events)].flatMap(arrivals)) {
    const store = storeOf(...parts);
    expect([...readAll(store.database)].sort(byId)).toEqual(rows);
    const keywords = new KeywordIndex(store.database);
    expect(REQUESTS.map((request) => answerOf(keywords.search(request)))).toEqual(answers);
    expect(store.check()).toEqual([]);
    store.database.close();
  }
}

describe('[B6] events that arrive in any order, alone or together', () => {
  test('of edits that merge', async () => {
    const left = [{ ...PORT, body: 'The port is 9090.', tags: ['net', 'a'] }];
    const right = [{ ...PORT, title: 'Ports', tags: [] }];
    await expectConvergence(await fork(left, right));
  });

  test('of edits that are in conflict', async () => {
    const left = [{ ...PORT, body: 'The port is 9090.', title: 'Ports' }];
    const right = [{ ...PORT, body: 'The port is 7070.' }];
    await expectConvergence(await fork(left, right));
  });

  test('of edits upon edits', async () => {
    const left = [
      { ...PORT, body: 'The port is 9090.' },
      { ...PORT, body: 'The port is 9091.', status: 'archived' as const },
    ];
    const right = [
      { ...PORT, title: 'Ports' },
      { ...PORT, title: 'Zeppelin', body: 'The port is 7070.' },
    ];
    await expectConvergence(await fork(left, right));
  });

  test('of one id that was made in two projects', async () => {
    const left = [memoryOf({ id: 'FACT-TWICE', body: 'Zeppelin', project: 'apollo' })];
    const right = [memoryOf({ id: 'FACT-TWICE', body: 'Zeppelin', project: 'zeus', agent: 'ann' })];
    await expectConvergence(await fork(left, right));
  });
});

test('events that are known already are passed over, lines and all', async () => {
  const events = await fork([], []);
  const lines = events.map((event) => JSON.stringify(event));
  const store = storeOf();
  const applied = [...events, ...(await fork([], [{ ...PORT, body: 'Later.' }])).slice(1)];
  expect(store.append(events, lines, 0).lines).toEqual(lines);
  const again = applied.map((event) => JSON.stringify(event));
  const { events: fresh, lines: written, touched } = store.append(applied, again, 0);
  expect(fresh.map((event) => event.id)).toEqual([applied[1]?.id]);
  expect(written).toEqual([again[1]]);
  expect([...touched.keys()]).toEqual(['FACT-PORT']);
});

const CHANGES = 1500;

function changesOf(side: string): Memory[] {
  return Array.from({ length: CHANGES }, (_, i) => {
    return { ...PORT, body: `The port of ${side} is ${i}.` };
  });
}

test('a memory that two sides changed a thousand times is joined in time in proportion', async () => {
  const events = await fork(changesOf('left'), changesOf('right'));
  const half = 1 + CHANGES;
  const start = performance.now();
  const store = storeOf(events.slice(0, half), events.slice(half));
  expect(performance.now() - start).toBeLessThan(3000);
  const bodies = [...readAll(store.database)].map(({ memory }) => memory.body);
  expect(bodies).toEqual(expect.arrayContaining(['The port of right is 1499.']));
  expect(bodies).toHaveLength(2);
});
