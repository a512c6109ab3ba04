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
