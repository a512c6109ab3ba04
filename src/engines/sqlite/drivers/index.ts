import { LociError } from '../../../domain/errors.ts';
import { betterSqlite3 } from './better-sqlite3.ts';
import type { Driver } from './driver.ts';
import { nodeSqlite } from './node-sqlite.ts';

let chosen: Driver | undefined;

/**
 * The SQLite of this process: the one inside Node where it has one, otherwise better-sqlite3. One
 * library a process: two would not see each other's locks.
 * @throws LociError unavailable when there is neither
 */
export function sqliteDriver(): Driver {
  chosen ??= nodeSqlite() ?? betterSqlite3();
  if (chosen) return chosen;
  throw new LociError(
    'unavailable',
    `no SQLite here: Node ${process.versions.node} has none inside and better-sqlite3 is not installed for it`,
    'Use Node 22.13 or later, or run: npm install better-sqlite3@12',
  );
}
