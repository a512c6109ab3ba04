import { expect, test } from 'vitest';
import type { Database } from '../../src/engines/sqlite/drivers/driver.ts';
import { sqliteDriver } from '../../src/engines/sqlite/drivers/index.ts';
import { migrate } from '../../src/engines/sqlite/migrations.ts';
import { addToPostings } from '../../src/engines/sqlite/postings-table.ts';

const SPACE = 1;

function fresh(): Database {
  const database = sqliteDriver().open(':memory:');
  migrate(database, 'a test');
  return database;
}

/** Adds documents in batches of one size; every document holds one word that all share. */
function add(database: Database, batches: number, size: number): void {
  for (let batch = 0; batch < batches; batch++) {
    const documents = Array.from({ length: size }, (_, i) => ({
      doc: batch * size + i + 1,
      entry: [1, 'shared', 1, 0],
    }));
    addToPostings(database, SPACE, documents, () => true);
  }
}

function segments(database: Database): number[] {
  const rows = database.prepare('SELECT length(docs) / 4 AS n FROM segments').all();
  return rows.map((row) => Number(row['n']));
}

/** Documents in the posting lists of the shared word: 8 bytes each. */
function posted(database: Database): number {
  return Number(
    database
      .prepare("SELECT sum(length(list)) / 8 AS n FROM postings WHERE term = 'shared'")
      .get()?.['n'],
  );
}

// Eight of 2,500 hold more than one segment may, so they can only merge in part.
test.each([
  [300, 256],
  [40, 2500],
  [30, 5000],
])('%i batches of %i documents leave few segments, and lose none', (batches, size) => {
  const database = fresh();
  add(database, batches, size);
  const sizes = segments(database);
  const total = batches * size;
  expect(sizes.reduce((sum, n) => sum + n, 0)).toBe(total);
  expect(posted(database)).toBe(total);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(16_384);
  // The full ones, each more than half full, and fewer than eight of each of the two smaller sizes.
  expect(sizes.filter((n) => n <= 8192).length).toBeLessThan(16);
  expect(sizes.length).toBeLessThan(total / 8192 + 16);
  database.close();
});
