import { describe, expect, test } from 'vitest';
import type { Memory } from '../../domain/memory.ts';
import type { Relation } from '../../domain/relation.ts';
import { VIEW_ALL, type View } from '../../domain/view.ts';
import type { Engine } from '../../ports/engine.ts';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { memoryOf, put } from '../memories.ts';

const SHARED: readonly Memory[] = [
  memoryOf({ id: 'FACT-GLOBAL', external_ids: ['jira-1'] }),
  memoryOf({ id: 'FACT-APOLLO', project: 'apollo', external_ids: ['Jira-1', 'jira-2'] }),
  memoryOf({ id: 'FACT-ANN', project: 'apollo', agent: 'ann' }),
  memoryOf({ id: 'FACT-BOB', project: 'apollo', agent: 'bob' }),
  memoryOf({ id: 'FACT-ZEUS', project: 'zeus', external_ids: ['jira-2'] }),
];

const APOLLO: View = { projects: ['apollo', 'global'], agents: 'all' };
const ANN: View = { projects: ['apollo', 'global'], agents: ['ann', ''] };
const NOTHING: View = { projects: [], agents: 'all' };

async function found(engine: Engine, refs: readonly string[], view: View): Promise<string[]> {
  const stored = await engine.get(refs, view);
  return stored.map(({ memory }) => memory.id).toSorted();
}

async function listed(engine: Engine, view: View): Promise<string[]> {
  const { rows } = await engine.select({
    view,
    filter: {},
    sort: 'id',
    descending: false,
    limit: 100,
  });
  return rows.map(({ memory }) => memory.id);
}

function to(target: string, type = 'supports'): Relation {
  return { type, target, confidence: 0.5, origin: 'stated' };
}

export function readContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  describe('get', () => {
    test('resolves ids in any case and ids of other systems exactly', async () => {
      const engine = await bench().open();
      await put(engine, ...SHARED);
      expect(await found(engine, ['FACT-GLOBAL'], VIEW_ALL)).toEqual(['FACT-GLOBAL']);
      expect(await found(engine, ['fact-Global'], VIEW_ALL)).toEqual(['FACT-GLOBAL']);
      expect(await found(engine, ['jira-1'], VIEW_ALL)).toEqual(['FACT-GLOBAL']);
      expect(await found(engine, ['Jira-1'], VIEW_ALL)).toEqual(['FACT-APOLLO']);
      expect(await found(engine, ['JIRA-1'], VIEW_ALL)).toEqual([]);
      expect(await found(engine, [], VIEW_ALL)).toEqual([]);
    });

    test('gives each memory once, and one foreign id may name several', async () => {
      const engine = await bench().open();
      await put(engine, ...SHARED);
      const refs = ['jira-2', 'FACT-APOLLO', 'fact-apollo', 'FACT-NOWHERE'];
      expect(await found(engine, refs, VIEW_ALL)).toEqual(['FACT-APOLLO', 'FACT-ZEUS']);
      expect(await found(engine, refs, APOLLO)).toEqual(['FACT-APOLLO']);
    });

    test('answers a memory of another project or drawer as one that is not there', async () => {
      const engine = await bench().open(true);
      await put(engine, ...SHARED);
      expect(await found(engine, ['FACT-ZEUS', 'FACT-BOB'], ANN)).toEqual([]);
      expect(await found(engine, ['FACT-ANN', 'FACT-GLOBAL'], ANN)).toEqual([
        'FACT-ANN',
        'FACT-GLOBAL',
      ]);
      expect(await found(engine, ['FACT-GLOBAL'], NOTHING)).toEqual([]);
    });

    test('no text is syntax', async () => {
      const engine = await bench().open();
      const odd = ["it's", '"quoted"', '%', '_', '[1]', 'a,b', 'ünïcödé', '🚀', '\\u0041', "';--"];
      await put(engine, memoryOf({ id: 'FACT-ODD-IDS', external_ids: odd }));
      for (const ref of odd) expect(await found(engine, [ref], VIEW_ALL)).toEqual(['FACT-ODD-IDS']);
    });
  });

  describe('views', () => {
    test('projects and drawers', async () => {
      const engine = await bench().open(true);
      await put(engine, ...SHARED);
      expect(await listed(engine, VIEW_ALL)).toHaveLength(5);
      expect(await listed(engine, APOLLO)).toEqual([
        'FACT-ANN',
        'FACT-APOLLO',
        'FACT-BOB',
        'FACT-GLOBAL',
      ]);
      expect(await listed(engine, ANN)).toEqual(['FACT-ANN', 'FACT-APOLLO', 'FACT-GLOBAL']);
      expect(await listed(engine, { projects: 'all', agents: [''] })).toEqual([
        'FACT-APOLLO',
        'FACT-GLOBAL',
        'FACT-ZEUS',
      ]);
      expect(await listed(engine, NOTHING)).toEqual([]);
      expect(await listed(engine, { projects: 'all', agents: [] })).toEqual([]);
    });

    test('stats count what the view sees', async () => {
      const engine = await bench().open(true);
      await put(engine, ...SHARED.map((memory, i) => ({ ...memory, tags: ['all', `t${i}`] })));
      expect(await engine.stats(ANN)).toMatchObject({
        total: 3,
        byType: { fact: 3 },
        byTier: { 'project-context': 3 },
        byStatus: { active: 3 },
        byProject: { apollo: 2, global: 1 },
        byAgent: { '': 2, ann: 1 },
        tags: { all: 3, t0: 1, t1: 1, t2: 1 },
        events: 5,
        position: 5,
      });
      expect((await engine.stats(NOTHING)).total).toBe(0);
    });

    test('stats name the 200 most frequent tags', async () => {
      const engine = await bench().open();
      const tags = Array.from({ length: 201 }, (_, i) => `tag-${String(i).padStart(3, '0')}`);
      await put(engine, memoryOf({ id: 'FACT-TAGS-1', tags }));
      await put(engine, memoryOf({ id: 'FACT-TAGS-2', tags: ['tag-200', '__proto__', '7'] }));
      const counted = (await engine.stats(VIEW_ALL)).tags;
      expect(Object.keys(counted)).toHaveLength(200);
      expect(counted['tag-200']).toBe(2);
      expect(counted['7']).toBe(1);
      expect(counted['tag-196']).toBe(1);
      expect(counted['tag-197']).toBeUndefined();
    });
  });

  describe('edges', () => {
    const linked: readonly Memory[] = [
      memoryOf({ id: 'FACT-A', relations: [to('FACT-B'), to('FACT-C', 'a!b'), to('FACT-Z')] }),
      memoryOf({ id: 'FACT-B', relations: [to('FACT-A', 'contradicts')] }),
      memoryOf({ id: 'FACT-C', relations: [to('FACT-GONE')] }),
      memoryOf({ id: 'FACT-Z', project: 'zeus', relations: [to('FACT-B')] }),
    ];

    test('come from and to a memory, in order, when both ends are seen', async () => {
      const engine = await bench().open();
      await put(engine, ...linked);
      expect(await engine.edges(['FACT-B'], VIEW_ALL)).toEqual([
        { source: 'FACT-A', ...to('FACT-B') },
        { source: 'FACT-B', ...to('FACT-A', 'contradicts') },
        { source: 'FACT-Z', ...to('FACT-B') },
      ]);
      expect(await engine.edges(['FACT-A', 'FACT-C'], APOLLO)).toEqual([
        { source: 'FACT-A', ...to('FACT-C', 'a!b') },
        { source: 'FACT-A', ...to('FACT-B') },
        { source: 'FACT-B', ...to('FACT-A', 'contradicts') },
      ]);
      expect(await engine.edges(['FACT-Z'], APOLLO)).toEqual([]);
    });

    test('go when the memory that holds them changes', async () => {
      const engine = await bench().open();
      await put(engine, ...linked);
      await put(engine, { ...(linked[0] as Memory), relations: [] });
      expect(await engine.edges(['FACT-A'], VIEW_ALL)).toEqual([
        { source: 'FACT-B', ...to('FACT-A', 'contradicts') },
      ]);
    });

    test('of one name are ordered alike, whatever its characters', async () => {
      const engine = await bench().open();
      const types = ['\u{1f680}', '\uffe6', 'a\u0001b', 'a', 'a b'];
      await put(
        engine,
        memoryOf({ id: 'FACT-A', relations: types.map((type) => to('FACT-B', type)) }),
        memoryOf({ id: 'FACT-B' }),
      );
      const edges = await engine.edges(['FACT-A'], VIEW_ALL);
      expect(edges.map(({ type }) => type)).toEqual([
        'a',
        'a\u0001b',
        'a b',
        '\u{1f680}',
        '\uffe6',
      ]);
    });
  });

  test('token counts are kept for memories that have none', async () => {
    const engine = await bench().open();
    await put(engine, memoryOf({ id: 'FACT-UNCOUNTED' }), memoryOf({ id: 'FACT-OTHER' }));
    const before = await engine.head();
    await engine.putTokens([
      { id: 'FACT-UNCOUNTED', version: 1, tokens: 12 },
      { id: 'FACT-OTHER', version: 2, tokens: 5 },
      { id: 'FACT-NOWHERE', version: 1, tokens: 3 },
    ]);
    await engine.putTokens([{ id: 'FACT-UNCOUNTED', version: 1, tokens: 99 }]);
    const tokens = async (id: string) => (await engine.get([id], VIEW_ALL))[0]?.tokens;
    expect(await tokens('FACT-UNCOUNTED')).toBe(12);
    expect(await tokens('FACT-OTHER')).toBeUndefined();
    expect(await engine.head()).toEqual(before);
    await put(engine, memoryOf({ id: 'FACT-UNCOUNTED', body: 'Another text.' }));
    expect(await tokens('FACT-UNCOUNTED')).toBeUndefined();
  });
}
