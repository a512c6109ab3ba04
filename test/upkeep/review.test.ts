import { expect, test } from 'vitest';
import type { ReviewDone, ReviewList } from '../../src/domain/upkeep-results.ts';
import type { Loci } from '../../src/loci.ts';
import { hashOf, onEveryEngine, statusesOf, type Given } from './kept.ts';

const TOOL: Given = {
  id: 'FACT-TOOL',
  body: 'Said by a tool.',
  status: 'draft',
  source: 'tool',
  confidence: 1,
  supersedes: 'FACT-OLD',
  created_at: '2026-03-01T00:00:00.000Z',
};
const UNSURE: Given = { id: 'FACT-UNSURE', body: 'Perhaps.', status: 'draft', confidence: 0.5 };
const OLD: Given = { id: 'FACT-OLD', body: 'As it was.' };
const LETTERS: readonly Given[] = [
  { id: 'FACT-A', body: 'The office opens at nine.', created_at: '2026-01-01T00:00:00.000Z' },
  { id: 'FACT-B', body: 'The Office opens at NINE!', tags: ['hours'] },
];

const list = async (loci: Loci): Promise<ReviewList> => (await loci.review()) as ReviewList;
const accept = async (loci: Loci, ...ids: string[]): Promise<ReviewDone> =>
  (await loci.review({ action: 'accept', ids })) as ReviewDone;
const refuse = async (loci: Loci, ...ids: string[]): Promise<ReviewDone> =>
  (await loci.review({ action: 'refuse', ids, reason: 'no' })) as ReviewDone;

onEveryEngine((keep) => {
  test('[I2] what waits is listed with the reason, oldest first', async () => {
    const { loci } = await keep(UNSURE, TOOL, OLD, ...LETTERS);
    await loci.reflect();
    const { waiting, total } = await list(loci);
    expect(total).toBe(3);
    expect(waiting).toMatchObject([
      {
        id: 'FACT-TOOL',
        kind: 'draft',
        why: 'it comes from tool, which is not trusted',
        source: 'tool',
      },
      { id: 'FACT-UNSURE', kind: 'draft', why: 'its confidence of 0.5 is below 0.9' },
      { kind: 'proposal', why: 'FACT-B says the same as FACT-A, in other letters' },
    ]);
    expect(waiting[2]?.changes).toEqual([
      {
        id: 'FACT-B',
        fields: [
          { field: 'status', before: 'active', after: 'archived' },
          { field: 'status_reason', before: null, after: 'says the same as FACT-A' },
        ],
      },
      { id: 'FACT-A', fields: [{ field: 'tags', before: [], after: ['hours'] }] },
    ]);
  });

  test('[A4] an accepted draft is active and keeps its word; that can be taken back', async () => {
    const kept = await keep(TOOL, OLD, UNSURE);
    const before = await hashOf(kept);
    const { accepted, run, skipped } = await accept(kept.loci, 'FACT-TOOL', 'fact-unsure');
    expect({ accepted, skipped }).toEqual({ accepted: ['FACT-TOOL', 'FACT-UNSURE'], skipped: [] });
    expect(await statusesOf(kept, 'FACT-TOOL', 'FACT-OLD', 'FACT-UNSURE')).toEqual({
      'FACT-TOOL': 'active',
      'FACT-OLD': 'superseded',
      'FACT-UNSURE': 'active',
    });
    await kept.loci.undo({ ref: run ?? '' });
    expect(await hashOf(kept)).toBe(before);
  });

  test('[A4] a refused draft is rejected with its reason', async () => {
    const kept = await keep(UNSURE);
    expect((await refuse(kept.loci, 'FACT-UNSURE')).refused).toEqual(['FACT-UNSURE']);
    const { memories } = await kept.loci.get({ ids: ['FACT-UNSURE'] });
    expect(memories[0]).toMatchObject({ status: 'rejected', status_reason: 'no' });
    expect((await list(kept.loci)).total).toBe(0);
  });

  test('[I2] an accepted proposal is carried out as a run, once', async () => {
    const kept = await keep(...LETTERS);
    const before = await hashOf(kept);
    const { proposed } = await kept.loci.reflect();
    const id = proposed[0]?.id ?? '';
    const { accepted, run } = await accept(kept.loci, id);
    expect(accepted).toEqual([id]);
    const { memories } = await kept.loci.get({ ids: ['FACT-A', 'FACT-B'] });
    expect(memories[0]).toMatchObject({ status: 'active', tags: ['hours'] });
    expect(memories[1]).toMatchObject({ status: 'archived' });
    expect((await list(kept.loci)).total).toBe(0);
    expect((await accept(kept.loci, id)).skipped).toEqual([
      { id, rule: 'accept', reason: 'it is accepted already' },
    ]);
    await kept.loci.undo({ ref: run ?? '' });
    expect(await hashOf(kept)).toBe(before);
  });

  test('[I2] a refused proposal is not made again', async () => {
    const { loci } = await keep(...LETTERS);
    const { proposed } = await loci.reflect();
    expect((await refuse(loci, proposed[0]?.id ?? '')).refused.length).toBe(1);
    expect((await loci.reflect()).proposed).toEqual([]);
    expect((await list(loci)).total).toBe(0);
  });

  test('[I2] a proposal whose memories have changed says so and does nothing', async () => {
    const kept = await keep(...LETTERS);
    const { proposed } = await kept.loci.reflect();
    const id = proposed[0]?.id ?? '';
    kept.clock.advance(1000);
    await kept.loci.update({ id: 'FACT-A', tags: ['other'] });
    expect((await list(kept.loci)).waiting).toMatchObject([{ id, stale: true }]);
    const { accepted, skipped, run } = await accept(kept.loci, id);
    expect({ accepted, run }).toEqual({ accepted: [], run: null });
    expect(skipped[0]?.reason).toMatch(/has changed since/);
  });

  test('one bad id spoils nothing; without ids nothing is decided', async () => {
    const { loci } = await keep(UNSURE, OLD);
    const { accepted, skipped } = await accept(loci, 'FACT-NONE', 'FACT-OLD', 'FACT-UNSURE');
    expect(accepted).toEqual(['FACT-UNSURE']);
    expect(skipped).toEqual([
      { id: 'FACT-NONE', rule: 'accept', reason: 'nothing of this id waits here' },
      { id: 'FACT-OLD', rule: 'accept', reason: 'it is active already' },
    ]);
    await expect(loci.review({ action: 'accept' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('a draft that cannot keep its word is left', async () => {
    const { loci } = await keep(TOOL, { ...OLD, status: 'superseded', superseded_by: 'FACT-X' });
    expect((await accept(loci, 'FACT-TOOL')).skipped).toMatchObject([
      { reason: 'it would replace FACT-OLD, which FACT-X has replaced already' },
    ]);
  });
});
