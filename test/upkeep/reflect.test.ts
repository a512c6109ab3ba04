import { expect, test } from 'vitest';
import { hashOf, onEveryEngine, statusesOf, type Given } from './kept.ts';

const TEXT = 'The harbour office opens at nine.';
const OLDER: Given = {
  id: 'FACT-OLDER',
  body: TEXT,
  tags: ['harbour'],
  created_at: '2026-01-01T00:00:00.000Z',
  relations: [],
};
const NEWER: Given = {
  id: 'FACT-NEWER',
  body: `${TEXT}\n`,
  title: 'Office hours',
  tags: ['hours'],
  paths: ['docs/harbour.md'],
  external_ids: ['note-7'],
  created_at: '2026-02-01T00:00:00.000Z',
  relations: [{ type: 'supports', target: 'FACT-FERRY', confidence: 1, origin: 'stated' }],
};
const FERRY: Given = {
  id: 'FACT-FERRY',
  body: 'The ferry leaves from pier two.',
  relations: [{ type: 'depends_on', target: 'FACT-NEWER', confidence: 1, origin: 'stated' }],
};
const OVER: Given = {
  id: 'FACT-OVER',
  body: 'Closed in January.',
  valid_to: '2026-02-01T00:00:00.000Z',
};

onEveryEngine((keep) => {
  test('[E3] of two with one text the older stays, with what the other brought', async () => {
    const { loci } = await keep(OLDER, NEWER, FERRY);
    const result = await loci.reflect();
    expect(result.deduplicated).toEqual(['FACT-NEWER']);
    const { memories } = await loci.get({ ids: ['FACT-OLDER', 'FACT-NEWER', 'FACT-FERRY'] });
    expect(memories[0]).toMatchObject({
      status: 'active',
      title: 'Office hours',
      tags: ['harbour', 'hours'],
      paths: ['docs/harbour.md'],
      external_ids: ['note-7'],
      relations: [{ type: 'supports', target: 'FACT-FERRY' }],
    });
    expect(memories[1]).toMatchObject({
      status: 'archived',
      status_reason: 'says the same as FACT-OLDER',
      external_ids: [],
      relations: [],
    });
    expect(memories[2]?.relations).toMatchObject([{ type: 'depends_on', target: 'FACT-OLDER' }]);
    expect((await loci.get({ ids: ['note-7'] })).memories.map(({ id }) => id)).toEqual([
      'FACT-OLDER',
    ]);
  });

  test('[E3] the surer of two stays; what came from elsewhere never displaces what did not', async () => {
    const kept = await keep(
      { ...OLDER, confidence: 0.5 },
      { ...NEWER, confidence: 0.8 },
      { id: 'FACT-TOOL', body: TEXT, source: 'tool', status: 'draft', confidence: 1 },
    );
    expect((await kept.loci.reflect()).deduplicated).toEqual(['FACT-OLDER', 'FACT-TOOL']);
    const { memories } = await kept.loci.get({ ids: ['FACT-NEWER'] });
    expect(memories[0]).toMatchObject({ status: 'active', confidence: 0.8, source: 'owner' });
  });

  test('what one of them keeps back is not told by way of the other', async () => {
    const { loci } = await keep(OLDER, { ...NEWER, classification: 'PRIVATE' });
    await loci.reflect();
    const { memories } = await loci.get({ ids: ['FACT-OLDER'] });
    expect(memories[0]?.classification).toBe('PRIVATE');
  });

  test('texts of two projects are never compared', async () => {
    const { loci } = await keep(
      OLDER,
      { ...NEWER, project: 'harbour' },
      { ...FERRY, relations: [] },
    );
    const { deduplicated, conflicts } = await loci.reflect();
    expect({ deduplicated, conflicts }).toEqual({ deduplicated: [], conflicts: [] });
  });

  test('[E3] [A4] sure drafts become active and sure beliefs facts, with their reason in the log', async () => {
    const kept = await keep(
      { id: 'FACT-DRAFT', status: 'draft', confidence: 0.9 },
      { id: 'BELI-SURE', type: 'belief', confidence: 0.95 },
      { id: 'BELI-BOTH', type: 'belief', status: 'draft', confidence: 1 },
      { id: 'BELI-UNSURE', type: 'belief', confidence: 0.89 },
      { id: 'FACT-UNSURE', status: 'draft', confidence: 0.8 },
      { id: 'FACT-FOREIGN', status: 'draft', confidence: 1, source: 'document' },
    );
    const { loci } = kept;
    expect((await loci.reflect()).promoted).toEqual(['BELI-BOTH', 'BELI-SURE', 'FACT-DRAFT']);
    const { memories } = await loci.get({
      ids: ['FACT-DRAFT', 'BELI-SURE', 'BELI-BOTH', 'BELI-UNSURE', 'FACT-UNSURE', 'FACT-FOREIGN'],
      history: true,
    });
    expect(memories.map(({ type, status }) => [type, status])).toEqual([
      ['fact', 'active'],
      ['fact', 'active'],
      ['fact', 'active'],
      ['belief', 'active'],
      ['fact', 'draft'],
      ['fact', 'draft'],
    ]);
    expect(memories[0]?.history?.at(-1)).toMatchObject({
      kind: 'memory.promoted',
      reason: 'its confidence is 0.9',
    });
  });

  test('[E3] a promoted draft replaces what it said it would', async () => {
    const { loci } = await keep(
      { id: 'DECI-OLD', type: 'decision' },
      { id: 'DECI-NEW', type: 'decision', status: 'draft', confidence: 1, supersedes: 'DECI-OLD' },
    );
    await loci.reflect();
    const { memories } = await loci.get({ ids: ['DECI-OLD', 'DECI-NEW'] });
    expect(memories[0]).toMatchObject({ status: 'superseded', superseded_by: 'DECI-NEW' });
    expect(memories[1]).toMatchObject({
      status: 'active',
      relations: [{ type: 'supersedes', target: 'DECI-OLD' }],
    });
  });

  test('a draft that cannot keep its word any more waits for a person', async () => {
    const { loci } = await keep(
      { id: 'DECI-OLD', status: 'superseded', superseded_by: 'DECI-OTHER' },
      { id: 'DECI-OTHER' },
      { id: 'DECI-NEW', status: 'draft', confidence: 1, supersedes: 'DECI-OLD' },
    );
    const { promoted, skipped } = await loci.reflect();
    expect(promoted).toEqual([]);
    expect(skipped).toEqual([
      {
        id: 'DECI-NEW',
        rule: 'promote',
        reason: 'it would replace DECI-OLD, which DECI-OTHER has replaced already',
      },
    ]);
  });

  test('[E3] conflicts are flagged and nothing is changed', async () => {
    const kept = await keep(
      { id: 'FACT-PORT-A', body: 'The API server listens on port 8080.' },
      { id: 'FACT-PORT-B', body: 'The API server listens on port 9090.' },
      {
        id: 'FACT-STATED',
        body: 'Boats are blue.',
        relations: [
          { type: 'contradicts', target: 'FACT-WHITE', confidence: 0.7, origin: 'stated' },
        ],
      },
      { id: 'FACT-WHITE', body: 'All boats are white.' },
    );
    const before = await hashOf(kept);
    const { conflicts, run } = await kept.loci.reflect();
    expect(conflicts).toEqual([
      {
        id: 'FACT-PORT-A+FACT-PORT-B',
        kind: 'texts',
        ids: ['FACT-PORT-A', 'FACT-PORT-B'],
        reason: 'FACT-PORT-A says 8080, FACT-PORT-B says 9090',
        confidence: 0.9,
      },
      {
        id: 'FACT-STATED+FACT-WHITE',
        kind: 'stated',
        ids: ['FACT-STATED', 'FACT-WHITE'],
        reason: 'FACT-STATED contradicts FACT-WHITE (stated)',
        confidence: 0.7,
      },
    ]);
    expect(run).toBe(null);
    expect(await hashOf(kept)).toBe(before);
  });

  test('[L1] a text that was corrected is in conflict no more', async () => {
    const { loci, clock } = await keep(
      { id: 'FACT-PORT-A', body: 'The API server listens on port 8080.' },
      { id: 'FACT-PORT-B', body: 'The API server listens on port 9090.' },
    );
    expect((await loci.reflect()).conflicts.length).toBe(1);
    clock.advance(1000);
    await loci.update({ id: 'FACT-PORT-B', body: 'The metrics server listens on port 9090.' });
    expect((await loci.reflect()).conflicts).toEqual([]);
  });

  test('[L2] what was archived, replaced or deleted takes no part', async () => {
    const { loci } = await keep(
      OLDER,
      { ...NEWER, status: 'archived' },
      { id: 'FACT-PORT-A', body: 'The API server listens on port 8080.', status: 'rejected' },
      { id: 'FACT-PORT-B', body: 'The API server listens on port 9090.' },
      { ...OVER, status: 'superseded' },
    );
    const { changes, conflicts } = await loci.reflect();
    expect({ changes, conflicts }).toEqual({ changes: [], conflicts: [] });
  });

  test('[E3] what says the same in other letters is put up for review', async () => {
    const { loci } = await keep(OLDER, { ...NEWER, body: 'The Harbour office opens at NINE!' });
    const { proposed, deduplicated } = await loci.reflect();
    expect(deduplicated).toEqual([]);
    expect(proposed).toMatchObject([{ ids: ['FACT-NEWER', 'FACT-OLDER'], confidence: 0.9 }]);
    expect((await loci.reflect()).proposed).toEqual([]);
  });

  test('[E3] the second time in a row changes nothing, and looks at nothing', async () => {
    const kept = await keep(OLDER, NEWER, FERRY, OVER, {
      id: 'BELI-A',
      type: 'belief',
      confidence: 1,
    });
    const first = await kept.loci.reflect();
    expect(first.expired).toEqual(['FACT-OVER']);
    const { position } = await kept.engine.head();
    const second = await kept.loci.reflect();
    expect(second).toMatchObject({ run: null, changes: [], conflicts: first.conflicts });
    expect(second.views.map(({ changed }) => changed)).toEqual([false, false, false, false, false]);
    expect((await kept.engine.head()).position).toBe(position);
  });

  test('[E3] an unchanged store is looked at again once the time of a memory is over', async () => {
    const { loci, clock } = await keep({ id: 'FACT-SOON', valid_to: '2026-03-11T00:00:00.000Z' });
    expect((await loci.reflect()).expired).toEqual([]);
    clock.set('2026-03-10T23:59:59.999Z');
    expect((await loci.reflect()).expired).toEqual([]);
    clock.set('2026-03-11T00:00:00.000Z');
    expect((await loci.reflect()).expired).toEqual(['FACT-SOON']);
  });

  test('[E3] what another replica wrote is looked at, and so is a store that was replayed', async () => {
    const { loci, engine } = await keep(OLDER);
    await loci.reflect();
    const other = await keep(NEWER);
    const events = await other.engine.events(0, 10);
    await engine.merge(events);
    expect((await loci.reflect()).deduplicated).toEqual(['FACT-NEWER']);
    await engine.replay();
    expect(await loci.reflect()).toMatchObject({ run: null, changes: [] });
  });

  test('[E3] a dry run says the same as the run after it', async () => {
    const kept = await keep(OLDER, NEWER, FERRY, OVER, {
      id: 'BELI-A',
      type: 'belief',
      confidence: 1,
    });
    const before = await kept.engine.verify();
    const dry = await kept.loci.reflect({ dryRun: true });
    expect(await kept.engine.verify()).toEqual(before);
    const { run, ...done } = await kept.loci.reflect();
    expect(run).toMatch(/^[0-9A-Z]{26}$/);
    expect({ ...dry, views: [] }).toEqual({ ...done, run: null, dry_run: true, views: [] });
  });

  test('[A3] only this project is changed', async () => {
    const kept = await keep({ ...OVER, project: 'global' }, { ...OVER, id: 'FACT-HERE' });
    expect((await kept.loci.reflect()).expired).toEqual(['FACT-HERE']);
    expect(await statusesOf(kept, 'FACT-OVER')).toEqual({ 'FACT-OVER': 'active' });
  });
});
