import { afterEach, beforeEach } from 'vitest';
import type { Clock } from '../ports/clock.ts';
import type { Engine } from '../ports/engine.ts';
import type { Ids } from '../ports/ids.ts';
import { testClock, type TestClock } from './clock.ts';
import { testIds } from './ids.ts';

export interface EngineOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly isolated?: boolean;
}

/** How the contract suite gets at an engine. */
export interface EngineHarness {
  /** Opens a new, empty store. */
  open(options: EngineOptions): Promise<Engine>;
  /** Closes an engine and opens its store again; absent where the store ends with its engine. */
  reopen?(engine: Engine, options: EngineOptions): Promise<Engine>;
  /** A new, empty store of the in-memory engine, whose answers are the right ones. */
  oracle(options: EngineOptions): Promise<Engine>;
}

/** What a test of the contract works with. */
export interface Bench {
  readonly clock: TestClock;
  /** Opens a new, empty store that is closed after the test. */
  open(isolated?: boolean): Promise<Engine>;
  /** The same with a clock of its own: another machine. */
  openAt(clock: Clock): Promise<Engine>;
  oracle(isolated?: boolean): Promise<Engine>;
  reopen(engine: Engine, isolated?: boolean): Promise<Engine>;
  close(): Promise<void>;
}

let seed = 0;

export function benchOf(harness: EngineHarness): Bench {
  const clock = testClock();
  const opened = new Set<Engine>();
  const keep = (engine: Engine): Engine => {
    opened.add(engine);
    return engine;
  };
  const options = (isolated: boolean, at: Clock = clock): EngineOptions => {
    seed += 1;
    return { clock: at, ids: testIds(seed), isolated };
  };
  return {
    clock,
    open: async (isolated = false) => keep(await harness.open(options(isolated))),
    openAt: async (at) => keep(await harness.open(options(false, at))),
    oracle: async (isolated = false) => keep(await harness.oracle(options(isolated))),
    async reopen(engine, isolated = false) {
      if (!harness.reopen) throw new Error('this store ends with its engine');
      opened.delete(engine);
      return keep(await harness.reopen(engine, options(isolated)));
    },
    async close() {
      for (const engine of opened) await engine.close();
      opened.clear();
    },
  };
}

/** A bench of its own for each test of the suite around it. */
export function useBench(harness: EngineHarness): () => Bench {
  let bench: Bench | undefined;
  beforeEach(() => {
    bench = benchOf(harness);
  });
  afterEach(() => bench?.close());
  return () => bench as Bench;
}
