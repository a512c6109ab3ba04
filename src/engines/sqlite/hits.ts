import { RowHit } from '../shared/row-hit.ts';
import type { Database, Row } from './drivers/driver.ts';
import { STORED_COLUMNS, storedOf } from './rows.ts';

/** Hits by document number, each with its score, best first, ties by id. */
export function hitsOf(database: Database, raws: ReadonlyMap<number, number>): RowHit<Row>[] {
  return database
    .prepare(
      `SELECT doc, id, session_id, space, length, ${STORED_COLUMNS} FROM memories
       WHERE doc IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify([...raws.keys()]))
    .map((row) => new RowHit(row, raws.get(Number(row['doc'])) as number, storedOf))
    .sort((a, b) => b.raw - a.raw || (a.id < b.id ? -1 : 1));
}

const PAGE = 500;
/** To look a document up takes as long as to pass so many in the order of their ids, as measured. */
const PASSED = 5;

/**
 * The first of some documents by their ids.
 * @param total documents of the store
 */
export function firstById(
  database: Database,
  docs: readonly number[],
  wanted: number,
  total: number,
): readonly number[] {
  if (docs.length <= wanted) return docs;
  const passed = (wanted * total) / docs.length;
  return passed < PASSED * docs.length
    ? firstPassed(database, docs, wanted)
    : firstLookedUp(database, docs, wanted);
}

function firstLookedUp(database: Database, docs: readonly number[], wanted: number): number[] {
  return database
    .prepare(
      `SELECT doc FROM memories WHERE doc IN (SELECT value FROM json_each(?))
       ORDER BY id LIMIT ?`,
    )
    .all(JSON.stringify(docs), wanted)
    .map((row) => Number(row['doc']));
}

function firstPassed(database: Database, docs: readonly number[], wanted: number): number[] {
  const wants = new Set(docs);
  const page = database.prepare('SELECT id, doc FROM memories WHERE id > ? ORDER BY id LIMIT ?');
  const first: number[] = [];
  for (let last = ''; first.length < wanted;) {
    const rows = page.all(last, PAGE);
    if (rows.length === 0) break;
    for (const row of rows) if (wants.has(Number(row['doc']))) first.push(Number(row['doc']));
    last = rows.at(-1)?.['id'] as string;
  }
  return first.slice(0, wanted);
}
