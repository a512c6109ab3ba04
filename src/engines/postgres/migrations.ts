import { TABLES } from './migration-1.ts';
import { STATEMENTS } from './migration-2.ts';

/**
 * Numbered, contiguous migrations; `setup` runs each in a transaction of its own and records it. They
 * find their schema by the search path. A released one is never changed.
 *
 * Large tables lead with the project, so that they can be partitioned or distributed by it; nothing is
 * unique across projects but what the commit lock guards. Text is compared byte by byte, as on every
 * engine.
 */
export const MIGRATIONS: readonly { readonly version: number; readonly sql: string }[] = [
  { version: 1, sql: TABLES },
  { version: 2, sql: STATEMENTS },
];

export const SCHEMA_VERSION = MIGRATIONS.length;
