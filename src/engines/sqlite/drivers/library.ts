import type { Database, Driver, Statement } from './driver.ts';

/** What the two libraries have in common. */
export interface RawDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

/** A driver over a library: statements are prepared once for each text. */
export function driverOf(name: string, open: (path: string) => RawDatabase): Driver {
  return {
    name,
    open(path: string): Database {
      const raw = open(path);
      const statements = new Map<string, Statement>();
      let isOpen = true;
      return {
        exec: (sql) => void raw.exec(sql),
        prepare(sql) {
          let statement = statements.get(sql);
          if (!statement) statements.set(sql, (statement = raw.prepare(sql)));
          return statement;
        },
        close() {
          // One of the libraries minds being closed twice.
          if (!isOpen) return;
          isOpen = false;
          statements.clear();
          raw.close();
        },
      };
    },
  };
}
