import { describe } from 'vitest';
import { asRecorded } from '../../src/engines/in-memory/as-recorded.ts';
import { sqliteDriver } from '../../src/engines/sqlite/drivers/index.ts';
import { Loci } from '../../src/loci.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testClock, type TestClock } from '../../src/testing/clock.ts';
import { noDocuments } from '../../src/testing/documents.ts';
import { noOtherStores } from '../../src/testing/other-stores.ts';
import { useBench, type EngineHarness } from '../../src/testing/engine-harness.ts';
import { testIds } from '../../src/testing/ids.ts';
import { testTokens } from '../../src/testing/tokens.ts';
import { inMemory, sqlite, vault } from '../engines/harnesses.ts';

/** A store, and the clock that it goes by. */
export interface Clocked {
  readonly loci: Loci;
  readonly clock: TestClock;
}

export const HARNESSES: readonly [name: string, harness: EngineHarness][] = [
  ['in-memory', inMemory],
  ['sqlite', sqlite(sqliteDriver())],
  ['vault', vault],
];

/** The library over an engine, wired as `open` does it, with a clock that a test sets. */
export function clockedOver(engine: Engine, clock: TestClock): Loci {
  const ids = testIds(7);
  return new Loci({
    engine,
    clock,
    ids,
    tokens: testTokens,
    documents: noDocuments,
    others: noOtherStores,
    past: (recordedMs) => asRecorded(engine, recordedMs, { clock, ids }),
    scope: { project: 'boat', actor: 'owner', source: 'owner' },
    notices: [],
    version: '0.0.0',
  });
}

/** Runs the same tests on every engine, each in a store of its own. */
export function onEveryEngine(tests: (openAt: (iso: string) => Promise<Clocked>) => void): void {
  describe.each(HARNESSES)('%s', (_name, harness) => {
    const bench = useBench(harness);
    tests(async (iso) => {
      const clock = testClock(iso);
      return { loci: clockedOver(await bench().openAt(clock), clock), clock };
    });
  });
}
