import { test } from 'vitest';
import { betterSqlite3 } from '../../src/engines/sqlite/drivers/better-sqlite3.ts';
import { nodeSqlite } from '../../src/engines/sqlite/drivers/node-sqlite.ts';
import { engineContract } from '../../src/testing/engine-contract.ts';
import { reopening } from '../../src/testing/reopening.ts';
import { sqlite } from './harnesses.ts';

const DRIVERS = [
  ['better-sqlite3', betterSqlite3(), 'better-sqlite3 is not installed for this Node'],
  ['node:sqlite', nodeSqlite(), `Node ${process.versions.node} has no SQLite inside`],
] as const;

for (const [name, driver] of DRIVERS) {
  if (!driver) continue;
  engineContract(`sqlite by ${name}`, sqlite(driver));
  engineContract(`sqlite by ${name}, opened anew after every change`, reopening(sqlite(driver)));
}

const missing = DRIVERS.filter(([, driver]) => !driver);

test.for(missing)('engine: sqlite by %s', ([, , reason], context) => {
  context.skip(reason);
});
