import { expect, test } from 'vitest';
import { multipliersOf } from '../../src/domain/ranking/multipliers.ts';
import { bodies, onEveryStore } from './stores.ts';

const NOW_MS = Date.parse('2026-03-31T00:00:00Z');
const MEMORY = {
  type: 'fact',
  confidence: 0.8,
  source: 'owner',
  created_at: '2026-03-01T00:00:00Z',
};

const recency = (weight: number, halfLifeDays: number, created_at = MEMORY.created_at) =>
  multipliersOf({ ...MEMORY, created_at }, NOW_MS, { weight, halfLifeDays }).recency;
const of = (more: Partial<typeof MEMORY>) =>
  multipliersOf({ ...MEMORY, ...more }, NOW_MS, { weight: 0, halfLifeDays: 30 });

test('[C2] recency halves what its weight gives it, every half-life', () => {
  expect(recency(0, 30)).toBe(1);
  expect(recency(1, 30)).toBeCloseTo(0.5, 10);
  expect(recency(1, 15)).toBeCloseTo(0.25, 10);
  expect(recency(0.2, 30)).toBeCloseTo(0.9, 10);
  expect(recency(1, 30, '2027-01-01T00:00:00Z')).toBe(1);
});

test('[C2] a constraint outranks a belief, the sure the unsure, the known the unknown source', () => {
  expect(of({ type: 'constraint' }).type).toBeGreaterThan(of({ type: 'belief' }).type);
  expect(of({ type: 'impulse' }).type).toBe(1);
  expect(of({ confidence: 1 }).confidence).toBeGreaterThan(of({ confidence: 0.3 }).confidence);
  expect(of({ confidence: 0 }).confidence).toBeGreaterThan(0.5);
  expect(of({ source: 'owner' }).trust).toBe(1);
  expect(of({ source: 'web' }).trust).toBeLessThan(1);
});

onEveryStore((openWith) => {
  test('[C2] age counts when it is asked for', async () => {
    const loci = await openWith(
      { body: 'The tide table of the north', createdAt: '2020-01-01' },
      {
        body: 'The tide table of the south, the sound and the far, far islands',
        createdAt: '2026-01-01',
      },
    );
    const query = 'tide table';
    expect((await bodies(loci, { query }))[0]).toContain('north');
    const decay = { decayWeight: 1, decayHalfLife: 365 };
    expect((await bodies(loci, { query, ...decay, minScore: 0 }))[0]).toContain('south');
    await expect(loci.recall({ query, decayWeight: 2 })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('decay'),
    });
    await expect(loci.recall({ query, decayHalfLife: 0 })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('[C2] explain gives the parts of a score, and they make it', async () => {
    const loci = await openWith(
      { body: 'The tide table of the north', type: 'belief', confidence: 0.4 },
      { body: 'The sound' },
    );
    const { results, explain } = await loci.recall({ query: 'tide table', explain: true });
    const parts = results[0]?.explain;
    expect(parts?.multipliers).toEqual({
      recency: 1,
      type: 0.98,
      confidence: 0.948,
      trust: 1,
      entity: 1,
    });
    const product = Object.values(parts?.multipliers ?? {}).reduce((all, one) => all * one, 1);
    expect((parts?.relevance ?? 0) * product).toBeCloseTo(results[0]?.score ?? 0, 2);
    expect(explain?.channels).toMatchObject({ keyword: 1 });
    expect(explain?.settings).toMatchObject({ diversity: 0.7, confidence_threshold: 0.82 });
  });

  test('[I7] explain counts what was left out, by reason', async () => {
    const loci = await openWith(
      { body: 'Tide table of the north' },
      { body: 'Tide table of the south', status: 'draft' },
      { body: 'Tide table of the west', validTo: '2020-01-01' },
      { body: 'Tide table of the east', tags: ['x'] },
      { body: 'A table' },
      { body: 'Another tide table, of the middle', tags: ['x'] },
      { body: 'The tide table of the sound', tags: ['x'] },
    );
    const query = 'tide table';
    const asked = { query, explain: true, tags: ['x'], limit: 1 };
    const { explain } = await loci.recall(asked);
    expect(explain?.filtered).toEqual({ status: 1, valid: 1, tags: 2, beyond_limit: 2 });
    const strict = await loci.recall({ ...asked, minScore: 1, tags: undefined });
    expect(strict.explain?.filtered).toEqual({ status: 1, valid: 1, below_min_score: 5 });
    expect(await loci.recall({ query })).not.toHaveProperty('explain');
  });
});
