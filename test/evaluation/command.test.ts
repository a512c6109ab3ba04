import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { MEMORIES, QUERIES, writeSet } from './support.ts';

const BIN = fileURLToPath(new URL('../../bin/loci.js', import.meta.url));
const temp = join(homedir(), 'temp');
mkdirSync(temp, { recursive: true });

function loci(...args: string[]): { code: number | null; out: string; err: string } {
  const env = { ...process.env, TMPDIR: temp };
  const done = spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8', env, cwd: temp });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

function storesLeft(): string[] {
  return readdirSync(temp).filter((name) => name.startsWith('loci-eval-'));
}

test('answers with one JSON document and leaves nothing behind', () => {
  const { code, out, err } = loci('eval', writeSet(MEMORIES, QUERIES), '--k', '1,3', '--json');
  expect(err).toBe('');
  expect(code).toBe(0);
  const result = JSON.parse(out) as Record<string, unknown>;
  expect(Object.keys(result)).toEqual(
    expect.arrayContaining([
      'queries',
      'recall',
      'all',
      'any',
      'mrr',
      'ndcg10',
      'recall_at_tokens',
      'forbidden_ahead',
      'no_answer_false_positive',
      'leak10',
      'by_kind',
      'latency_ms',
      'ingest_ms_per_memory',
      'embedder',
    ]),
  );
  expect(result).toMatchObject({ queries: 5, recall: { 1: 1, 3: 1 }, embedder: 'builtin:words' });
  expect(storesLeft()).toEqual([]);
});

test('uses the store that is named, and writes what each query brought', () => {
  const dir = writeSet(MEMORIES, QUERIES);
  const store = `sqlite:${join(dir, 'kept.db')}`;
  const out = join(dir, 'answers.jsonl');
  const { code } = loci('eval', dir, '--store', store, '--budgets', '100', '--out', out, '--json');
  expect(code).toBe(0);
  expect(existsSync(join(dir, 'kept.db'))).toBe(true);
  const rows = readFileSync(out, 'utf8').trim().split('\n');
  expect(rows.map((row) => (JSON.parse(row) as { id: string }).id)).toEqual([
    'q1',
    'q2',
    'q3',
    'q4',
    'q5',
    'q6',
  ]);
});

test('shows a table to a person', () => {
  const { out } = loci('eval', writeSet(MEMORIES, QUERIES), '--k', '1');
  expect(out).toMatch(/^kind +queries +recall@1 +MRR +nDCG@10 +forbidden$/m);
  expect(out).toMatch(/^temporal +1 +1\.000 +1\.000 +1\.000 +–$/m);
  expect(out).toMatch(/^all +5 +1\.000 +1\.000 +1\.000 +0\.000$/m);
});

test('[I6] two runs are compared, each as it was measured', () => {
  const dir = writeSet(MEMORIES, QUERIES);
  const [before, after] = [join(dir, 'before.jsonl'), join(dir, 'after.jsonl')];
  loci('eval', dir, '--out', before, '-q');
  // A later run in which nothing comes back any more for the first question.
  const [first = '', ...others] = readFileSync(before, 'utf8').split('\n');
  const worse = {
    ...JSON.parse(first),
    mrr: 0,
    ndcg10: 0,
    recall: { 5: 0, 10: 0, 20: 0 },
  } as object;
  writeFileSync(after, [JSON.stringify(worse), ...others].join('\n'));

  const { code, out, err } = loci('eval', '--compare', before, after, '--json');
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({
    comparison: {
      queries: 5,
      recall: { 5: { n: 4, before: 1, after: 0.75, difference: -0.25, worse: 1, equal: 3 } },
      by_kind: { superseded_current: { n: 1, mrr: { difference: -1 } } },
      changed: [{ id: 'q1', ndcg10: { before: 1, after: 0 } }],
      bootstrap: { confidence: 0.95, resamples: 10_000, seed: 1 },
      warnings: [],
    },
  });
  const table = loci('eval', '--compare', before, after).out;
  expect(table).toMatch(/^metric +before +after +change +interval +better +worse +same$/m);
  expect(table).toMatch(/^recall@5 +1\.000 +0\.750 +−0\.250 +−0\.750 … \+0\.000 +0 +1 +3$/m);
  expect(table).toMatch(
    /^q1 +1\.000 → 0\.000 +1\.000 → 0\.000 +when does the harbour office open\?$/m,
  );
});

test('[I6] a run is compared with an earlier one as it is measured', () => {
  const dir = writeSet(MEMORIES, QUERIES);
  const run = join(dir, 'run.jsonl');
  expect(loci('eval', dir, '--out', run, '-q').code).toBe(0);
  const { code, out } = loci('eval', dir, '--out', run, '--compare', run, '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    queries: 5,
    mrr: 1,
    comparison: { queries: 5, mrr: { difference: 0, interval: [0, 0], equal: 4 }, changed: [] },
  });
});

test('a store with memories of somebody else is left alone', () => {
  const dir = writeSet(MEMORIES, QUERIES);
  const store = join(dir, 'memory');
  loci('remember', 'The boat is called Anna.', '-d', store, '-q');
  const log = readFileSync(join(store, 'events.ndjson'), 'utf8');
  const out = join(dir, 'answers.jsonl');
  const done = loci('eval', dir, '-d', store, '--out', out, '--json');
  expect(done.code).toBe(4);
  expect(JSON.parse(done.out)).toMatchObject({ error: { code: 'conflict' } });
  expect(readFileSync(join(store, 'events.ndjson'), 'utf8')).toBe(log);
  expect(existsSync(out)).toBe(false);
});

test('the store of the environment has no part in it', () => {
  const dir = writeSet(MEMORIES, QUERIES);
  const store = join(dir, 'memory');
  const env = { ...process.env, TMPDIR: temp, LOCI_STORE: store };
  const args = [BIN, 'eval', dir, '--json'];
  expect(spawnSync(process.execPath, args, { env, cwd: temp }).status).toBe(0);
  expect(existsSync(store)).toBe(false);
});

test('an interrupted run leaves nothing behind', async () => {
  const many = Array.from({ length: 3000 }, (_, i) => ({
    id: `m${i}`,
    project: 'boat',
    body: `Berth ${i} belongs to the boat with the number ${i * 7}.`,
  }));
  const queries = [{ id: 'q', project: 'boat', query: 'berth 7', relevant: { m7: 2 } }];
  const run = spawn(process.execPath, [BIN, 'eval', writeSet(many, queries)], {
    env: { ...process.env, TMPDIR: temp },
  });
  const ended = new Promise((resolve) => run.once('close', resolve));
  const isWriting = (): boolean =>
    storesLeft().some((folder) => existsSync(join(temp, folder, 'eval.db')));
  while (!isWriting()) await new Promise((resolve) => setTimeout(resolve, 5));
  run.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(storesLeft()).toEqual([]);
});
test.each([
  [['eval'], 2, /missing required argument/],
  [['eval', '/nowhere/at/all'], 3, /no file ".*memories\.jsonl"/],
  [['eval', '.', '--embedder', 'olama'], 2, /embedder.*"olama"/],
  [['eval', '.', '--k', '5,x'], 2, /k\.1 is "x"/],
  [['eval', '.', '--compare', '/nowhere.jsonl'], 3, /no file "\/nowhere\.jsonl"/],
  [['eval', '.', '--compare', '.'], 5, /cannot be read \(EISDIR\)/],
  [['eval', '.', '--out', '/nowhere/at/all.jsonl'], 5, /--out: .* cannot be written \(ENOENT\)/],
])('%j fails with %i', (args, code, message) => {
  const done = loci(...args, '--json');
  expect(done.code).toBe(code);
  const { error } = JSON.parse(done.out) as { error: { message: string } };
  expect(error.message).toMatch(message);
  expect(storesLeft()).toEqual([]);
});
