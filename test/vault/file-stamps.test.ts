// A start tells by one text whether files are as they were left: it has to be as exact as the rows.
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createFilesTable,
  fileStamps,
  pathOfLine,
  putFile,
  stampLine,
  stampLines,
} from '../../src/engines/vault/files-table.ts';
import type { Database } from '../../src/engines/sqlite/drivers/driver.ts';
import { sqliteDriver } from '../../src/engines/sqlite/drivers/index.ts';

let database: Database;
beforeEach(() => {
  database = sqliteDriver().open(':memory:');
  createFilesTable(database);
});
afterEach(() => database.close());

function put(path: string, id: string, size: number, mtimeMs: number): void {
  putFile(database, { path, id, hash: 'ab', heads: [], size, mtimeMs });
}

test('without files there are no lines', () => {
  expect(stampLines(database)).toEqual(new Set());
});

test.each([
  ['today', 1_764_517_177_069.063_5],
  ['a whole millisecond', 1_764_517_177_069],
  ['of an archive, without a time', 0],
  ['before 1970', -86_400_000.5],
  ['beyond 2039, where doubles step twice as far', 2_300_000_000_000.123],
])('the line of a file is that of its stat: %s', (_when, mtimeMs) => {
  put('ENTITIES/FACT-A.md', 'FACT-A', 812, mtimeMs);
  put('ENTITIES/of mine/naïve – notes.md', 'FACT-B', 7, mtimeMs);
  expect(stampLines(database)).toEqual(
    new Set([
      stampLine('ENTITIES/FACT-A.md', { size: 812, mtimeMs }),
      stampLine('ENTITIES/of mine/naïve – notes.md', { size: 7, mtimeMs }),
    ]),
  );
});

test('the least step of a time, and a byte, make another line', () => {
  const mtimeMs = 1_764_517_177_069.063_5;
  put('ENTITIES/FACT-A.md', 'FACT-A', 812, mtimeMs);
  const lines = stampLines(database);
  expect(lines.has(stampLine('ENTITIES/FACT-A.md', { size: 813, mtimeMs }))).toBe(false);
  const later = mtimeMs + 2 ** -12;
  expect(later).not.toBe(mtimeMs);
  expect(lines.has(stampLine('ENTITIES/FACT-A.md', { size: 812, mtimeMs: later }))).toBe(false);
  expect(fileStamps(database).get('ENTITIES/FACT-A.md')?.mtimeMs).toBe(mtimeMs);
});

test('a line tells its path, whatever characters that has', () => {
  for (const path of ['ENTITIES/FACT-A.md', 'ENTITIES/1/2/3.md', 'ENTITIES/of mine/a\nb.md']) {
    expect(pathOfLine(stampLine(path, { size: 1, mtimeMs: 2 }))).toBe(path);
  }
});
