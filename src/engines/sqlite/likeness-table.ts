import { likenessKeysOf, MOST_ALIKE } from '../../domain/hygiene/likeness-keys.ts';
import { isLive } from '../../domain/lifecycle.ts';
import type { Memory } from '../../domain/memory.ts';
import type { Database } from './drivers/driver.ts';

/** Keeps the keys by which living memories of one project and drawer are found to be alike. */
export class LikenessTable {
  readonly #database: Database;
  readonly #isolated: boolean;

  constructor(database: Database, isolated: boolean) {
    this.#database = database;
    this.#isolated = isolated;
  }

  /** Brings the keys of a memory from what it was to what it is; undefined = it is not there. */
  replace(before: Memory | undefined, after: Memory | undefined): void {
    if (before && after && hasSameKeys(before, after)) return;
    if (before)
      this.#each(before, 'DELETE FROM likeness WHERE key = ? AND created_ms = ? AND id = ?');
    if (after)
      this.#each(after, 'INSERT OR IGNORE INTO likeness (key, created_ms, id) VALUES (?, ?, ?)');
  }

  #each(memory: Memory, sql: string): void {
    if (!isLive(memory.status)) return;
    const statement = this.#database.prepare(sql);
    const createdMs = Date.parse(memory.created_at);
    for (const key of likenessKeysOf(memory, this.#isolated)) {
      statement.run(key, createdMs, memory.id);
    }
  }
}

function hasSameKeys(a: Memory, b: Memory): boolean {
  return (
    isLive(a.status) === isLive(b.status) &&
    a.body === b.body &&
    a.project === b.project &&
    a.agent === b.agent &&
    a.created_at === b.created_at
  );
}

/** Gives the memories of a store their keys that was made when there were none. */
export function fillLikeness(database: Database, isolated: boolean): void {
  const table = new LikenessTable(database, isolated);
  const rows = database.prepare('SELECT data FROM memories WHERE conflict_of IS NULL').all();
  for (const row of rows) table.replace(undefined, JSON.parse(row['data'] as string) as Memory);
}

/** By key: the ids of the newest memories that share it, newest first. */
export function readAlike(database: Database, keys: readonly number[]): Map<number, string[]> {
  if (keys.length === 0) return new Map();
  const rows = database
    .prepare(
      `SELECT k.value AS key, (
         SELECT json_group_array(id) FROM (
           SELECT id FROM likeness WHERE key = k.value
           ORDER BY created_ms DESC, id DESC LIMIT ${MOST_ALIKE})) AS ids
       FROM json_each(?) k`,
    )
    .all(JSON.stringify([...new Set(keys)]));
  return new Map(
    rows.map((row) => [Number(row['key']), JSON.parse(row['ids'] as string) as string[]]),
  );
}
