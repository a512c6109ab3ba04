import { likenessKeysOf, MOST_ALIKE } from '../../domain/hygiene/likeness-keys.ts';
import { isLive } from '../../domain/lifecycle.ts';
import type { Memory } from '../../domain/memory.ts';
import type { Database } from './drivers/driver.ts';

/** Rows that wait in memory. */
const MOST_COLLECTED = 50_000;

interface LikenessRow {
  readonly key: number;
  readonly createdMs: number;
  readonly id: string;
  readonly isThere: boolean;
}

/**
 * Keeps the keys by which living memories of one project and drawer are found to be alike. What is to
 * change is collected and written in the order of the table: keys are hashes, and each of a batch would
 * go to another page.
 */
export class LikenessTable {
  readonly #database: Database;
  readonly #isolated: boolean;
  #rows: LikenessRow[] = [];

  constructor(database: Database, isolated: boolean) {
    this.#database = database;
    this.#isolated = isolated;
  }

  /** Brings the keys of a memory from what it was to what it is; undefined = it is not there. */
  replace(before: Memory | undefined, after: Memory | undefined): void {
    if (before && after && hasSameKeys(before, after)) return;
    if (before) this.#collect(before, false);
    if (after) this.#collect(after, true);
  }

  /** Writes what was collected. */
  flush(): void {
    if (this.#rows.length === 0) return;
    const remove = this.#database.prepare(
      'DELETE FROM likeness WHERE key = ? AND created_ms = ? AND id = ?',
    );
    const insert = this.#database.prepare(
      'INSERT OR IGNORE INTO likeness (key, created_ms, id) VALUES (?, ?, ?)',
    );
    // Rows of one key stay in the order they came in: what is taken away may have been put there.
    for (const { key, createdMs, id, isThere } of this.#rows.sort((a, b) => a.key - b.key)) {
      (isThere ? insert : remove).run(key, createdMs, id);
    }
    this.#rows = [];
  }

  #collect(memory: Memory, isThere: boolean): void {
    if (!isLive(memory.status)) return;
    const { id } = memory;
    const createdMs = Date.parse(memory.created_at);
    for (const key of likenessKeysOf(memory, this.#isolated)) {
      this.#rows.push({ key, createdMs, id, isThere });
    }
    if (this.#rows.length >= MOST_COLLECTED) this.flush();
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
  table.flush();
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
