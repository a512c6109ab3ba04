import type { Database } from '../../src/engines/sqlite/drivers/driver.ts';
import { sqliteDriver } from '../../src/engines/sqlite/drivers/index.ts';
import { MIGRATIONS } from '../../src/engines/sqlite/migrations.ts';

/** Rows that an earlier schema kept in another form; all others are kept as they are. */
const REWRITTEN: Readonly<Record<string, { readonly below: number; readonly sql: string }>> = {
  deltas: {
    below: 2,
    sql: `INSERT INTO deltas (space, doc, entry)
          SELECT key / 4294967296, key % 4294967296, entry FROM now.deltas`,
  },
};

/** Makes a store of a released schema that holds what a store of today does. */
export function asOfSchema(version: number, today: string, path: string): void {
  const database = sqliteDriver().open(path);
  try {
    for (const { sql } of MIGRATIONS.slice(0, version)) database.exec(sql);
    database.exec(`PRAGMA user_version = ${version}`);
    database.prepare('ATTACH ? AS now').run(today);
    for (const table of tablesOf(database)) {
      const rewritten = REWRITTEN[table];
      database.exec(
        rewritten && version < rewritten.below ? rewritten.sql : copied(database, table),
      );
    }
  } finally {
    database.close();
  }
}

function tablesOf(database: Database): string[] {
  return database
    .prepare(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all()
    .map(({ name }) => String(name));
}

function copied(database: Database, table: string): string {
  const columns = (schema: string): string[] =>
    database
      .prepare(`PRAGMA ${schema}.table_info(${table})`)
      .all()
      .map(({ name }) => String(name));
  const now = new Set(columns('now'));
  const shared = columns('main').filter((name) => now.has(name));
  return `INSERT INTO main.${table} (${shared.join()}) SELECT ${shared.join()} FROM now.${table}`;
}
