import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fingerprintOf, passagesOf, type EmbeddingModel } from '../../src/domain/embedding.ts';
import { seededRandom } from '../../src/domain/random.ts';
import { VIEW_ALL, type Filter, type View } from '../../src/domain/view.ts';
import { sqliteDriver } from '../../src/engines/sqlite/drivers/index.ts';
import type { Engine, NearestRequest, NearestResult } from '../../src/ports/engine.ts';
import { atHand } from '../../src/testing/at-hand.ts';
import { testClock } from '../../src/testing/clock.ts';
import type { EngineHarness } from '../../src/testing/engine-harness.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { reopening } from '../../src/testing/reopening.ts';
import { sqlite, vault } from './harnesses.ts';

const DIMS = 40;
const MODEL: EmbeddingModel = {
  provider: 'fake',
  model: 'crowd',
  dimensions: DIMS,
  queryPrefix: '',
  documentPrefix: '',
};
const FINGERPRINT = fingerprintOf(MODEL);
const KINDS = ['equal', 'near', 'nearer', 'opposite', 'axis', 'random', 'zero'] as const;

/** The text of a memory says what its vector is. */
interface Text {
  readonly kind: (typeof KINDS)[number];
  readonly seed: number;
  readonly long: boolean;
}

interface Entry extends Text {
  readonly id: number;
  readonly project: string;
  readonly status: 'active' | 'superseded';
}

const text = { kind: fc.constantFrom(...KINDS), seed: fc.nat(12), long: fc.boolean() };
const entry: fc.Arbitrary<Entry> = fc.record({
  ...text,
  id: fc.nat(60),
  project: fc.constantFrom('boat', 'zeus', 'global'),
  status: fc.constantFrom('active' as const, 'superseded' as const),
});
const question = fc.record({
  ...text,
  k: fc.constantFrom(0, 1, 2, 5, 10, 1000),
  also: fc.array(
    fc.nat(60).map((id) => `FACT-${id}`),
    { maxLength: 5 },
  ),
  view: fc.constantFrom<View>(VIEW_ALL, { projects: ['boat', 'global'], agents: 'all' }),
  filter: fc.constantFrom<Filter>({}, { statuses: ['active'] }, { tags: ['long'] }),
});

function bodyOf({ kind, seed, long }: Text): string {
  const one = `${kind} ${seed}`;
  return long ? `${one} ${'word '.repeat(70)}.\n${one} again ${'word '.repeat(70)}.` : one;
}

const base = numbersOf(seededRandom(1));

function numbersOf(random: () => number): Float32Array {
  const numbers = Float32Array.from({ length: DIMS }, () => random() - 0.5);
  const length = Math.hypot(...numbers);
  return numbers.map((number) => number / length);
}

function vectorOf(passage: string): Float32Array {
  const [kind, digits = '0'] = passage.split(' ');
  const seed = Number(digits);
  const vector = Float32Array.from(base);
  const place = seed % DIMS;
  const number = vector[place] as number;
  if (kind === 'equal') return vector;
  if (kind === 'near') vector[place] = number + (seed - 6) / 2000;
  if (kind === 'nearer') vector[place] = number * (1 + (seed - 6) * 2 ** -23);
  if (kind === 'opposite') return vector.map((one) => -one);
  if (kind === 'axis') return new Float32Array(DIMS).fill(1, place, place + 1);
  if (kind === 'random')
    return numbersOf(seededRandom(seed + (passage.includes('again') ? 99 : 2)));
  if (kind === 'zero') return new Float32Array(DIMS);
  return vector;
}

async function embed(engine: Engine): Promise<void> {
  for (;;) {
    const pending = await engine.pendingVectors(FINGERPRINT, 7);
    if (pending.length === 0) return;
    const rows = pending.map(({ key, passages }) => ({ key, vectors: passages.map(vectorOf) }));
    await engine.putVectors(MODEL, rows);
  }
}

async function remember(engine: Engine, entries: readonly Entry[]): Promise<void> {
  const memories = new Map(
    entries.map(({ id, project, status, ...of }) => {
      const tags = of.long ? ['long'] : [];
      return [id, memoryOf({ id: `FACT-${id}`, body: bodyOf(of), project, status, tags })];
    }),
  );
  if (memories.size > 0) await put(engine, ...memories.values());
}

/** By the definition: every memory that may be found is compared, and then cut. */
async function scan(engine: Engine, { view, filter, vector, k, also = [] }: NearestRequest) {
  const page = { view, filter, sort: 'id', descending: false, limit: 1000 } as const;
  const { rows } = await engine.select(page);
  const all = rows.map(({ memory }) => {
    const cosines = passagesOf(memory).map((passage) => {
      let sum = 0;
      vectorOf(passage).forEach((number, d) => {
        sum += number * (vector[d] as number);
      });
      return sum;
    });
    return { id: memory.id, cosine: Math.max(...cosines) };
  });
  all.sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
  return all.filter(({ id }, i) => i < k || also.some((hit) => hit.id === id));
}

function hitsOf({ hits }: NearestResult) {
  return hits.map(({ id, cosine }) => ({ id, cosine: cosine + 0 }));
}

function vectorProperties(name: string, harness: EngineHarness, runs: number): void {
  test(`[B5] the nearest in ${name} are those of a scan, to the last bit`, async () => {
    let seed = 5000;
    const play = fc.record({
      batches: fc.array(fc.array(entry, { maxLength: 40 }), { minLength: 1, maxLength: 4 }),
      questions: fc.array(question, { minLength: 3, maxLength: 6 }),
      reindex: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(play, async ({ batches, questions, reindex }) => {
        seed += 2;
        const clock = testClock();
        const engine = await harness.open({ clock, ids: testIds(seed) });
        const oracle = await harness.oracle({ clock, ids: testIds(seed + 1) });
        try {
          for (const [i, batch] of batches.entries()) {
            for (const one of [engine, oracle]) {
              await remember(one, batch);
              await embed(one);
            }
            if (reindex && i === 0) await engine.reindex();
          }
          await embed(engine);
          for (const { kind, seed: place, long: _long, also: named, ...asked } of questions) {
            const vector = vectorOf(`${kind} ${place}`);
            const also = await atHand(oracle, ...named);
            const request = { model: FINGERPRINT, vector, ...asked, also };
            const [mine, right] = [await engine.nearest(request), await oracle.nearest(request)];
            expect(hitsOf(mine)).toEqual(hitsOf(right));
            const { mean, deviation, compared } = right;
            expect(mine).toMatchObject({ mean, deviation, compared });
            expect(hitsOf(mine)).toEqual(
              (await scan(oracle, request)).map((hit) => ({ ...hit, cosine: hit.cosine + 0 })),
            );
          }
        } finally {
          await engine.close();
        }
      }),
      { numRuns: runs, seed: 20_261_130 },
    );
  });
}

vectorProperties('sqlite', sqlite(sqliteDriver()), 60);
vectorProperties('sqlite opened anew', reopening(sqlite(sqliteDriver())), 10);
vectorProperties('a vault', vault, 15);
