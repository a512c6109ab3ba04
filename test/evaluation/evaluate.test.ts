import { afterEach, expect, test } from 'vitest';
import type { EvalAnswer } from '../../src/domain/evaluation.ts';
import type { Loci } from '../../src/loci.ts';
import { open } from '../../src/open.ts';
import { MEMORIES, QUERIES, writeSet } from './support.ts';

const stores: Loci[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

async function emptyStore(): Promise<Loci> {
  const store = await open('memory:', { project: 'global' });
  stores.push(store);
  return store;
}

async function answersTo(dir: string): Promise<EvalAnswer[]> {
  const answers: EvalAnswer[] = [];
  const store = await emptyStore();
  await store.evaluate({ dir }, { onAnswer: (answer) => void answers.push(answer) });
  return answers;
}

test('stores a set, asks its questions and scores the answers', async () => {
  const store = await emptyStore();
  const result = await store.evaluate({ dir: writeSet(MEMORIES, QUERIES), k: [1, 3] });
  expect(result).toMatchObject({
    queries: 5,
    recall: { 1: 1, 3: 1 },
    all: { 1: 1, 3: 1 },
    any: { 1: 1, 3: 1 },
    mrr: 1,
    ndcg10: 1,
    recall_at_tokens: { 500: 1, 1000: 1, 2000: 1 },
    forbidden_ahead: 0,
    no_answer_false_positive: 0,
    leak10: 0,
    by_kind: { adversarial: { n: 1, mrr: 0 }, merged: { n: 1, recall: { 1: 1, 3: 1 } } },
    memories: 6,
    embedder: 'builtin:words',
    warnings: [],
  });
  const { latency_ms, ingest_ms_per_memory } = result;
  expect([latency_ms.p50, latency_ms.p95, ingest_ms_per_memory]).not.toContain(null);
});

test('keeps the ids of the set, and shows merged ones together', async () => {
  const answers = await answersTo(writeSet(MEMORIES, QUERIES));
  expect(answers.map(({ id }) => id)).toEqual(['q1', 'q2', 'q3', 'q4', 'q5', 'q6']);
  expect(answers[1]).toMatchObject({ kind: 'temporal', results: [{ id: 'm1' }] });
  expect(answers[2]).toMatchObject({ results: [{ id: 'm3', merged: ['m4'], stale: false }] });
  expect(answers[4]).toMatchObject({ results: [], recall: { 5: null }, mrr: null });
});

test('[I6] an answer has the scores of its query, and what each result costs', async () => {
  const answers: EvalAnswer[] = [];
  const store = await emptyStore();
  const dir = writeSet(MEMORIES, QUERIES);
  await store.evaluate({ dir, k: [1], budgets: [200] }, { onAnswer: (row) => answers.push(row) });
  expect(answers[0]).toMatchObject({
    id: 'q1',
    kind: 'superseded_current',
    query: 'when does the harbour office open?',
    recall: { 1: 1 },
    all: { 1: 1 },
    any: { 1: 1 },
    mrr: 1,
    ndcg10: 1,
    recall_at_tokens: { 200: 1 },
    forbidden_ahead: 0,
    no_answer_false_positive: null,
    leak10: 0,
  });
  // What recall says of the whole answer is its results and 16 tokens around them.
  const asker = store.scoped({ project: 'boat' });
  const whole = await asker.recall({ query: 'when does the harbour office open?' });
  const sum = (answers[0]?.results ?? []).reduce((tokens, found) => tokens + found.tokens, 0);
  expect(sum).toBeGreaterThan(20);
  expect(whole.tokens_used).toBe(sum + 16);
});

test('a store with other memories is refused, and stays as it is', async () => {
  const store = await emptyStore();
  await store.remember({ body: 'The boat is called Anna.', project: 'boat' });
  await expect(store.evaluate({ dir: writeSet(MEMORIES, QUERIES) })).rejects.toMatchObject({
    code: 'conflict',
    message: 'The store memory: holds a memory that is none of this set',
    hint: expect.stringContaining('loci golden') as string,
  });
  expect((await store.status({ allProjects: true })).memories.total).toBe(1);
});

test('also when it holds memories of the set beside them, in any project and drawer', async () => {
  const store = await open('memory:', { project: 'global', agent: 'mate', isolation: 'per-agent' });
  stores.push(store);
  const dir = writeSet(MEMORIES, QUERIES);
  await store.evaluate({ dir });
  await store.evaluate({ dir });
  await store.scoped({ project: 'attic', agent: 'cook' }).remember({ body: 'Salt is on top.' });
  await expect(store.evaluate({ dir })).rejects.toMatchObject({ code: 'conflict' });
});

test('says how far it is: what is stored, then what is embedded, then what is asked', async () => {
  const said: [string, number, number][] = [];
  const store = await emptyStore();
  await store.evaluate(
    { dir: writeSet(MEMORIES, QUERIES) },
    { progress: (done, total, what) => said.push([what, done, total]) },
  );
  expect(said[0]).toEqual(['storing', 0, 6]);
  expect(said[1]).toEqual(['embedding', 5, 6]);
  expect(said.slice(2)).toEqual([0, 1, 2, 3, 4, 5, 6].map((done) => ['asking', done, 6]));
});

function shown(answers: readonly EvalAnswer[]): unknown {
  return answers.map(({ results }) =>
    results.map(({ id, score, stale }) => ({ id, score, stale })),
  );
}

function rename(id: string): string {
  return `zz-${9 - Number(id.slice(1))}`;
}

test('labels and ids do not touch an answer', async () => {
  const memories = MEMORIES.map((memory) => ({
    ...memory,
    id: rename(memory.id as string),
    ...(memory.supersedes ? { supersedes: rename(memory.supersedes as string) } : {}),
  }));
  const queries = QUERIES.map(({ id, project, query, as_of }) => ({
    id: `other-${id}`,
    project,
    query,
    as_of,
    relevant: { [rename('m5')]: 2 },
    forbidden: [rename('m2')],
    kind: 'other',
  }));
  const before = await answersTo(writeSet(MEMORIES, QUERIES));
  const renamed = before.map((answer) => ({
    ...answer,
    results: answer.results.map((found) => ({ ...found, id: rename(found.id) })),
  }));
  expect(shown(await answersTo(writeSet(memories, queries)))).toEqual(shown(renamed));
});

test('a second run in the same store finds the memories there', async () => {
  const store = await emptyStore();
  const dir = writeSet(MEMORIES, QUERIES);
  const first = await store.evaluate({ dir });
  const second = await store.evaluate({ dir });
  expect(second).toMatchObject({ recall: first.recall, mrr: first.mrr, warnings: [] });
  expect((await store.status({ allProjects: true })).memories.total).toBe(5);
});

test('asks only the first queries when told to', async () => {
  const result = await (
    await emptyStore()
  ).evaluate({
    dir: writeSet(MEMORIES, QUERIES),
    limit: 2,
  });
  expect(result.queries).toBe(2);
  expect(Object.keys(result.by_kind)).toEqual(['superseded_current', 'temporal']);
});

test('a refused memory is reported and counts as not found', async () => {
  const memories = [MEMORIES[0], { id: 'm2', project: 'boat', body: 'x', supersedes: 'm99' }];
  const queries = [{ id: 'q1', project: 'boat', query: 'x', relevant: { m2: 2 } }];
  const result = await (
    await emptyStore()
  ).evaluate({
    dir: writeSet(memories as Record<string, unknown>[], queries),
  });
  expect(result.warnings).toEqual([expect.stringMatching(/^memory "m2" was refused: .*m99/)]);
  expect(result.recall).toEqual({ 5: 0, 10: 0, 20: 0 });
});

test.each([
  [{ k: [0] }, /k\.0 is 0/],
  [{ budgets: [] }, /budgets is \[\]: must have at least one/],
  [{ depth: 3 }, /unknown key: "depth"/],
])('refuses %j', async (options, message) => {
  const store = await emptyStore();
  await expect(store.evaluate({ dir: '/nowhere', ...options })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(message) as string,
  });
});
