import { describe, expect, test } from 'vitest';
import type { Memory } from '../../domain/memory.ts';
import { VIEW_ALL, type Filter } from '../../domain/view.ts';
import type { Engine, SortKey } from '../../ports/engine.ts';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { memoryOf, put } from '../memories.ts';

const at = (iso: string): number => Date.parse(iso);

const MEMORIES: readonly Memory[] = [
  memoryOf({
    id: 'DECI-INDEX',
    type: 'decision',
    tier: 'preferences',
    tags: ['storage', 'adr'],
    paths: ['src/index/main.ts'],
    confidence: 0.95,
    created_at: '2026-01-05T00:00:00.000Z',
  }),
  memoryOf({
    id: 'BELI-SLOW',
    type: 'belief',
    tags: ['storage'],
    paths: ['docs/speed.md', 'src/index/scan.ts'],
    confidence: 0.4,
    source: 'document',
    status: 'draft',
    created_at: '2026-01-06T10:00:00.000Z',
  }),
  memoryOf({
    id: 'FACT-OLD-PORT',
    status: 'superseded',
    superseded_by: 'FACT-NEW-PORT',
    superseded_at: '2026-02-01T00:00:00.000Z',
    created_at: '2026-01-10T00:00:00.000Z',
  }),
  memoryOf({ id: 'FACT-NEW-PORT', created_at: '2026-02-01T00:00:00.000Z' }),
  memoryOf({
    id: 'OPEN-QUESTION',
    type: 'open_question',
    ttl_days: 30,
    created_at: '2026-01-10T00:00:00.000Z',
    session_id: 's1',
    entities: [{ kind: 'person', name: 'Ann Lee' }],
  }),
  memoryOf({
    id: 'FACT-OFFER',
    valid_from: '2026-02-01T00:00:00.000Z',
    valid_to: '2026-03-01T00:00:00.000Z',
    created_at: '2026-01-01T00:00:00.000Z',
    confidence: 0.4,
  }),
  memoryOf({
    id: 'EPIS-MONDAY',
    type: 'episode',
    tier: 'conversations',
    status: 'archived',
    created_at: '2026-01-05T00:00:00.000Z',
    session_id: 's1',
  }),
  memoryOf({
    id: 'IMPU-BUY',
    type: 'impulse',
    status: 'rejected',
    source: "ann's phone",
    created_at: '2026-03-01T00:00:00.000Z',
  }),
];

const ALL = MEMORIES.map((memory) => memory.id).toSorted();
const others = (...ids: string[]): string[] => ALL.filter((id) => !ids.includes(id));

const FILTERS: readonly [name: string, filter: Filter, ids: readonly string[]][] = [
  ['no criterion', {}, ALL],
  ['ids', { ids: ['BELI-SLOW', 'IMPU-BUY', 'NOT-THERE'] }, ['BELI-SLOW', 'IMPU-BUY']],
  ['no ids', { ids: [] }, []],
  ['types', { types: ['decision', 'impulse'] }, ['DECI-INDEX', 'IMPU-BUY']],
  [
    'types left out',
    { notTypes: ['fact', 'episode'] },
    others('EPIS-MONDAY', 'FACT-NEW-PORT', 'FACT-OFFER', 'FACT-OLD-PORT'),
  ],
  ['tiers', { tiers: ['preferences', 'conversations'] }, ['DECI-INDEX', 'EPIS-MONDAY']],
  ['statuses', { statuses: ['draft', 'rejected'] }, ['BELI-SLOW', 'IMPU-BUY']],
  ['no statuses', { statuses: [] }, []],
  ['a tag', { tags: ['storage'] }, ['BELI-SLOW', 'DECI-INDEX']],
  ['all of several tags', { tags: ['storage', 'adr'] }, ['DECI-INDEX']],
  ['a part of a tag', { tags: ['stor'] }, []],
  ['a folder', { paths: 'src/index' }, ['BELI-SLOW', 'DECI-INDEX']],
  ['a glob', { paths: 'docs/*.md' }, ['BELI-SLOW']],
  ['a name without its folder', { paths: 'main.ts' }, ['DECI-INDEX']],
  ['sources', { sources: ['document', "ann's phone"] }, ['BELI-SLOW', 'IMPU-BUY']],
  ['a session', { sessionId: 's1' }, ['EPIS-MONDAY', 'OPEN-QUESTION']],
  ['an entity', { entityNames: ['nobody', 'ann lee'] }, ['OPEN-QUESTION']],
  ['a confidence', { minConfidence: 0.8 }, others('BELI-SLOW', 'FACT-OFFER')],
  ['since, inclusive', { sinceMs: at('2026-02-01') }, ['FACT-NEW-PORT', 'IMPU-BUY']],
  ['until, exclusive', { untilMs: at('2026-01-05') }, ['FACT-OFFER']],
  [
    'a window',
    { sinceMs: at('2026-01-05'), untilMs: at('2026-01-10') },
    ['BELI-SLOW', 'DECI-INDEX', 'EPIS-MONDAY'],
  ],
  [
    'what holds before an interval',
    { validAtMs: at('2026-01-31T23:59:59.999Z') },
    others('FACT-OFFER'),
  ],
  [
    'what holds at its start',
    { validAtMs: at('2026-02-01'), types: ['fact', 'open_question'] },
    ['FACT-NEW-PORT', 'FACT-OFFER', 'FACT-OLD-PORT', 'OPEN-QUESTION'],
  ],
  ['what holds at its end', { validAtMs: at('2026-03-01') }, others('FACT-OFFER', 'OPEN-QUESTION')],
  ['a time to live, to the day', { validAtMs: at('2026-02-09'), types: ['open_question'] }, []],
  ['what has ended', { endedByMs: at('2026-03-01') }, ['FACT-OFFER', 'OPEN-QUESTION']],
  ['what has ended before', { endedByMs: at('2026-02-28T23:59:59.999Z') }, ['OPEN-QUESTION']],
  [
    'believed before the successor',
    { asOfMs: at('2026-01-31'), statuses: ['active'] },
    ['DECI-INDEX', 'FACT-OLD-PORT', 'OPEN-QUESTION'],
  ],
  [
    'believed from the successor on',
    { asOfMs: at('2026-02-01'), statuses: ['active'] },
    ['DECI-INDEX', 'FACT-NEW-PORT', 'FACT-OFFER', 'OPEN-QUESTION'],
  ],
  [
    'believed, history included',
    { asOfMs: at('2026-02-01'), statuses: ['active', 'superseded'] },
    ['DECI-INDEX', 'FACT-NEW-PORT', 'FACT-OFFER', 'FACT-OLD-PORT', 'OPEN-QUESTION'],
  ],
  [
    'as of, any status',
    { asOfMs: at('2026-01-10') },
    ['BELI-SLOW', 'DECI-INDEX', 'EPIS-MONDAY', 'FACT-OLD-PORT', 'OPEN-QUESTION'],
  ],
  [
    'several criteria',
    {
      types: ['belief', 'decision'],
      tags: ['storage'],
      minConfidence: 0.4,
      statuses: ['draft'],
      paths: '**/scan.ts',
    },
    ['BELI-SLOW'],
  ],
];

/** What was put away in February. */
const archived = (fields: Partial<Memory> & Pick<Memory, 'id'>): Memory =>
  memoryOf({
    status: 'archived',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-02-01T00:00:00.000Z',
    ...fields,
  });
const LATER_ARCHIVED: readonly Memory[] = [
  archived({ id: 'FACT-KEPT' }),
  archived({ id: 'FACT-REPLACED', superseded_at: '2026-01-15T00:00:00.000Z' }),
  archived({ id: 'FACT-WRONG', status: 'rejected' }),
  archived({ id: 'FACT-VAGUE', status: 'superseded' }),
];

const ORDERS: readonly [sort: SortKey, descending: boolean, ids: readonly string[]][] = [
  ['id', false, ALL],
  ['id', true, ALL.toReversed()],
  [
    'created_at',
    false,
    [
      'FACT-OFFER',
      'DECI-INDEX',
      'EPIS-MONDAY',
      'BELI-SLOW',
      'FACT-OLD-PORT',
      'OPEN-QUESTION',
      'FACT-NEW-PORT',
      'IMPU-BUY',
    ],
  ],
  [
    'updated_at',
    true,
    [
      'IMPU-BUY',
      'FACT-NEW-PORT',
      'OPEN-QUESTION',
      'FACT-OLD-PORT',
      'BELI-SLOW',
      'EPIS-MONDAY',
      'DECI-INDEX',
      'FACT-OFFER',
    ],
  ],
  [
    'confidence',
    true,
    [
      'DECI-INDEX',
      'OPEN-QUESTION',
      'IMPU-BUY',
      'FACT-OLD-PORT',
      'FACT-NEW-PORT',
      'EPIS-MONDAY',
      'FACT-OFFER',
      'BELI-SLOW',
    ],
  ],
];

interface Pages {
  readonly filter?: Filter;
  readonly sort?: SortKey;
  readonly descending?: boolean;
  readonly size: number;
  /** Runs after each page. */
  readonly between?: () => Promise<unknown>;
}

async function page(engine: Engine, pages: Pages): Promise<{ ids: string[]; totals: number[] }> {
  const { filter = {}, sort = 'created_at', descending = false, size, between } = pages;
  const ids: string[] = [];
  const totals: number[] = [];
  let after: { value: string | number; id: string } | undefined;
  for (;;) {
    const position = after ? { after } : {};
    const request = { view: VIEW_ALL, filter, sort, descending, limit: size, ...position };
    const { rows, total } = await engine.select(request);
    totals.push(total);
    ids.push(...rows.map(({ memory }) => memory.id));
    const last = rows.at(-1)?.memory;
    if (!last) return { ids, totals };
    after = { value: last[sort], id: last.id };
    await between?.();
  }
}

export function selectContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  test.each(FILTERS)('[C9] lets through: %s', async (_name, filter, ids) => {
    const engine = await bench().open();
    await put(engine, ...MEMORIES);
    const pages = await page(engine, { filter, sort: 'id', size: 100 });
    expect(pages.ids).toEqual(ids);
    expect(pages.totals[0]).toBe(ids.length);
  });

  test.each([
    ['before all', '2026-01-14T23:59:59.999Z', ['active'], ['FACT-KEPT', 'FACT-REPLACED']],
    ['from the successor on', '2026-01-15T00:00:00.000Z', ['active'], ['FACT-KEPT']],
    ['history', '2026-01-31T23:59:59.999Z', ['superseded'], ['FACT-REPLACED', 'FACT-VAGUE']],
    ['once archived', '2026-02-01T00:00:00.000Z', ['active'], []],
    ['the archive', '2026-02-01T00:00:00.000Z', ['archived'], ['FACT-KEPT', 'FACT-REPLACED']],
    ['what was wrong', '2026-01-02T00:00:00.000Z', ['rejected'], ['FACT-WRONG']],
  ] as const)('[C11] asks for the status of then: %s', async (_name, instant, statuses, ids) => {
    const engine = await bench().open();
    await put(engine, ...LATER_ARCHIVED);
    const filter = { asOfMs: at(instant), statuses };
    expect((await page(engine, { filter, sort: 'id', size: 100 })).ids).toEqual(ids);
  });

  test.each(ORDERS)(
    '[C9] sorts by %s, descending %s, ties by id',
    async (sort, descending, ids) => {
      const engine = await bench().open();
      await put(engine, ...MEMORIES);
      expect((await page(engine, { sort, descending, size: 100 })).ids).toEqual(ids);
      expect((await page(engine, { sort, descending, size: 3 })).ids).toEqual(ids);
    },
  );

  describe('pages', () => {
    const many = Array.from({ length: 11 }, (_, i) =>
      memoryOf({
        id: `FACT-PAGE-${String(i).padStart(2, '0')}`,
        created_at: `2026-01-0${1 + (i % 3)}T00:00:00.000Z`,
        paths: i % 2 === 0 ? ['even.md'] : [],
      }),
    );

    test.each([1, 2, 4, 100])(
      '[C9] of %i: no row twice, none lost, the total on each',
      async (size) => {
        const engine = await bench().open();
        await put(engine, ...many);
        const { ids, totals } = await page(engine, { size });
        expect(ids).toHaveLength(11);
        expect(new Set(ids).size).toBe(11);
        expect(new Set(totals)).toEqual(new Set([11]));
      },
    );

    test('[C9] with a glob, which no index answers', async () => {
      const engine = await bench().open();
      await put(engine, ...many);
      const { ids, totals } = await page(engine, { filter: { paths: 'even.md' }, size: 2 });
      expect(ids.toSorted()).toEqual(
        ['00', '02', '04', '06', '08', '10'].map((n) => `FACT-PAGE-${n}`),
      );
      expect(new Set(totals)).toEqual(new Set([6]));
    });

    test('[C9] stay in place while memories come and go', async () => {
      const engine = await bench().open();
      await put(engine, ...many);
      let n = 0;
      const between = async () => {
        n += 1;
        await put(
          engine,
          // One before the place that was reached, one behind it.
          memoryOf({ id: `FACT-EARLY-${n}`, created_at: '2025-12-31T00:00:00.000Z' }),
          memoryOf({ id: `FACT-LATE-${n}`, created_at: '2026-01-09T00:00:00.000Z' }),
        );
      };
      const { ids } = await page(engine, {
        size: 5,
        between: () => (n < 2 ? between() : Promise.resolve()),
      });
      expect(ids).toHaveLength(13);
      expect(ids.filter((id) => id.startsWith('FACT-PAGE'))).toHaveLength(11);
      expect(ids.slice(-2)).toEqual(['FACT-LATE-1', 'FACT-LATE-2']);
    });
  });
}
