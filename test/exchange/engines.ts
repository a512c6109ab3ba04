import { openSqlite } from '../../src/engines/sqlite/engine.ts';
import { InMemoryEngine } from '../../src/engines/in-memory/engine.ts';
import { openVault } from '../../src/engines/vault/engine.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testClock } from '../../src/testing/clock.ts';
import { testIds } from '../../src/testing/ids.ts';
import { fresh } from './support.ts';

/** Makes an empty store of one kind. */
export interface EngineKind {
  readonly kind: string;
  open(): Promise<Engine>;
}

let seed = 4000;
const sources = () => ({ clock: testClock(), ids: testIds(++seed) });

/** Every engine that a store can move to. */
export const ENGINES: readonly EngineKind[] = [
  { kind: 'vault', open: () => openVault({ ...sources(), path: fresh('vault') }) },
  { kind: 'sqlite', open: () => openSqlite({ ...sources(), path: fresh('store.db') }) },
  { kind: 'in-memory', open: async () => new InMemoryEngine(sources()) },
];
