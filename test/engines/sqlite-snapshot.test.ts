import { expect, test } from 'vitest';
import { parseQuery } from '../../src/domain/text/query.ts';
import { VIEW_ALL } from '../../src/domain/view.ts';
import type { Database } from '../../src/engines/sqlite/drivers/driver.ts';
import { sqliteDriver } from '../../src/engines/sqlite/drivers/index.ts';
import { KeywordIndex } from '../../src/engines/sqlite/keyword-index.ts';
import { migrate } from '../../src/engines/sqlite/migrations.ts';
import { readSelection } from '../../src/engines/sqlite/reader.ts';
import { SqliteStore } from '../../src/engines/sqlite/store.ts';
import { InMemoryEngine } from '../../src/engines/in-memory/engine.ts';
import { testClock } from '../../src/testing/clock.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { freshPath } from './harnesses.ts';

// One answer takes several statements, and another process may commit between any two of them.

/** A database that lets something happen before a statement runs for the first time. */
function interrupted(database: Database, statement: RegExp, happening: () => void): Database {
  let due = true;
  const before = (sql: string): void => {
    if (!due || !statement.test(sql)) return;
    due = false;
    happening();
  };
  return {
    ...database,
    prepare(sql) {
      const inner = database.prepare(sql);
      return {
        run: (...values) => inner.run(...values),
        get: (...values) => (before(sql), inner.get(...values)),
        all: (...values) => (before(sql), inner.all(...values)),
      };
    },
  };
}

async function twoConnections(): Promise<{ reader: Database; change: () => void }> {
  const source = new InMemoryEngine({ clock: testClock(), ids: testIds(1) });
  const note = memoryOf({ id: 'FACT-ONE', body: 'Zeppelin' });
  await put(source, note, memoryOf({ id: 'FACT-TWO', body: 'Zeppelin' }));
  await put(source, { ...note, body: 'Yacht', tags: ['late'] });
  const [first, second, third] = await source.events(0, 10);
  const path = freshPath('snapshot.db');
  const writer = sqliteDriver().open(path);
  writer.exec('PRAGMA journal_mode = WAL');
  migrate(writer, path);
  const store = new SqliteStore(writer, false);
  const append = (...events: (typeof first)[]): void => {
    const known = events.flatMap((event) => event ?? []);
    store.append(
      known,
      known.map((event) => JSON.stringify(event)),
      0,
    );
  };
  append(first, second);
  return { reader: sqliteDriver().open(path), change: () => append(third) };
}

const SEARCH = { view: VIEW_ALL, filter: {}, query: parseQuery('zeppelin yacht'), k: 10 };

test.each([/FROM spaces/, /FROM segments/, /FROM deltas/, /FROM memories\s+WHERE doc IN/])(
  'a search that a commit meets at %s answers from one state',
  async (statement) => {
    const { reader, change } = await twoConnections();
    const keywords = new KeywordIndex(interrupted(reader, statement, change));
    const before = keywords.search(SEARCH);
    expect(before.hits.map(({ stored }) => stored.memory.id)).toEqual(['FACT-ONE', 'FACT-TWO']);
    expect(before.documentFrequency).toEqual([2, 0]);
    const after = keywords.search(SEARCH);
    expect(after.documentFrequency).toEqual([1, 1]);
    expect(after.hits).toHaveLength(2);
  },
);

test('a page that a commit meets between count and rows answers from one state', async () => {
  const { reader, change } = await twoConnections();
  const request = {
    view: VIEW_ALL,
    filter: { tags: ['late'] },
    sort: 'id',
    descending: false,
    limit: 10,
  } as const;
  const database = interrupted(reader, /ORDER BY/, change);
  expect(readSelection(database, request)).toEqual({ rows: [], total: 0 });
  expect(readSelection(database, request).total).toBe(1);
});
