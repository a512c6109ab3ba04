import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { STATUSES, TIERS } from '../../src/domain/lifecycle.ts';
import type { Memory } from '../../src/domain/memory.ts';
import { parseQuery } from '../../src/domain/text/query.ts';
import { passes, sees, type Filter, type View } from '../../src/domain/view.ts';
import { openPostgres } from '../../src/engines/postgres/open.ts';
import { openSqlite } from '../../src/engines/sqlite/open.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testClock } from '../../src/testing/clock.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { freshPath } from './harnesses.ts';
import { freshStore, withoutServer } from './postgres.ts';

// Few values and a narrow span of time, so that borders are met.
const instant = fc
  .integer({ min: 0, max: 12 })
  .map((n) => Date.parse('2026-03-01') + n * 43_200_000);
const time = instant.map((ms) => new Date(ms).toISOString());
const name = fc.constantFrom('a', 'b', "it's", '京都', '');
const some = <T>(...values: T[]) => fc.subarray(values);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const project = fc.constantFrom('global', 'apollo', 'zeus');
const agent = fc.constantFrom('ann', 'bob');
const tag = fc.constantFrom('a', 'b', "it's", '京都');
const path = fc.constantFrom('src/a.ts', 'src/deep/b.ts', 'docs');

const memory: fc.Arbitrary<Partial<Memory>> = fc.record(
  {
    type: fc.constantFrom('fact', 'episode', 'impulse'),
    tier: fc.constantFrom(...TIERS),
    status: fc.constantFrom(...STATUSES),
    tags: fc.uniqueArray(tag),
    paths: fc.uniqueArray(path),
    project,
    agent,
    confidence: fc.constantFrom(0, 0.3, 0.8, 1),
    source: name,
    session_id: name,
    turn: fc.nat(3),
    ttl_days: fc.constantFrom(0, 0.5, 2, 3.5),
    valid_from: time,
    valid_to: time,
    superseded_at: time,
    entities: fc.array(fc.record({ kind: name, name: fc.constantFrom('Ann', 'ann', 'Bob') })),
    created_at: time,
    updated_at: time,
  },
  { requiredKeys: [] },
);

const filter: fc.Arbitrary<Filter> = fc.record({
  ids: maybe(some('FACT-001', 'FACT-002', 'FACT-099', 'FACT-NOWHERE')),
  types: maybe(some('fact', 'episode', 'impulse')),
  notTypes: maybe(some('fact', 'episode')),
  tiers: maybe(some(...TIERS)),
  statuses: maybe(some(...STATUSES)),
  tags: maybe(fc.uniqueArray(tag, { maxLength: 2 })),
  paths: maybe(fc.constantFrom('src', '*.ts', 'src/**', 'docs', 'nothing')),
  sources: maybe(some('a', 'b', 'owner')),
  sessionId: maybe(name),
  entityNames: maybe(some('ann', 'bob', 'nobody')),
  minConfidence: maybe(fc.constantFrom(0, 0.3, 0.5, 1)),
  sinceMs: maybe(instant),
  untilMs: maybe(instant),
  validAtMs: maybe(instant),
  endedByMs: maybe(instant),
  asOfMs: maybe(instant),
}) as fc.Arbitrary<Filter>;

/** Of all criteria a few at a time; with all of them nothing would pass. */
const few = fc
  .tuple(
    filter,
    fc.subarray(
      [
        'ids',
        'types',
        'notTypes',
        'tiers',
        'statuses',
        'tags',
        'paths',
        'sources',
        'sessionId',
        'entityNames',
        'minConfidence',
        'sinceMs',
        'untilMs',
        'validAtMs',
        'endedByMs',
        'asOfMs',
      ],
      { maxLength: 3 },
    ),
  )
  .map(([all, keys]) => {
    const wanted = Object.entries(all).filter(
      ([key, value]) => value !== undefined && keys.includes(key),
    );
    return Object.fromEntries(wanted) as Filter;
  });

const view: fc.Arbitrary<View> = fc.record({
  projects: fc.oneof(fc.constant('all' as const), some('global', 'apollo', 'zeus')),
  agents: fc.oneof(fc.constant('all' as const), some('', 'ann', 'bob')),
});

interface Case {
  readonly name: string;
  readonly runs: number;
  readonly skip: string | undefined;
  open(): Promise<Engine>;
}

const options = { clock: testClock(), ids: testIds(1) };
const CASES: readonly Case[] = [
  {
    name: 'SQLite',
    runs: 1500,
    skip: undefined,
    open: () => openSqlite({ ...options, path: freshPath('filter.db') }),
  },
  {
    name: 'PostgreSQL',
    runs: 300,
    skip: withoutServer,
    open: async () => openPostgres({ ...options, url: await freshStore() }),
  },
];

test.for(CASES)(
  '[C9] a filter in the SQL of $name lets through what its definition does',
  {
    timeout: 120_000,
  },
  async ({ runs, skip, open }, context) => {
    if (skip !== undefined) context.skip(skip);
    const memories = fc
      .sample(memory, { numRuns: 400, seed: 20_260_309 })
      .map((fields, i) =>
        memoryOf({ ...fields, id: `FACT-${String(i).padStart(3, '0')}`, body: 'same word' }),
      );
    const engine = await open();
    await put(engine, ...memories);
    const query = parseQuery('word');
    let passed = 0;
    const compare = async (given: Filter, seenBy: View): Promise<void> => {
      const right = memories.filter((one) => sees(seenBy, one) && passes(given, one));
      passed += right.length;
      const request = {
        view: seenBy,
        filter: given,
        sort: 'id',
        descending: false,
        limit: 400,
      } as const;
      const { rows, total } = await engine.select(request);
      expect(rows.map((row) => row.memory.id)).toEqual(right.map((one) => one.id));
      expect(total).toBe(right.length);
      const { matched } = await engine.keyword({ view: seenBy, filter: given, query, k: 1 });
      expect(matched).toBe(right.length);
    };
    await fc.assert(fc.asyncProperty(few, view, compare), { numRuns: runs, seed: 20_260_309 });
    // The comparison is worth something only if filters let some through and some not.
    expect(passed / runs).toBeGreaterThan(10);
    expect(passed / runs).toBeLessThan(200);
    await engine.close();
  },
);
