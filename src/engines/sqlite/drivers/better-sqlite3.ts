import { createRequire } from 'node:module';
import type { Driver } from './driver.ts';
import { driverOf, type RawDatabase } from './library.ts';

type BetterSqlite3 = new (path: string, options: { timeout: number }) => RawDatabase;

/** The package better-sqlite3; undefined where it is not installed or does not fit this Node. */
export function betterSqlite3(): Driver | undefined {
  const require = createRequire(import.meta.url);
  try {
    const Library = require('better-sqlite3') as BetterSqlite3;
    const { version } = require('better-sqlite3/package.json') as { version: string };
    // The native part loads with the first database: find out now whether it does.
    new Library(':memory:', { timeout: 0 }).close();
    return driverOf(`better-sqlite3 ${version}`, (path) => new Library(path, { timeout: 0 }));
  } catch {
    return undefined;
  }
}
