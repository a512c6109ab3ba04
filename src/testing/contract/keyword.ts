import { describe, expect, test } from 'vitest';
import type { Memory } from '../../domain/memory.ts';
import { parseQuery } from '../../domain/text/query.ts';
import { VIEW_ALL, type Filter, type View } from '../../domain/view.ts';
import type { Engine, KeywordResult } from '../../ports/engine.ts';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { memoryOf, put } from '../memories.ts';

interface Question {
  readonly view?: View;
  readonly filter?: Filter;
  readonly k?: number;
  readonly explain?: boolean;
}

export function ask(engine: Engine, text: string, question: Question = {}): Promise<KeywordResult> {
  const { view = VIEW_ALL, filter = {}, k = 10, explain = false } = question;
  return engine.keyword({ view, filter, query: parseQuery(text), k, explain });
}

export async function idsFor(
  engine: Engine,
  text: string,
  question: Question = {},
): Promise<string[]> {
  const { hits } = await ask(engine, text, question);
  return hits.map(({ stored }) => stored.memory.id);
}

/** Everything of an answer that must be the same on every engine, to the last bit. */
export function answerOf({ hits, plan, documentFrequency, matched }: KeywordResult): unknown {
  const shown = hits.map(({ stored, raw, length, terms }) => {
    return { memory: stored.memory, version: stored.version, raw, length, terms };
  });
  return { hits: shown, weights: [...plan.weights], asked: plan.asked, documentFrequency, matched };
}

const NOTES: readonly Memory[] = [
  memoryOf({
    id: 'FACT-1',
    title: 'Index choice',
    body: 'SQLite holds the index.',
    tags: ['storage'],
  }),
  memoryOf({ id: 'FACT-2', body: 'The index is rebuilt from the log. An index is cheap.' }),
  memoryOf({ id: 'FACT-3', body: 'ADR-042 picks SQLite for src/index/main.ts', project: 'apollo' }),
  memoryOf({
    id: 'FACT-4',
    body: 'Release v1.9 notes: index fixes',
    project: 'apollo',
    agent: 'ann',
  }),
  memoryOf({
    id: 'FACT-5',
    body: 'Release v1.10 notes: log fixes',
    project: 'apollo',
    agent: 'bob',
  }),
  memoryOf({ id: 'FACT-6', body: '週末は京都で紅葉狩りを楽しんだ', project: 'zeus' }),
  memoryOf({ id: 'FACT-7', body: 'An index of zeus', project: 'zeus', status: 'archived' }),
  memoryOf({ id: 'FACT-8', body: 'Café naïve index', status: 'draft', ttl_days: 1 }),
];

const VIEWS: readonly View[] = [
  VIEW_ALL,
  { projects: ['apollo', 'global'], agents: 'all' },
  { projects: ['apollo', 'global'], agents: ['ann', ''] },
  { projects: ['zeus'], agents: [''] },
  { projects: [], agents: 'all' },
];

const FILTERS: readonly Filter[] = [
  {},
  { statuses: ['active'] },
  { statuses: ['active', 'draft'], validAtMs: Date.parse('2026-03-20') },
  { notTypes: ['episode'], tiers: ['project-context'] },
  { notTypes: ['fact'] },
  { tags: ['storage'] },
  { paths: 'nothing.ts' },
  { ids: ['FACT-2', 'FACT-5'] },
  { sinceMs: Date.parse('2026-03-09'), statuses: ['active'] },
];

const QUESTIONS = [
  'index',
  'index of the log',
  'ADR-042 index',
  'v1.9',
  '紅葉狩り',
  'src/index/main.ts',
  'cafe naive',
  'nothing of this is there: qwertz',
  '',
  '"index" AND (NOT *',
];

/** A memory of one session. */
function turn(n: number, body: string, more: Partial<Memory> = {}): Memory {
  return memoryOf({ id: `FACT-TURN-${n}`, session_id: 's1', turn: n, body, ...more });
}

function untimed(id: string, body: string, created_at: string): Memory {
  return memoryOf({ id, body, created_at, session_id: 's1' });
}

/** Memories that say the same, in no order of their ids. */
function crowd(word: string, count: number, project: string): Memory[] {
  return Array.from({ length: count }, (_, i) => {
    const id = `FACT-${(i * 7919) % count}-${word}-${project}`.toUpperCase();
    return memoryOf({ id, project, body: `The ${word} says the same words as all.` });
  });
}

export function keywordContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  test('[B5] answers like the scan, to the last bit, for every view and filter', async () => {
    const engine = await bench().open(true);
    const oracle = await bench().oracle(true);
    await put(engine, ...NOTES);
    await put(oracle, ...NOTES);
    for (const view of VIEWS) {
      for (const filter of FILTERS) {
        for (const question of QUESTIONS) {
          const request = { view, filter, k: 3, explain: true };
          const answer = answerOf(await ask(engine, question, request));
          const right = answerOf(await ask(oracle, question, request));
          expect({ question, view, filter, answer }).toEqual({
            question,
            view,
            filter,
            answer: right,
          });
        }
      }
    }
  });

  test('finds, counts and cuts after the filter', async () => {
    const engine = await bench().open();
    await put(engine, ...NOTES);
    const all = await ask(engine, 'index');
    expect(all.matched).toBe(6);
    expect(all.documentFrequency).toEqual([6]);
    expect(all.hits).toHaveLength(6);
    const cut = await ask(engine, 'index', { k: 1, filter: { statuses: ['archived'] } });
    expect(cut.hits.map(({ stored }) => stored.memory.id)).toEqual(['FACT-7']);
    expect(cut.matched).toBe(1);
    // Statistics are those of the view, whatever the filter.
    expect(cut.documentFrequency).toEqual([6]);
    expect((await ask(engine, 'index', { k: 0 })).hits).toEqual([]);
    expect(await idsFor(engine, 'ADR-042 index', { k: 1 })).toEqual(['FACT-3']);
  });

  test('counts nothing of what the view does not see', async () => {
    const engine = await bench().open();
    await put(engine, ...NOTES);
    const view: View = { projects: ['zeus'], agents: 'all' };
    const { documentFrequency, matched, plan } = await ask(engine, 'index release', { view });
    expect(documentFrequency).toEqual([1, 0]);
    expect(matched).toBe(1);
    const alone = await bench().open();
    await put(alone, ...NOTES.filter((memory) => memory.project === 'zeus'));
    const same = await ask(alone, 'index release', { view });
    expect([...plan.weights]).toEqual([...same.plan.weights]);
  });

  test('equal scores are ordered by id', async () => {
    const engine = await bench().open();
    const ids = ['FACT-TIE-C', 'FACT-TIE-A', 'FACT-TIE-D', 'FACT-TIE-B'];
    await put(engine, ...ids.map((id) => memoryOf({ id, body: 'The same words.' })));
    expect(await idsFor(engine, 'words')).toEqual(ids.toSorted());
    expect(await idsFor(engine, 'words', { k: 2 })).toEqual(['FACT-TIE-A', 'FACT-TIE-B']);
  });

  test('equal scores of a crowd, too: the first by id, behind what is better', async () => {
    const better = memoryOf({ id: 'FACT-Z', body: 'Crowd and few: words.', project: 'apollo' });
    const all = [
      ...crowd('crowd', 700, 'apollo'),
      ...crowd('few', 12, 'apollo'),
      better,
      ...crowd('crowd', 300, 'zeus'),
    ];
    const engine = await bench().open();
    const oracle = await bench().oracle();
    for (const one of [engine, oracle]) await put(one, ...all);
    for (const projects of ['all', ['apollo'], ['zeus']] as const) {
      for (const question of ['crowd words', 'few words', 'words']) {
        const view: View = { projects, agents: 'all' };
        const request = { view, k: 5 };
        const right = await idsFor(oracle, question, request);
        expect(right).toHaveLength(5);
        expect(await idsFor(engine, question, request)).toEqual(right);
      }
    }
  });

  describe('after a change', () => {
    const note = memoryOf({ id: 'FACT-PRIYA', body: 'Priya works at Fabrikam' });

    test('old words are gone and new ones are there', async () => {
      const engine = await bench().open();
      await put(engine, note);
      expect(await idsFor(engine, 'Fabrikam')).toEqual(['FACT-PRIYA']);
      await put(engine, { ...note, body: 'Priya works at Contoso' });
      const old = await ask(engine, 'Fabrikam');
      expect(old.hits).toEqual([]);
      expect(old.documentFrequency).toEqual([0]);
      expect(await idsFor(engine, 'Contoso')).toEqual(['FACT-PRIYA']);
    });

    test('title, tags, paths and speaker follow as well', async () => {
      const engine = await bench().open();
      const fields = {
        title: 'Zeppelin',
        tags: ['yacht'],
        paths: ['src/xylo.ts'],
        speaker: 'Walter',
      };
      await put(engine, { ...note, ...fields });
      const words = ['zeppelin', 'yacht', 'xylo', 'walter'];
      const found = () => Promise.all(words.map((word) => idsFor(engine, word)));
      expect(await found()).toEqual(words.map(() => ['FACT-PRIYA']));
      await put(engine, note);
      expect(await found()).toEqual(words.map(() => []));
    });

    test('a status or interval that changes alone is seen by the filter', async () => {
      const engine = await bench().open();
      const current: Filter = { statuses: ['active'], validAtMs: Date.parse('2026-04-01') };
      await put(engine, note);
      expect(await idsFor(engine, 'Priya', { filter: current })).toEqual(['FACT-PRIYA']);
      await put(engine, { ...note, status: 'archived' });
      expect(await idsFor(engine, 'Priya', { filter: current })).toEqual([]);
      expect(await idsFor(engine, 'Priya')).toEqual(['FACT-PRIYA']);
      await put(engine, { ...note, valid_to: '2026-04-01T00:00:00.000Z' });
      expect(await idsFor(engine, 'Priya', { filter: current })).toEqual([]);
      await put(engine, note);
      expect(await idsFor(engine, 'Priya', { filter: current })).toEqual(['FACT-PRIYA']);
    });
  });

  describe('the memory before in a session', () => {
    test('lends its words, and new ones when it changes', async () => {
      const engine = await bench().open();
      await put(engine, turn(1, 'Shall we take the zeppelin?'));
      await put(engine, turn(2, 'Yes, certainly.'));
      expect(await idsFor(engine, 'zeppelin')).toEqual(['FACT-TURN-1', 'FACT-TURN-2']);
      await put(engine, turn(1, 'Shall we take the yacht?'));
      expect(await idsFor(engine, 'zeppelin')).toEqual([]);
      expect(await idsFor(engine, 'yacht')).toEqual(['FACT-TURN-1', 'FACT-TURN-2']);
    });

    test('is another one when a memory comes between or moves away', async () => {
      const engine = await bench().open();
      await put(engine, turn(1, 'Shall we take the zeppelin?'));
      await put(engine, turn(3, 'Yes, certainly.'));
      await put(engine, turn(2, 'Or the yacht?'));
      expect(await idsFor(engine, 'zeppelin')).toEqual(['FACT-TURN-1', 'FACT-TURN-2']);
      expect(await idsFor(engine, 'yacht')).toEqual(['FACT-TURN-2', 'FACT-TURN-3']);
      await put(engine, turn(2, 'Or the yacht?', { session_id: 's2' }));
      expect(await idsFor(engine, 'zeppelin')).toEqual(['FACT-TURN-1', 'FACT-TURN-3']);
      expect(await idsFor(engine, 'yacht')).toEqual(['FACT-TURN-2']);
    });

    test('lies in the same project and drawer', async () => {
      const engine = await bench().open(true);
      await put(
        engine,
        turn(1, 'Shall we take the zeppelin?', { project: 'zeus' }),
        turn(2, 'Or the yacht?', { agent: 'ann' }),
        turn(3, 'Yes, certainly.'),
      );
      expect(await idsFor(engine, 'zeppelin')).toEqual(['FACT-TURN-1']);
      expect(await idsFor(engine, 'yacht')).toEqual(['FACT-TURN-2']);
    });

    test('without turns goes by time, then id', async () => {
      const engine = await bench().open();
      await put(
        engine,
        untimed('FACT-B', 'Yes, certainly.', '2026-03-01T00:00:02.000Z'),
        untimed('FACT-A', 'Certainly not.', '2026-03-01T00:00:02.000Z'),
        untimed('FACT-C', 'The zeppelin?', '2026-03-01T00:00:01.000Z'),
      );
      expect(await idsFor(engine, 'zeppelin')).toEqual(['FACT-C', 'FACT-A']);
    });
  });
}
