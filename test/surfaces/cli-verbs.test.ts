import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loci, lociJson, tempFolder, words } from './run-cli.ts';

const ID = /^[A-Z]{4}-\d{4}-\d{2}-\d{2}-[A-Z0-9-]+$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const HASH = /^[0-9a-f]{64}$/;

interface Receipts {
  results: { id: string; outcome: string; reason?: string }[];
}

interface Recalled {
  results: { score: number; explain?: object }[];
  coverage: object;
  tokens_used: number;
  warnings: string[];
}

// Each verb on each kind of store, with the JSON that scripts rely on.
describe.each([
  ['vault', (folder: string) => ['-d', join(folder, 'vault')]],
  ['sqlite', (folder: string) => ['--store', `sqlite:${join(folder, 'store.db')}`]],
])('%s', (kind, storeOf) => {
  const folder = tempFolder();
  const at = [...storeOf(folder), '-p', 'demo'];
  const run = <T = Record<string, unknown>>(...args: string[]) =>
    lociJson<T>([...args, ...at], { cwd: folder });
  const remember = (...args: string[]): string => {
    const { code, json } = run<Receipts>('remember', ...args);
    expect({ code, json }).toMatchObject({ code: 0 });
    return json.results[0]?.id ?? '';
  };

  test('[H1] init makes the store once', () => {
    const path = kind === 'vault' ? join(folder, 'vault') : join(folder, 'store.db');
    const first = run('init');
    expect(first.code).toBe(0);
    expect(first.json).toEqual({ store: expect.stringContaining(path), created: true });
    expect(run('init').json).toEqual({ store: first.json.store, created: false });
  });

  test('[A9] evidence is kept from a file, listed, and written out as it was', () => {
    const proof = Buffer.from([0, 255, 10, 13, 128]);
    writeFileSync(join(folder, 'proof.bin'), proof);
    const id = remember('The load test held 500 requests a second', '--evidence', 'proof.bin');
    const { json } = run<{ evidence: { sha256: string; size: number }[] }>('evidence', id);
    expect(json.evidence).toEqual([{ sha256: expect.stringMatching(HASH), size: proof.length }]);
    const sha256 = json.evidence[0]?.sha256 ?? '';
    expect(run('evidence', 'show', sha256, '--out', 'copy.bin').code).toBe(0);
    expect(readFileSync(join(folder, 'copy.bin')).equals(proof)).toBe(true);
    const missing = run('remember', 'Nothing proves this', '--evidence', 'nowhere.bin');
    expect(missing).toMatchObject({ code: 3, json: { error: { code: 'not_found' } } });
    expect(run<{ total: number }>('search', 'Nothing proves this').json.total).toBe(0);
  });

  test('remember → get', () => {
    const { code, json } = run<Receipts>(
      'remember',
      'We deploy on Tuesdays',
      '--type',
      'decision',
      '--title',
      'Deploy day',
      ...words('--tags release,ops --tags week --paths ci/deploy.yml'),
      ...words('--confidence 0.9 --tier preferences --source owner'),
      ...words('--observed stated --classification PRIVATE --session s1'),
      ...words('--created-at 2026-01-05 --valid-from 2026-01-06 --valid-to 2036-01-06'),
    );
    expect(code).toBe(0);
    expect(json).toEqual({
      results: [{ id: expect.stringMatching(ID), outcome: 'stored' }],
      warnings: [],
    });
    const got = run<{ memories: object[]; missing: string[] }>('get', json.results[0]?.id ?? '');
    expect(got.code).toBe(0);
    expect(got.json.missing).toEqual([]);
    expect(got.json.memories).toEqual([
      expect.objectContaining({
        id: json.results[0]?.id,
        type: 'decision',
        tier: 'preferences',
        status: 'active',
        project: 'demo',
        title: 'Deploy day',
        body: 'We deploy on Tuesdays',
        tags: ['release', 'ops', 'week'],
        paths: ['ci/deploy.yml'],
        confidence: 0.9,
        source: 'owner',
        observed: 'stated',
        classification: 'PRIVATE',
        session_id: 's1',
        created_at: '2026-01-05T00:00:00.000Z',
        valid_from: '2026-01-06T00:00:00.000Z',
        valid_to: '2036-01-06T00:00:00.000Z',
        updated_at: expect.stringMatching(ISO),
        version: 1,
      }),
    ]);
  });

  test('the same text again is merged or unchanged, a correction supersedes', () => {
    const old = remember('The proxy listens on 8080', '--type', 'fact');
    expect(run<Receipts>('remember', 'The proxy listens on 8080').json.results).toEqual([
      { id: old, outcome: 'unchanged' },
    ]);
    expect(
      run<Receipts>('remember', 'The proxy listens on 8080', '--tags', 'proxy').json.results,
    ).toEqual([expect.objectContaining({ id: old, outcome: 'merged' })]);
    const next = run<Receipts>('remember', 'The proxy listens on 9090', '--supersedes', old);
    expect(next.json.results).toEqual([
      expect.objectContaining({ id: expect.stringMatching(ID), outcome: 'superseded' }),
    ]);
    const found = run<{ results: { id: string }[] }>('recall', 'proxy listens').json.results;
    expect(found.map(({ id }) => id)).toContain(next.json.results[0]?.id);
    expect(found.map(({ id }) => id)).not.toContain(old);
  });

  test('recall', () => {
    const id = remember('Invoices are exported every night by the billing service');
    const { code, json } = run<Recalled>('recall', 'why is the invoice export not running tonight');
    expect(code).toBe(0);
    expect(json.results[0]).toEqual({
      id,
      type: 'fact',
      tier: 'project-context',
      status: 'active',
      project: 'demo',
      agent: null,
      title: null,
      body: 'Invoices are exported every night by the billing service',
      tags: [],
      score: expect.any(Number),
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
      signals: [],
    });
    expect(json.results[0]?.score).toBeGreaterThan(0);
    expect(json.results[0]?.score).toBeLessThanOrEqual(1);
    expect(json.coverage).toEqual({
      unmatched: expect.any(Array),
      newest: expect.stringMatching(ISO),
      strength: 'strong',
    });
    expect(json.tokens_used).toBeGreaterThan(0);
    expect(json.warnings).toEqual(expect.any(Array));

    const explained = run<Recalled>('recall', 'invoice', 'export', '--explain');
    expect(explained.json.results[0]?.explain).toEqual({
      terms: expect.any(Array),
      factors: { speaker: 1, asks_back: 1 },
      pairs_and_subject: expect.any(Number),
      asked: expect.any(Number),
      raw: expect.any(Number),
      keyword: expect.any(Number),
      meaning: [expect.objectContaining({ embedder: 'builtin:words' })],
      session: 0,
      relevance: expect.any(Number),
      multipliers: { recency: 1, type: 1, confidence: 0.996, trust: 1, entity: 1 },
    });
    expect(run<{ results: [] }>('recall', 'invoice', '--limit', '1').json.results).toHaveLength(1);
    expect(run<{ results: [] }>('recall', 'invoice', '--min-score=1').json.results).toEqual([]);
  });

  test('search pages through what a filter lets pass', () => {
    for (const n of [1, 2, 3]) remember(`Paged note number ${n}`, '--tags', 'paged');
    type Page = { results: { id: string }[]; total: number; next_cursor: string | null };
    const first = run<Page>('search', '--tags', 'paged', '--limit', '2');
    expect(first.code).toBe(0);
    expect(first.json).toMatchObject({ total: 3, next_cursor: expect.any(String) });
    const second = run<Page>(
      'search',
      '--tags',
      'paged',
      '--limit',
      '2',
      '--cursor',
      first.json.next_cursor ?? '',
    );
    expect(second.json).toMatchObject({ total: 3, next_cursor: null });
    const ids = [...first.json.results, ...second.json.results].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(run<Page>('search', 'paged', '--mode', 'keyword').json.total).toBe(3);
  });

  test('update, with the version that was seen', () => {
    const id = remember('The cache is Redis 6');
    expect(run('update', id, '--tags', 'cache', '--confidence', '0.5').json).toEqual({
      id,
      version: 2,
      outcome: 'updated',
    });
    expect(run('update', id, 'The cache is Redis 7', '--expect-version', '2').json).toEqual({
      id,
      version: 3,
      outcome: 'updated',
    });
    const late = run('update', id, 'The cache is Redis 8', '--expect-version', '2');
    expect(late.code).toBe(4);
    expect(late.json).toMatchObject({ error: { code: 'conflict' } });
    const { json } = run<{ memories: { history: object[] }[] }>('get', id, '--history');
    expect(json.memories[0]).toMatchObject({ body: 'The cache is Redis 7', tags: ['cache'] });
    expect(json.memories[0]?.history).toHaveLength(3);
    expect(json.memories[0]?.history[0]).toMatchObject({ actor: 'owner', at: expect.any(String) });
  });

  test('archive, restore, reject', () => {
    const id = remember('Standups are at nine');
    const recalled = (): string[] =>
      run<{ results: { id: string }[] }>('recall', 'standups').json.results.map((m) => m.id);
    expect(run('archive', id, '--reason', 'moved').json).toEqual({
      id,
      version: 2,
      outcome: 'archived',
    });
    expect(recalled()).not.toContain(id);
    expect(run('restore', id).json).toEqual({ id, version: 3, outcome: 'restored' });
    expect(recalled()).toContain(id);
    expect(run('reject', id, '--reason', 'never true').json).toEqual({
      id,
      version: 4,
      outcome: 'rejected',
    });
    expect(recalled()).not.toContain(id);
    const again = run<Receipts>('remember', 'Standups are at nine');
    expect(again.code).toBe(1);
    expect(again.json.results).toEqual([
      { id: expect.any(String), outcome: 'refused', reason: expect.stringMatching(/reject/) },
    ]);
  });

  test('relate and relations', () => {
    const from = remember('Port 8080 is taken');
    const to = remember('The proxy moves to another port');
    const edge = { source: from, type: 'supports', target: to, confidence: 0.7, origin: 'stated' };
    const related = run('relate', from, 'supports', to, '--confidence', '0.7');
    expect(related.code).toBe(0);
    expect(related.json).toEqual({ relations: [edge] });
    expect(run('relations', from).json).toEqual({ relations: [edge] });
    expect(run('relations', to).json).toEqual({ relations: [edge] });
  });

  test('context', () => {
    const id = remember('Never log customer names', '--type', 'constraint');
    const { code, json } = run<{ text: string; ids: string[]; tokens_used: number }>(
      ...words('context --max-tokens 500'),
    );
    expect(code).toBe(0);
    expect(json).toEqual({
      text: expect.stringContaining('Never log customer names'),
      ids: expect.arrayContaining([id]),
      tokens_used: expect.any(Number),
    });
    expect(json.tokens_used).toBeLessThanOrEqual(500);
  });

  test('status, also as stats', () => {
    const { code, json } = run('status');
    expect(code).toBe(0);
    expect(json).toMatchObject({
      store: expect.stringContaining(folder),
      engine: kind,
      memories: {
        total: expect.any(Number),
        by_type: expect.any(Object),
        by_tier: expect.any(Object),
        by_status: expect.any(Object),
        by_project: { demo: expect.any(Number) },
      },
      tags: expect.any(Object),
      embeddings: {
        model: 'builtin:words',
        dims: expect.any(Number),
        stored: expect.any(Number),
        pending: expect.any(Number),
      },
      index: expect.any(String),
      log: { events: expect.any(Number), position: expect.any(Number) },
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    expect(run('stats').json).toEqual(json);
  });

  test('verify, reindex and replay agree on the state', () => {
    const verified = run('verify');
    expect(verified.code).toBe(0);
    expect(verified.json).toEqual({
      state_hash: expect.stringMatching(HASH),
      log_ok: true,
      files_ok: true,
      index_ok: true,
      problems: [],
    });
    const { state_hash } = verified.json;
    for (const verb of ['reindex', 'replay']) {
      const { code, json } = run(verb);
      expect(code).toBe(0);
      expect(json).toMatchObject({
        memories: expect.any(Number),
        events: expect.any(Number),
        edits: 0,
        written: expect.any(Number),
        state_hash,
        problems: [],
      });
    }
  });

  test('a body from a file and from stdin', () => {
    const path = join(folder, 'body.md');
    writeFileSync(path, '# Title\n\n- a list\n');
    const fromFile = remember('--file', path);
    const { json } = lociJson<Receipts>(['remember', '-', ...at], { input: 'from stdin: 京都' });
    const got = run<{ memories: { body: string }[] }>('get', fromFile, json.results[0]?.id ?? '');
    expect(got.json.memories.map(({ body }) => body)).toEqual([
      '# Title\n\n- a list\n',
      'from stdin: 京都',
    ]);
  });

  test('a body and a query may begin with a dash', () => {
    const id = remember('- never deploy\n- on Friday 042');
    for (const query of ['-042', '- never deploy', '-Friday']) {
      const { code, json } = run<{ results: { id: string }[] }>('recall', query);
      expect({ query, code }).toEqual({ query, code: 0 });
      expect(json.results.map((memory) => memory.id)).toContain(id);
    }
    expect(loci(['recall', ...at, '--', '--limit']).code).toBe(0);
  });
});
