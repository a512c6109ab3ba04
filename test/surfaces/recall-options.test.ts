// What recall can be asked and what it tells, through the command line and the server.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RecallResult } from '../../src/domain/results.ts';
import { connect, idsOf } from './mcp-support.ts';
import { loci, lociJson, tempFolder } from './run-cli.ts';

describe('on the command line', () => {
  const folder = tempFolder();
  const at = ['--store', `sqlite:${join(folder, 'store.db')}`, '-p', 'demo'];
  const recall = (...args: string[]) => lociJson<RecallResult>(['recall', ...args, ...at]);
  const query = 'do we use bun or npm';

  test('[C6] the early stop is on, and --no-progressive turns it off', () => {
    for (const [body, tier] of [
      ['We use bun, not npm', 'preferences'],
      ['Somebody asked whether we use bun or npm', 'conversations'],
    ] as const) {
      expect(loci(['remember', body, '--tier', tier, ...at]).code).toBe(0);
    }
    expect(recall(query).json).toMatchObject({
      results: [{ tier: 'preferences' }],
      coverage: { stopped_at: 'preferences' },
    });
    expect(recall(query, '--no-progressive').json.results).toHaveLength(2);
    expect(recall(query, '--tier', 'conversations').json.results).toHaveLength(1);
    expect(recall(query, '--confidence-threshold', '0.999').json.results).toHaveLength(2);
    expect(loci(['recall', query, ...at]).out).toMatch(/^Stopped at the tier preferences/m);
  });

  test('every option that bends a score is taken, and checked', () => {
    const bent = ['--diversity=1', '--no-graph', '--decay-weight=0.5', '--decay-half-life=7'];
    expect(recall(query, ...bent, '--explain').json.explain?.settings).toEqual({
      min_score: 0.2,
      diversity: 1,
      confidence_threshold: 0.82,
      decay_weight: 0.5,
      decay_half_life: 7,
    });
    for (const wrong of ['--diversity=2', '--decay-weight=-1', '--confidence-threshold=much']) {
      const { code, json } = lociJson<{ error: { code: string; message: string } }>([
        'recall',
        query,
        wrong,
        ...at,
      ]);
      expect([wrong, code, json.error.code]).toEqual([wrong, 2, 'invalid_input']);
    }
    expect(loci(['recall', query, '--progressive', ...at]).code).toBe(2);
  });

  test('[I7] --why-not answers with its stage', () => {
    const [kept] = recall(query).json.results;
    const [, left] = recall(query, '--no-progressive', '--diversity=1').json.results.map(
      ({ id }) => id,
    );
    const lost =
      left === kept?.id ? recall(query, '--tier=conversations').json.results[0]?.id : left;
    expect(recall(query, '--why-not', lost ?? '').json.why_not).toMatchObject({
      id: lost,
      stage: 'tier_stopped',
      at: 'preferences',
    });
    expect(recall(query, '--why-not', 'NO-SUCH-ID').json.why_not?.stage).toBe('unknown');
  });
});

describe('over MCP', () => {
  test.each(['core', 'full'])('[I7] surface %s tells why a memory is missing', async (surface) => {
    const { call } = await connect({ args: ['--surface', surface] });
    const ids = idsOf(
      await call('remember', {
        memories: [{ body: 'Red buoy' }, { body: 'Red lamp of the buoy' }],
      }),
    );
    const args = { query: 'red buoy', limit: 1, min_score: 0, why_not: ids[1] };
    const { json, text } = await call('recall', args);
    expect(json.why_not).toMatchObject({ id: ids[1], stage: 'beyond_limit', rank: 2, limit: 1 });
    expect(text).toContain(`${ids[1]}: It is at place 2, and the limit is 1.`);
  });

  test('[C5] a budget decides how many, whatever the limit', async () => {
    const { call } = await connect();
    const memories = Array.from({ length: 6 }, (_, i) => ({ body: `Buoy number ${i}` }));
    await call('remember', { memories });
    const { json } = await call('recall', { query: 'buoy', limit: 1, max_tokens: 2000 });
    expect(json.results).toHaveLength(6);
    expect(json.warnings).toEqual([expect.stringContaining('limit is ignored')]);
    expect((await call('recall', { query: 'buoy', limit: 1 })).json.warnings).toEqual([]);
  });

  test('a limit of the caller stays in force where the reply has to be cut', async () => {
    const { call } = await connect();
    const memories = Array.from({ length: 12 }, (_, i) => ({
      body: `Buoy ${i}. ${`The lamp ${i} turns. `.repeat(300)}`,
    }));
    await call('remember', { memories });
    const { json } = await call('recall', { query: 'buoy lamp', limit: 9 });
    expect(json.results.length).toBeLessThanOrEqual(9);
    expect(json.warnings.join(' ')).toContain('fewer memories than were asked for');
    expect(json.warnings.join(' ')).not.toContain('limit is ignored');
  });

  test('[I9] the text says how old the answer is and what it lacks', async () => {
    const { call } = await connect();
    await call('remember', { body: 'Red buoy', created_at: '2026-01-05' });
    const { text } = await call('recall', { query: 'buoy and zeppelins', min_score: 0 });
    expect(text).toContain('The newest of these is of 2026-01-05.');
    expect(text).toContain('In no memory here: zeppelins.');
    expect(text).toContain('The best of these matches little of the question.');
  });
});
