import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { likenessKeysOf } from '../../src/domain/hygiene/likeness-keys.ts';
import { parseQuery } from '../../src/domain/text/query.ts';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { sqliteDriver } from '../../src/engines/sqlite/drivers/index.ts';
import { openSqlite } from '../../src/engines/sqlite/open.ts';
import { migrate, MIGRATIONS } from '../../src/engines/sqlite/migrations.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testClock } from '../../src/testing/clock.ts';
import { idsFor } from '../../src/testing/contract/keyword.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, NOTHING_NAMED, put } from '../../src/testing/memories.ts';
import { freshPath } from './harnesses.ts';

let seed = 200;

function open(path: string): Promise<Engine> {
  seed += 1;
  return openSqlite({ path, clock: testClock(), ids: testIds(seed) });
}

async function filled(path: string, ...ids: string[]): Promise<void> {
  const engine = await open(path);
  await put(engine, ...ids.map((id) => memoryOf({ id })));
  await engine.close();
}

function version(path: string): unknown {
  const database = sqliteDriver().open(path);
  const row = database.prepare('PRAGMA user_version').get();
  database.close();
  return row?.['user_version'];
}

/** Gives a store the tables that version 1 had. */
function backToVersion1(path: string): void {
  const database = sqliteDriver().open(path);
  database.exec(`
    ALTER TABLE tags RENAME TO tags_2;
    CREATE TABLE tags (tag TEXT, doc INTEGER, PRIMARY KEY (tag, doc)) WITHOUT ROWID;
    INSERT INTO tags SELECT tag, doc FROM tags_2;
    DROP TABLE tags_2;
    ALTER TABLE deltas RENAME TO deltas_2;
    CREATE TABLE deltas (space INTEGER, doc INTEGER, entry TEXT NOT NULL,
      PRIMARY KEY (space, doc)) WITHOUT ROWID;
    INSERT INTO deltas SELECT key / 4294967296, key % 4294967296, entry FROM deltas_2;
    DROP TABLE deltas_2;
    DROP TABLE evidence;
    DROP TABLE records;
    DROP TABLE likeness;
    DROP TABLE citations;
    DROP INDEX events_run;
    ALTER TABLE events DROP COLUMN run;
    PRAGMA user_version = 1;
  `);
  database.close();
}

describe('[B9] migrations', () => {
  test('are numbered without a gap', () => {
    expect(MIGRATIONS.map((migration) => migration.version)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('are recorded, and running them again does nothing', async () => {
    const path = freshPath('store.db');
    await filled(path, 'FACT-ONE');
    expect(version(path)).toBe(MIGRATIONS.length);
    const database = sqliteDriver().open(path);
    expect(migrate(database, path)).toEqual([]);
    database.close();
    const engine = await open(path);
    expect((await engine.stats(VIEW_ALL)).total).toBe(1);
    await engine.close();
  });

  test('from version 1 keep tags and what waits for a segment', async () => {
    const path = freshPath('first.db');
    const first = await open(path);
    const tagged = memoryOf({ id: 'FACT-ONE', body: 'The keel is red.', tags: ['hull', 'paint'] });
    await put(
      first,
      tagged,
      memoryOf({ id: 'FACT-TWO', project: 'boat', body: 'The mast is red.' }),
    );
    await first.close();
    backToVersion1(path);
    const engine = await open(path);
    expect(version(path)).toBe(MIGRATIONS.length);
    const query = parseQuery('red');
    const { hits } = await engine.keyword({ view: VIEW_ALL, filter: {}, query, k: 5 });
    expect(hits.map(({ id }) => id).toSorted()).toEqual(['FACT-ONE', 'FACT-TWO']);
    expect((await engine.stats(VIEW_ALL)).tags).toEqual({ hull: 1, paint: 1 });
    const likenessKeys = likenessKeysOf({ project: 'boat', body: 'The mast is red' }, false);
    const alike = await engine.commit({ ...NOTHING_NAMED, likenessKeys }, (state) => {
      const ids = likenessKeys.flatMap((key) => state.alike(key).map(({ memory }) => memory.id));
      return { changes: [], result: ids };
    });
    expect(alike.result).toContain('FACT-TWO');
    await put(engine, memoryOf({ id: 'FACT-NEW', body: 'The rudder is red.' }));
    expect(await engine.verify()).toMatchObject({ indexOk: true, logOk: true, problems: [] });
    expect((await engine.get(['FACT-ONE'], VIEW_ALL))[0]?.memory.tags).toEqual(['hull', 'paint']);
    await engine.close();
  });

  test('that fail half way leave nothing behind', () => {
    const database = sqliteDriver().open(':memory:');
    database.exec('CREATE TABLE doc_states (other)');
    database.exec('BEGIN IMMEDIATE');
    expect(() => migrate(database, 'a test')).toThrow('doc_states');
    database.exec('ROLLBACK');
    expect(database.prepare('SELECT name FROM sqlite_master').all()).toEqual([
      { name: 'doc_states' },
    ]);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 0 });
    database.close();
  });

  test('a store of a newer program is refused and not a byte of it changes', async () => {
    const path = freshPath('newer.db');
    await filled(path, 'FACT-ONE');
    const database = sqliteDriver().open(path);
    database.exec('PRAGMA user_version = 999');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const before = readFileSync(path);
    await expect(open(path)).rejects.toMatchObject({
      code: 'unsupported',
      message: `${path} has schema version 999; this program knows versions up to ${MIGRATIONS.length}`,
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('a file that is no store', () => {
  test.each([
    ['text', Buffer.from('This is no database at all. '.repeat(100))],
    ['nothing but zeros', Buffer.alloc(8192)],
  ])('%s is refused and left as it is', async (_name, bytes) => {
    const path = freshPath('other.db');
    writeFileSync(path, bytes);
    await expect(open(path)).rejects.toMatchObject({ code: 'corrupt' });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test('a damaged store is refused or reported, and left as it is', async () => {
    const path = freshPath('damaged.db');
    await filled(path, ...Array.from({ length: 40 }, (_, i) => `FACT-NUMBER-${i}`));
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 0, 4096);
    writeFileSync(path, bytes);
    await expect(open(path)).rejects.toMatchObject({ code: 'corrupt' });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test('a folder, or a path below a file, is an error that says so', async () => {
    const folder = freshPath('folder');
    mkdirSync(folder);
    await expect(open(folder)).rejects.toMatchObject({ code: 'unavailable' });
    const file = freshPath('file');
    writeFileSync(file, 'x');
    await expect(open(`${file}/store.db`)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('an empty file becomes a store', async () => {
    const path = freshPath('empty.db');
    writeFileSync(path, '');
    await filled(path, 'FACT-ONE');
    expect(version(path)).toBe(MIGRATIONS.length);
  });
});

test('[B3] the whole store is one file; parents of its path are made', async () => {
  const path = `${freshPath('deep')}/a b/ü/store.db`;
  await filled(path, 'FACT-ONE');
  expect(readdirSync(dirname(path))).toEqual(['store.db']);
});

test('[B11] a copy of a store is another replica, so that no number is given twice', async () => {
  const path = freshPath('original.db');
  await filled(path, 'FACT-ONE');
  const copy = freshPath('copy.db');
  copyFileSync(path, copy);
  const [original, copied] = [await open(path), await open(copy)];
  await put(original, memoryOf({ id: 'FACT-LEFT' }));
  await put(copied, memoryOf({ id: 'FACT-RIGHT' }));
  const head = await original.head();
  expect((await copied.head()).store).toBe(head.store);
  expect((await copied.head()).replica).not.toBe(head.replica);
  const joined = await open(freshPath('joined.db'));
  await joined.merge(await original.events(0, 10));
  await joined.merge(await copied.events(0, 10));
  expect((await joined.stats(VIEW_ALL)).total).toBe(3);
  expect((await joined.verify()).problems).toEqual([]);
  for (const engine of [original, copied, joined]) await engine.close();
});

describe('[B11] two connections to one store', () => {
  test('see each other’s changes at once, in keyword search too', async () => {
    const path = freshPath('shared.db');
    const [a, b] = [await open(path), await open(path)];
    expect(await idsFor(b, 'zeppelin')).toEqual([]);
    await put(a, memoryOf({ id: 'FACT-ONE', body: 'Zeppelin' }));
    expect(await idsFor(b, 'zeppelin')).toEqual(['FACT-ONE']);
    await put(b, memoryOf({ id: 'FACT-ONE', body: 'Yacht' }));
    expect(await idsFor(a, 'zeppelin')).toEqual([]);
    expect(await idsFor(a, 'yacht')).toEqual(['FACT-ONE']);
    await a.close();
    await b.close();
  });

  test.each(['reindex', 'replay'] as const)(
    '%s by one does not mislead the other',
    async (verb) => {
      const path = freshPath('rebuilt.db');
      const [a, b] = [await open(path), await open(path)];
      // Each change of a text gives a new document number: the rebuild gives out the old ones again.
      await put(
        a,
        memoryOf({ id: 'FACT-ONE', body: 'Kite' }),
        memoryOf({ id: 'FACT-TWO', body: 'Raft' }),
      );
      await put(a, memoryOf({ id: 'FACT-ONE', body: 'Zeppelin' }));
      expect(await idsFor(b, 'zeppelin')).toEqual(['FACT-ONE']);
      await a[verb]();
      expect(await idsFor(b, 'zeppelin')).toEqual(['FACT-ONE']);
      expect(await idsFor(b, 'kite')).toEqual([]);
      expect(await idsFor(b, 'raft')).toEqual(['FACT-TWO']);
      await put(a, memoryOf({ id: 'FACT-THREE', body: 'Canoe' }));
      expect(await idsFor(b, 'canoe')).toEqual(['FACT-THREE']);
      expect(await idsFor(b, 'zeppelin')).toEqual(['FACT-ONE']);
      await a.close();
      await b.close();
    },
  );
});
