import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { InMemoryEngine } from '../../src/engines/in-memory/engine.ts';
import type { Driver } from '../../src/engines/sqlite/drivers/driver.ts';
import { openSqlite } from '../../src/engines/sqlite/open.ts';
import { openVault } from '../../src/engines/vault/engine.ts';
import type { EngineHarness, EngineOptions } from '../../src/testing/engine-harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'loci-engines-'));
let stores = 0;

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** A path in the test's temporary folder that nothing lies at yet. */
export function freshPath(name: string): string {
  stores += 1;
  return join(folder, `${stores}-${name}`);
}

const oracle = (options: EngineOptions): Promise<InMemoryEngine> =>
  Promise.resolve(new InMemoryEngine(options));

export const inMemory: EngineHarness = { open: oracle, oracle };

export function sqlite(driver: Driver): EngineHarness {
  return {
    oracle,
    open: (options) => openSqlite({ ...options, driver, path: freshPath('store.db') }),
    async reopen(engine, options) {
      const path = engine.location;
      await engine.close();
      return openSqlite({ ...options, driver, path });
    },
  };
}

export const vault: EngineHarness = {
  oracle,
  open: (options) => openVault({ ...options, path: freshPath('vault') }),
  async reopen(engine, options) {
    const path = engine.location;
    await engine.close();
    return openVault({ ...options, path });
  },
};
