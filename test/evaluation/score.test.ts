import { describe, expect, test } from 'vitest';
import type { EvalQuery } from '../../src/domain/eval-set.ts';
import type { RecalledMemory, Signal } from '../../src/domain/results.ts';
import { judge } from '../../src/evaluation/judge.ts';
import { scoreQuery } from '../../src/evaluation/score.ts';
import { summarise } from '../../src/evaluation/summarise.ts';

const STORED = new Map([
  ['a', 'A'],
  ['a2', 'A'], // merged into a
  ['b', 'B'],
  ['c', 'C'],
  ['old', 'OLD'],
]);

function query(fields: Partial<EvalQuery>): EvalQuery {
  return { id: 'q', project: 'p', query: 'where?', relevant: {}, ...fields };
}

function recalled(id: string, kind?: Signal['kind'], project = 'p'): RecalledMemory {
  return {
    id,
    type: 'fact',
    tier: 'project-context',
    status: 'active',
    project,
    agent: null,
    title: null,
    body: id,
    tags: [],
    score: 0.5,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    signals: kind ? [{ kind, message: kind }] : [],
  };
}

function score(
  asked: EvalQuery,
  results: RecalledMemory[],
  within: [number, string[]][] = [],
  isolated = false,
) {
  const scoring = { storedIds: STORED, ks: [1, 5], isolated };
  return scoreQuery(asked, { results, withinTokens: new Map(within) }, scoring);
}

function needsOf(fields: Partial<EvalQuery>): string[][] {
  return judge(query(fields), STORED).needs.map((ids) => [...ids]);
}

describe('what is needed', () => {
  test('with graded answers, grade 1 is context', () => {
    expect(needsOf({ relevant: { a: 2, b: 1, c: 2 } })).toEqual([['A'], ['C']]);
  });

  test('where all are 1, each is a need', () => {
    expect(needsOf({ relevant: { a: 1, b: 1 } })).toEqual([['A'], ['B']]);
  });

  test('a group is one need', () => {
    const fields = { relevant: { a: 2, b: 2, c: 2 }, equivalent: [['a', 'b']] };
    expect(needsOf(fields)).toEqual([['A', 'B'], ['C']]);
  });

  test('grade 0 is no answer', () => {
    expect(needsOf({ relevant: { a: 0 } })).toEqual([]);
  });

  test('a lost memory is a need that nothing meets', () => {
    expect(needsOf({ relevant: { gone: 2 } })).toEqual([[]]);
  });
});

describe('scores', () => {
  test('a hit on the survivor of a merge is a hit on both', () => {
    const scores = score(query({ relevant: { a: 2, a2: 2 } }), [recalled('A')]);
    expect(scores.recall).toEqual({ 1: 1, 5: 1 });
    expect(scores.all).toEqual({ 1: 1, 5: 1 });
    expect(scores.ndcg10).toBe(1);
  });

  test('within a budget, all that came back counts', () => {
    const asked = query({ relevant: { a: 2, b: 2 } });
    const scores = score(
      asked,
      [recalled('C')],
      [
        [500, ['C', 'B']],
        [1000, ['C', 'B', 'A']],
      ],
    );
    expect(scores.recall).toEqual({ 1: 0, 5: 0 });
    expect(scores.recall_at_tokens).toEqual({ 500: 0.5, 1000: 1 });
  });

  test('a forbidden memory ahead of the answer', () => {
    const asked = query({
      relevant: { a: 2 },
      forbidden: ['old'],
      forbiddenWhy: { old: 'superseded' },
    });
    const answer = recalled('A');
    expect(score(asked, [recalled('OLD'), answer])).toMatchObject({
      forbidden_ahead: 1,
      forbidden_ahead_unmarked: 1,
    });
    expect(score(asked, [recalled('OLD', 'superseded_by'), answer])).toMatchObject({
      forbidden_ahead: 1,
      forbidden_ahead_unmarked: 0,
    });
    expect(score(asked, [answer, recalled('OLD')])).toMatchObject({
      forbidden_ahead: 0,
      forbidden_ahead_unmarked: 0,
    });
    expect(score(asked, [recalled('OLD')])).toMatchObject({ forbidden_ahead: 1 });
  });

  test('a mark excuses no memory of another project', () => {
    const asked = query({
      relevant: { a: 2 },
      forbidden: ['old'],
      forbiddenWhy: { old: 'other_project' },
    });
    const scores = score(asked, [recalled('OLD', 'superseded_by', 'q'), recalled('A')]);
    expect(scores).toMatchObject({ forbidden_ahead_unmarked: 1, leak10: 1 });
  });

  test('without an answer, anything that comes back is a false positive', () => {
    expect(score(query({}), [recalled('C')])).toMatchObject({
      mrr: null,
      ndcg10: null,
      recall: { 1: null, 5: null },
      no_answer_false_positive: 1,
      forbidden_ahead: null,
    });
    expect(score(query({}), [])).toMatchObject({ no_answer_false_positive: 0 });
    expect(score(query({ relevant: { a: 2 } }), [])).toMatchObject({
      no_answer_false_positive: null,
    });
  });

  test('without an answer, a forbidden memory may be shown if it is marked', () => {
    const asked = query({ forbidden: ['old'], forbiddenWhy: { old: 'superseded' } });
    const shown = (...results: RecalledMemory[]) => score(asked, results).no_answer_forbidden_shown;
    expect(shown(recalled('OLD'))).toBe(1);
    expect(shown(recalled('OLD', 'superseded_by'))).toBe(0);
    expect(shown(recalled('C'))).toBe(0);
    expect(shown()).toBe(0);
    const tenOthers = Array.from({ length: 10 }, (_, i) => recalled(`X${i}`));
    expect(shown(...tenOthers, recalled('OLD'))).toBe(0);
    expect(score(query({}), [recalled('C')]).no_answer_forbidden_shown).toBe(null);
    expect(score({ ...asked, relevant: { a: 2 } }, []).no_answer_forbidden_shown).toBe(null);
  });

  test("another agent's drawer leaks where agents have drawers", () => {
    const asked = query({ agent: 'cook' });
    const theirs = { ...recalled('C'), agent: 'mate' };
    expect(score(asked, [theirs]).leak10).toBe(0);
    expect(score(asked, [theirs], [], true).leak10).toBe(1);
    expect(score(asked, [{ ...theirs, agent: 'cook' }, recalled('B')], [], true).leak10).toBe(0);
  });

  test('global memories are no leak', () => {
    expect(score(query({}), [recalled('C', undefined, 'global')]).leak10).toBe(0);
    expect(score(query({}), [recalled('C', undefined, 'r')]).leak10).toBe(1);
  });
});

test('adversarial queries are counted by kind only', () => {
  const rows = [
    { query: { kind: 'plain' }, scores: score(query({ relevant: { a: 2 } }), [recalled('A')]) },
    { query: { kind: 'plain' }, scores: score(query({ relevant: { a: 2 } }), []) },
    { query: { kind: 'adversarial' }, scores: score(query({ relevant: { a: 2 } }), []) },
    { query: {}, scores: score(query({ relevant: { a: 2 } }), []) },
  ];
  const summary = summarise(rows);
  expect(summary).toMatchObject({ queries: 3, mrr: 0.3333, recall: { 1: 0.3333 } });
  expect(summary.by_kind).toMatchObject({
    adversarial: { n: 1, mrr: 0 },
    plain: { n: 2, mrr: 0.5 },
  });
});
