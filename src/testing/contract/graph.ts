import { describe, expect, test } from 'vitest';
import type { Citation } from '../../domain/graph/citations.ts';
import type { Memory } from '../../domain/memory.ts';
import { VIEW_ALL, type View } from '../../domain/view.ts';
import type { Engine, TaggedRequest } from '../../ports/engine.ts';
import { useBench, type Bench, type EngineHarness } from '../engine-harness.ts';
import { memoryOf, put } from '../memories.ts';

const BOAT: View = { projects: ['boat'], agents: 'all' };

async function bearers(
  engine: Engine,
  request: Partial<TaggedRequest> & Pick<TaggedRequest, 'tags'>,
): Promise<Record<string, string[]>> {
  const asked = { view: VIEW_ALL, filter: {}, most: 10, ...request };
  const found = await engine.tagged(asked);
  const ids = [...found].map(([tag, all]) => [tag, all.map(({ id }) => id)] as const);
  return Object.fromEntries(ids.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function tagged(id: string, tags: readonly string[], more: Partial<Memory> = {}): Memory {
  return memoryOf({ id, tags, ...more });
}

function cite(source: string, target: string, mentions = 1): Citation {
  return { source, target, mentions };
}

async function filled(bench: Bench): Promise<Engine> {
  const engine = await bench.open();
  await put(
    engine,
    ...['FACT-AAA', 'FACT-BBB', 'FACT-CCC'].map((id) => memoryOf({ id })),
    memoryOf({ id: 'FACT-BOAT', project: 'boat' }),
  );
  return engine;
}

export function graphContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  describe('who bears a tag', () => {
    test('by tag and id, in view and filter', async () => {
      const engine = await bench().open();
      await put(
        engine,
        tagged('FACT-ZZZ', ['hull', 'paint'], { created_at: '2026-01-02T00:00:00.000Z' }),
        tagged('FACT-AAA', ['hull', "it's", '"a,b"']),
        tagged('FACT-BOAT', ['hull'], { project: 'boat' }),
        tagged('FACT-OLD', ['hull'], { status: 'archived' }),
      );
      const tags = ['hull', 'paint', "it's", '"a,b"', 'none'];
      expect(await bearers(engine, { tags, filter: { statuses: ['active'] } })).toEqual({
        hull: ['FACT-AAA', 'FACT-BOAT', 'FACT-ZZZ'],
        paint: ['FACT-ZZZ'],
        "it's": ['FACT-AAA'],
        '"a,b"': ['FACT-AAA'],
      });
      expect(await bearers(engine, { tags, view: BOAT })).toEqual({ hull: ['FACT-BOAT'] });
      expect(await bearers(engine, { tags: [] })).toEqual({});
      expect(await bearers(engine, { tags, filter: { paths: 'src/**' } })).toEqual({});
      const all = await engine.tagged({ view: VIEW_ALL, filter: {}, tags: ['paint'], most: 1 });
      expect(all.get('paint')).toEqual([
        { id: 'FACT-ZZZ', created_at: '2026-01-02T00:00:00.000Z' },
      ]);
    });

    test('a tag that too many of them bear is left out, counted in the view', async () => {
      const engine = await bench().open();
      const many = Array.from({ length: 1200 }, (_, i) =>
        tagged(`FACT-MANY-${i}`, ['common'], { project: 'sea' }),
      );
      await put(engine, ...many, tagged('FACT-BOAT', ['common'], { project: 'boat' }));
      const tags = ['common'];
      expect(await bearers(engine, { tags, most: 1200 })).toEqual({});
      expect(await bearers(engine, { tags, view: BOAT, most: 1 })).toEqual({
        common: ['FACT-BOAT'],
      });
      expect((await bearers(engine, { tags, most: 1201 }))['common']).toHaveLength(1201);
    });

    test('what a memory bears now, and not what it bore', async () => {
      const engine = await bench().open();
      await put(engine, tagged('FACT-AAA', ['hull']));
      await put(engine, tagged('FACT-AAA', ['sail']));
      expect(await bearers(engine, { tags: ['hull', 'sail'] })).toEqual({ sail: ['FACT-AAA'] });
    });
  });

  describe('citations', () => {
    test('are counted by the memories that cite, those of the view', async () => {
      const engine = await filled(bench());
      const events = (await engine.head()).position;
      await engine.putCitations(VIEW_ALL, [
        cite('FACT-AAA', 'FACT-CCC', 7),
        cite('FACT-BBB', 'FACT-CCC'),
        cite('FACT-BOAT', 'FACT-CCC'),
        cite('FACT-CCC', 'FACT-AAA'),
        cite('FACT-GONE', 'FACT-AAA'),
      ]);
      const asked = ['FACT-AAA', 'FACT-BBB', 'FACT-CCC'];
      expect(await engine.citationCounts(asked, VIEW_ALL)).toEqual(
        new Map([
          ['FACT-AAA', 1],
          ['FACT-CCC', 3],
        ]),
      );
      expect(await engine.citationCounts(asked, BOAT)).toEqual(new Map([['FACT-CCC', 1]]));
      expect(await engine.citationCounts([], VIEW_ALL)).toEqual(new Map());
      expect((await engine.head()).position).toBe(events);
    });

    test('replace those of the same view and leave the others', async () => {
      const engine = await filled(bench());
      await engine.putCitations(VIEW_ALL, [
        cite('FACT-AAA', 'FACT-CCC'),
        cite('FACT-BOAT', 'FACT-CCC'),
      ]);
      await engine.putCitations(BOAT, [cite('FACT-BOAT', 'FACT-BBB')]);
      expect(await engine.citationCounts(['FACT-BBB', 'FACT-CCC'], VIEW_ALL)).toEqual(
        new Map([
          ['FACT-BBB', 1],
          ['FACT-CCC', 1],
        ]),
      );
    });

    test('[A11] are gone with the memory that is purged', async () => {
      const engine = await filled(bench());
      await engine.putCitations(VIEW_ALL, [cite('FACT-AAA', 'FACT-CCC')]);
      await engine.purge(['FACT-CCC'], 'owner');
      expect(await engine.citationCounts(['FACT-CCC'], VIEW_ALL)).toEqual(new Map());
    });

    test('are derived: an index built anew has none, and the state is the same', async () => {
      const engine = await filled(bench());
      const { stateHash } = await engine.verify();
      await engine.putCitations(VIEW_ALL, [cite('FACT-AAA', 'FACT-CCC')]);
      expect((await engine.verify()).stateHash).toBe(stateHash);
      expect((await engine.reindex()).stateHash).toBe(stateHash);
      expect(await engine.citationCounts(['FACT-CCC'], VIEW_ALL)).toEqual(new Map());
    });
  });
}
