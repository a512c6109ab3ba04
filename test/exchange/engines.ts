import { openSqlite } from '../../src/engines/sqlite/open.ts';
import { InMemoryEngine } from '../../src/engines/in-memory/engine.ts';
import { openVault } from '../../src/engines/vault/engine.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testClock } from '../../src/testing/clock.ts';
import { testIds } from '../../src/testing/ids.ts';
import { pglite, postgres, withoutServer } from '../engines/postgres.ts';
import { fresh } from './support.ts';

/** Makes an empty store of one kind. */
export interface EngineKind {
  readonly kind: string;
  open(): Promise<Engine>;
}

let seed = 4000;
const sources = () => ({ clock: testClock(), ids: testIds(++seed) });

const server: EngineKind = { kind: 'postgres', open: () => postgres.open(sources()) };

/** Every engine that a store can move to, in the order of a journey that ends where it began. */
export const ENGINES: readonly EngineKind[] = [
  { kind: 'vault', open: () => openVault({ ...sources(), path: fresh('vault') }) },
  ...(withoutServer === undefined ? [server] : []),
  { kind: 'sqlite', open: () => openSqlite({ ...sources(), path: fresh('store.db') }) },
  { kind: 'in-memory', open: async () => new InMemoryEngine(sources()) },
  { kind: 'pglite', open: () => pglite.open(sources()) },
];
