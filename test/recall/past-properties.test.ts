import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LociError } from '../../src/domain/errors.ts';
import type { Loci } from '../../src/loci.ts';
import { testClock, type TestClock } from '../../src/testing/clock.ts';
import { benchOf } from '../../src/testing/engine-harness.ts';
import { clockedOver, HARNESSES } from './clocked.ts';
import { rounds } from '../vault/soak.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.parse('2026-03-01T00:00:00Z');

const hours = fc.integer({ min: -60, max: 60 });
const nth = fc.nat(7);
const remember = fc.record({
  verb: fc.constant('remember' as const),
  /** Hours before now that it came to be known. */
  age: fc.oneof(fc.constant(0), fc.nat(60)),
  ttlDays: fc.option(fc.constantFrom(0.5, 1, 2), { nil: undefined }),
  validFrom: fc.option(hours, { nil: undefined }),
  validHours: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
  supersedes: fc.option(nth, { nil: undefined }),
});
const step = fc.record({
  /** Hours that pass before it; some so few that borders are met. */
  wait: fc.oneof(fc.constant(1), fc.nat(30)),
  what: fc.oneof(
    { weight: 5, arbitrary: remember },
    { weight: 2, arbitrary: fc.record({ verb: fc.constant('archive' as const), nth }) },
    { weight: 1, arbitrary: fc.record({ verb: fc.constant('reject' as const), nth }) },
    { weight: 1, arbitrary: fc.record({ verb: fc.constant('restore' as const), nth }) },
    { weight: 1, arbitrary: fc.record({ verb: fc.constant('rewrite' as const), nth }) },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What a person would note down about a memory: when it was taken for true. */
interface Note {
  readonly id: string;
  readonly body: string;
  readonly fromMs: number;
  untilMs: number;
  readonly validFromMs: number;
  readonly validUntilMs: number;
  isRejected: boolean;
  isArchived: boolean;
  isReplaced: boolean;
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** Lives through some days. Steps that make no sense are left out. */
class Diary {
  readonly notes: Note[] = [];
  readonly #loci: Loci;
  readonly #clock: TestClock;
  #count = 0;

  constructor(loci: Loci, clock: TestClock) {
    this.#loci = loci;
    this.#clock = clock;
  }

  async live({ wait, what }: Step): Promise<void> {
    this.#clock.advance(wait * HOUR_MS);
    if (what.verb === 'remember') return this.#remember(what);
    const note = this.notes[what.nth];
    if (!note) return;
    if (what.verb === 'restore' || what.verb === 'rewrite') return this.#other(what.verb, note);
    const before = note.isRejected || (what.verb === 'archive' && note.isArchived);
    if (before) return;
    await this.#loci[what.verb]({ id: note.id });
    note.untilMs = Math.min(note.untilMs, this.#clock.nowMs());
    note.isArchived = what.verb === 'archive';
    note.isRejected = what.verb === 'reject';
  }

  async #remember(what: Extract<Step['what'], { verb: 'remember' }>): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const fromMs = nowMs - what.age * HOUR_MS;
    const validFromMs = what.validFrom === undefined ? -Infinity : nowMs + what.validFrom * HOUR_MS;
    const endMs =
      what.validHours === undefined || validFromMs === -Infinity
        ? Infinity
        : validFromMs + what.validHours * HOUR_MS;
    const ttlMs = what.ttlDays === undefined ? Infinity : fromMs + what.ttlDays * 24 * HOUR_MS;
    const old = what.supersedes === undefined ? undefined : this.notes[what.supersedes];
    const replaced = old && !old.isReplaced && !old.isArchived && !old.isRejected ? old : undefined;
    this.#count += 1;
    const body = `Entry ${this.#count} of the ship`;
    const { results } = await this.#loci.remember({
      body,
      createdAt: iso(fromMs),
      ...(what.ttlDays === undefined ? {} : { ttlDays: what.ttlDays }),
      ...(validFromMs === -Infinity ? {} : { validFrom: iso(validFromMs) }),
      ...(endMs === Infinity ? {} : { validTo: iso(endMs) }),
      ...(replaced ? { supersedes: replaced.id } : {}),
    });
    if (replaced) {
      replaced.isReplaced = true;
      replaced.untilMs = Math.min(replaced.untilMs, fromMs);
    }
    this.notes.push({
      id: results[0]?.id ?? '',
      body,
      fromMs,
      untilMs: Infinity,
      validFromMs,
      validUntilMs: Math.min(endMs, ttlMs),
      isRejected: false,
      isArchived: false,
      isReplaced: false,
    });
  }

  /** Changes that the notes do not follow; a refusal is no matter here. */
  async #other(verb: 'restore' | 'rewrite', { id }: Note): Promise<void> {
    this.#count += 1;
    const body = `Entry ${this.#count} of the ship, rewritten`;
    const change =
      verb === 'restore' ? this.#loci.restore({ id }) : this.#loci.update({ id, body });
    await change.catch((error: unknown) => {
      if (!(error instanceof LociError) || error.code !== 'conflict') throw error;
    });
  }
}

function believedAt(notes: readonly Note[], instantMs: number): string[] {
  return notes
    .filter(({ isRejected }) => !isRejected)
    .filter(({ fromMs, untilMs }) => fromMs <= instantMs && instantMs < untilMs)
    .filter(({ validFromMs, validUntilMs }) => validFromMs <= instantMs && instantMs < validUntilMs)
    .map(({ body }) => body)
    .toSorted();
}

async function living<T>(
  harness: (typeof HARNESSES)[number][1],
  work: (loci: Loci, clock: TestClock, diary: Diary) => Promise<T>,
): Promise<T> {
  const bench = benchOf(harness);
  try {
    const clock = testClock(iso(START_MS));
    const loci = clockedOver(await bench.openAt(clock), clock);
    return await work(loci, clock, new Diary(loci, clock));
  } finally {
    await bench.close();
  }
}

/** Everything that reads answer, but for the window, which says what was asked. */
async function answers(loci: Loci, ids: readonly string[], asRecorded?: string): Promise<unknown> {
  const past = { asRecorded };
  const all = {
    status: ['draft', 'active', 'superseded', 'rejected', 'archived'],
    limit: 1000,
    ...past,
  };
  const found = [
    await loci.recall({ query: 'entry of the ship', limit: 50, explain: true, ...past }),
    await loci.recall({ query: 'rewritten', includeSuperseded: true, maxTokens: 200, ...past }),
    await loci.search(all),
    await loci.get({ ids, history: true, relations: true, ...past }),
  ];
  return found.map(({ window: _window, ...answer }) => answer);
}

const RUNS: Readonly<Record<string, number>> = {
  'in-memory': rounds(40, 100),
  sqlite: rounds(30, 100),
  vault: rounds(10, 30),
};

describe.each(HARNESSES)('%s', (name, harness) => {
  const options = { numRuns: RUNS[name] ?? 0, seed: 20_260_309 };

  test('[C11] as_of answers like the notes that a person would have kept', async () => {
    // Restored and rewritten memories are left out: fields do not tell how they were before.
    const life = fc.array(
      step.filter(({ what }) => what.verb !== 'restore' && what.verb !== 'rewrite'),
      { minLength: 6, maxLength: 15 },
    );
    let believed = 0;
    const property = fc.asyncProperty(life, fc.array(hours, { maxLength: 3 }), (steps, others) =>
      living(harness, async (loci, clock, diary) => {
        for (const one of steps) await diary.live(one);
        const borders = diary.notes.flatMap((note) => [
          note.fromMs,
          note.untilMs,
          note.validUntilMs,
        ]);
        const instants = [
          ...borders.flatMap((ms) => (ms < Infinity ? [ms - 1, ms] : [])),
          ...others.map((n) => clock.nowMs() + n * HOUR_MS),
        ];
        for (const ms of new Set(instants)) {
          const right = believedAt(diary.notes, ms);
          believed += right.length;
          const asOf = iso(ms);
          const { results, total } = await loci.search({ asOf, limit: 1000 });
          expect(results.map(({ body }) => body).toSorted()).toEqual(right);
          expect(total).toBe(right.length);
          const recalled = await loci.recall({ query: 'ship', asOf, limit: 1000, minScore: 0 });
          expect(recalled.results.map(({ body }) => body).toSorted()).toEqual(right);
        }
      }),
    );
    await fc.assert(property, options);
    expect(believed).toBeGreaterThan(options.numRuns * 10);
  });

  test('[C11] as_recorded answers what was answered then', async () => {
    const life = fc.array(step, { minLength: 6, maxLength: 15 });
    const property = fc.asyncProperty(life, (steps) =>
      living(harness, async (loci, clock, diary) => {
        const then: { at: string; ids: string[]; answer: unknown }[] = [];
        for (const one of steps) {
          await diary.live({ ...one, wait: Math.max(1, one.wait) });
          const ids = diary.notes.map(({ id }) => id);
          then.push({ at: iso(clock.nowMs()), ids, answer: await answers(loci, ids) });
        }
        clock.advance(HOUR_MS);
        for (const { at, ids, answer } of then) {
          expect(await answers(loci, ids, at)).toEqual(answer);
        }
      }),
    );
    await fc.assert(property, options);
  });
});
