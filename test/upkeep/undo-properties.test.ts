import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TIERS } from '../../src/domain/lifecycle.ts';
import type { Memory } from '../../src/domain/memory.ts';
import type { Loci } from '../../src/loci.ts';
import { testClock } from '../../src/testing/clock.ts';
import { benchOf } from '../../src/testing/engine-harness.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { clockedOver, HARNESSES } from '../recall/clocked.ts';

const IDS = ['FACT-A1', 'FACT-B2', 'FACT-C3', 'FACT-D4', 'FACT-E5'] as const;
const TEXTS = [
  'The boat is blue.',
  'The boat is blue. ',
  'The boat is red.',
  'Port 80 is open now.',
];

type Fields = Omit<Memory, 'id' | 'updated_at'>;

/** Few texts and names, so that memories meet; whatever a log may hold, not only what rules let in. */
const fields: fc.Arbitrary<Partial<Fields>> = fc.record(
  {
    body: fc.constantFrom(...TEXTS),
    type: fc.constantFrom('fact', 'belief', 'decision', 'episode', 'conflict'),
    tier: fc.constantFrom(...TIERS),
    status: fc.constantFrom('active', 'active', 'draft', 'archived', 'rejected'),
    confidence: fc.constantFrom(0.5, 0.9, 1),
    source: fc.constantFrom('owner', 'tool'),
    tags: fc.subarray(['a', 'b']),
    classification: fc.constantFrom('PUBLIC', 'TEAM', 'PRIVATE'),
    created_at: fc.constantFrom('2024-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'),
    ttl_days: fc.constantFrom(1, 3000),
    valid_to: fc.constantFrom('2025-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'),
    supersedes: fc.constantFrom(...IDS),
    external_ids: fc.subarray(['ext-1', 'ext-2']),
    project: fc.constantFrom('boat', 'boat', 'boat', 'global'),
    relations: fc
      .subarray([...IDS])
      .map((ids) =>
        ids.map((target) => ({ type: 'contradicts', target, confidence: 1, origin: 'stated' })),
      ),
  },
  { requiredKeys: ['body', 'project'] },
) as fc.Arbitrary<Partial<Fields>>;

const verb = fc.constantFrom('gc', 'reflect', 'meditate');

const act = (loci: Loci, name: 'gc' | 'reflect' | 'meditate') =>
  name === 'gc' ? loci.gc() : name === 'reflect' ? loci.reflect() : loci.meditate();

for (const [name, harness] of HARNESSES) {
  test(`[I2] [E3] in ${name} whatever upkeep did is taken back to the same state`, async () => {
    const check = async (
      memories: readonly Partial<Fields>[],
      verbs: readonly ('gc' | 'reflect' | 'meditate')[],
    ): Promise<void> => {
      const bench = benchOf(harness);
      try {
        const clock = testClock('2026-03-10T12:00:00.000Z');
        const engine = await bench.openAt(clock);
        const loci = clockedOver(engine, clock);
        await put(engine, ...memories.map((one, i) => memoryOf({ id: IDS[i] as string, ...one })));
        const hash = async (): Promise<string> => (await engine.verify()).stateHash;
        const runs: { readonly run: string; readonly before: string }[] = [];
        for (const one of verbs) {
          clock.advance(1000);
          const before = await hash();
          const { run, skipped } = await act(loci, one);
          expect(skipped.filter(({ reason }) => reason.includes('meanwhile'))).toEqual([]);
          expect((await hash()) === before).toBe(run === null);
          if (run !== null) runs.push({ run, before });
          // Twice in a row changes nothing more.
          expect((await act(loci, one)).run).toBe(null);
        }
        for (const { run, before } of runs.reverse()) {
          clock.advance(1000);
          expect((await loci.undo({ ref: run })).skipped).toEqual([]);
          expect(await hash()).toBe(before);
        }
        expect((await engine.verify()).problems).toEqual([]);
      } finally {
        await bench.close();
      }
    };
    const property = fc.asyncProperty(
      fc.array(fields, { minLength: 1, maxLength: IDS.length }),
      fc.array(verb, { minLength: 1, maxLength: 3 }),
      check,
    );
    await fc.assert(property, { numRuns: name === 'in-memory' ? 200 : 15, seed: 20_260_310 });
  }, 120_000);
}
