import { describe } from 'vitest';
import type { Memory } from '../../src/domain/memory.ts';
import type { Loci } from '../../src/loci.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testClock, type TestClock } from '../../src/testing/clock.ts';
import { useBench } from '../../src/testing/engine-harness.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { clockedOver, HARNESSES } from '../recall/clocked.ts';

export type Given = Partial<Memory> & Pick<Memory, 'id'>;

/** A store in the hands of upkeep, and the clock that it goes by. */
export interface Kept {
  readonly loci: Loci;
  readonly engine: Engine;
  readonly clock: TestClock;
}

/** A store that holds what is given, whatever the rules for writing say of it. */
export type Keep = (...memories: readonly Given[]) => Promise<Kept>;

const NOW = '2026-03-10T12:00:00.000Z';

/** Memories of the caller's project, unless they say otherwise. */
function given(...memories: readonly Given[]): readonly Memory[] {
  return memories.map((memory) => memoryOf({ project: 'boat', ...memory }));
}

/** Runs the same tests on every engine, each in a store of its own. */
export function onEveryEngine(tests: (keep: Keep) => void): void {
  describe.each(HARNESSES)('%s', (_name, harness) => {
    const bench = useBench(harness);
    tests(async (...memories) => {
      const clock = testClock(NOW);
      const engine = await bench().openAt(clock);
      await put(engine, ...given(...memories));
      clock.advance(1000);
      return { loci: clockedOver(engine, clock), engine, clock };
    });
  });
}

export async function hashOf({ engine }: Pick<Kept, 'engine'>): Promise<string> {
  return (await engine.verify()).stateHash;
}

/** Status of each memory, by id. */
export async function statusesOf(
  { loci }: Pick<Kept, 'loci'>,
  ...ids: readonly string[]
): Promise<Record<string, string>> {
  const { memories } = await loci.get({ ids: [...ids] });
  return Object.fromEntries(memories.map(({ id, status }) => [id, status]));
}
