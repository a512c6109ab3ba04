import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
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
  expect(result).toMatchObject({ queries: 5, recall: { 1: 1, 3: 1 }, embedder: 'none' });
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

test.each([
  [['eval'], 2, /missing required argument/],
  [['eval', '/nowhere/at/all'], 3, /no file ".*memories\.jsonl"/],
  [['eval', '.', '--embedder', 'ollama'], 2, /embedder is "ollama": must be none or default/],
  [['eval', '.', '--k', '5,x'], 2, /k\.1 is "x"/],
  [['eval', '.', '--out', '/nowhere/at/all.jsonl'], 5, /--out: .* cannot be written \(ENOENT\)/],
])('%j fails with %i', (args, code, message) => {
  const done = loci(...args, '--json');
  expect(done.code).toBe(code);
  const { error } = JSON.parse(done.out) as { error: { message: string } };
  expect(error.message).toMatch(message);
  expect(storesLeft()).toEqual([]);
});
