import { expect, test } from 'vitest';
import { onEveryEngine } from './clocked.ts';

const ID = 'DECI-DEPLOY-7K2M';

onEveryEngine((openAt) => {
  async function filled() {
    const { loci, clock } = await openAt('2026-03-01T00:00:00.000Z');
    await loci.remember({ id: ID, type: 'decision', body: 'We deploy\non Mondays\nby hand.' });
    await loci.remember({ id: 'FACT-OLD-7K2M', body: 'An old fact.' });
    clock.set('2026-03-02T00:00:00.000Z');
    await loci.update({ id: ID, body: 'We deploy\non Tuesdays\nby hand.', tags: ['release'] });
    clock.set('2026-03-03T00:00:00.000Z');
    await loci.update({ id: ID, confidence: 0.9, reason: 'it went well' });
    await loci.archive({ id: 'FACT-OLD-7K2M', reason: 'old' });
    await loci.remember({ id: 'FACT-NEW-7K2M', body: 'A new fact.' });
    return { loci, clock };
  }

  test('[B6] history tells each change with its time, author and fields', async () => {
    const { loci } = await filled();
    const { events, horizon } = await loci.history({ id: ID });
    expect(horizon).toBeNull();
    expect(
      events.map(({ at, kind, reason, fields }) => [at.slice(0, 10), kind, reason, fields]),
    ).toEqual([
      ['2026-03-01', 'memory.stored', null, expect.arrayContaining(['body', 'type'])],
      ['2026-03-02', 'memory.updated', null, ['body', 'tags']],
      ['2026-03-03', 'memory.updated', 'it went well', ['confidence']],
    ]);
    await expect(loci.history({ id: 'FACT-NOBODY' })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('[B6] diff shows the last change, and any between two events or times', async () => {
    const { loci } = await filled();
    const { events } = await loci.history({ id: ID });
    const last = await loci.diff({ id: ID });
    expect(last.memories[0]).toMatchObject({
      change: 'changed',
      fields: [{ field: 'confidence', before: 0.8, after: 0.9 }],
    });
    const byEvent = { id: ID, from: events[0]?.event ?? '', to: events[1]?.event ?? '' };
    const byTime = { id: ID, from: '2026-03-01', to: '2026-03-02' };
    for (const options of [byEvent, byTime]) {
      const [memory] = (await loci.diff(options)).memories;
      expect(memory?.fields.map(({ field }) => field)).toEqual(['body', 'tags']);
      expect(memory?.lines).toEqual([
        { kind: 'same', text: 'We deploy' },
        { kind: 'removed', text: 'on Mondays' },
        { kind: 'added', text: 'on Tuesdays' },
        { kind: 'same', text: 'by hand.' },
      ]);
    }
    expect((await loci.diff({ id: ID, from: '2026-02-01' })).memories[0]?.change).toBe('appeared');
  });

  test('[B6] diff since a time tells what appeared, changed and ended', async () => {
    const { loci } = await filled();
    const changes = async (since: string) => {
      const { memories } = await loci.diff({ since });
      return Object.fromEntries(memories.map(({ id, change }) => [id, change]));
    };
    expect(await changes('2026-03-03')).toEqual({
      [ID]: 'changed',
      'FACT-NEW-7K2M': 'appeared',
      'FACT-OLD-7K2M': 'ended',
    });
    expect(await changes('2026-02-01')).toMatchObject({ 'FACT-NEW-7K2M': 'appeared' });
    expect(await changes('2026-03-04')).toEqual({});
    const both = loci.diff({ id: ID, since: '2026-03-03' });
    await expect(both).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('[B6] what a compacted log does not tell any more is refused, with its horizon', async () => {
    const { loci } = await filled();
    const { state_hash } = await loci.verify();
    const compacted = await loci.compact();
    expect(compacted).toMatchObject({
      dropped: 3,
      horizon: '2026-03-03T00:00:00.000Z',
      state_hash,
    });
    const early = { code: 'invalid_input', message: expect.stringContaining('2026-03-03T00:00') };
    for (const refused of [
      loci.recall({ asRecorded: '2026-03-01' }),
      loci.search({ asOf: '2026-03-01' }),
      loci.get({ ids: [ID], asRecorded: '2026-03-02' }),
      loci.diff({ id: ID, from: '2026-03-01' }),
      loci.diff({ id: ID }),
      loci.diff({ since: '2026-03-01' }),
    ]) {
      await expect(refused).rejects.toMatchObject(early);
    }
    expect((await loci.recall({ query: 'deploy', asRecorded: '2026-03-03' })).results).toHaveLength(
      1,
    );
    expect((await loci.history({ id: ID })).horizon).toBe('2026-03-03T00:00:00.000Z');
    expect((await loci.verify()).problems).toEqual([]);
  });

  test('[B8] a reader pages through all changes in order, and goes on where it was', async () => {
    const { loci } = await filled();
    const { cursor: end, position } = await loci.head();
    const seen: string[] = [];
    let page = await loci.delta({ limit: 2 });
    for (; ; page = await loci.delta({ cursor: page.cursor, limit: 2 })) {
      seen.push(...page.changes.map(({ kind, memory }) => `${kind} ${memory.id}`));
      if (!page.more) break;
    }
    expect(seen).toEqual([
      `memory.stored ${ID}`,
      'memory.stored FACT-OLD-7K2M',
      `memory.updated ${ID}`,
      `memory.updated ${ID}`,
      'memory.archived FACT-OLD-7K2M',
      'memory.stored FACT-NEW-7K2M',
    ]);
    expect([page.cursor, position]).toEqual([end, 6]);
    await loci.remember({ body: 'The newest.' });
    expect((await loci.delta({ cursor: end })).changes.map(({ memory }) => memory.body)).toEqual([
      'The newest.',
    ]);
  });

  test('[B8] a page has fifty changes, of what the reader may see', async () => {
    const { loci } = await openAt('2026-03-01T00:00:00.000Z');
    const bodies = Array.from({ length: 60 }, (_, i) => ({ body: `Fact ${i}.` }));
    await loci.scoped({ project: 'harbour' }).remember({ body: 'Not for the boat.' });
    await loci.remember(bodies);
    const { changes, more, cursor } = await loci.delta();
    expect([changes.length, more]).toEqual([50, true]);
    expect((await loci.delta({ cursor })).changes).toHaveLength(10);
  });

  test('[B8] deleted gaps are safe, and a purge hides what was deleted', async () => {
    const { loci } = await filled();
    const { cursor } = await loci.delta({ limit: 3 });
    await loci.scoped({ project: 'boat' }).purge({ ids: [ID], yes: true });
    const rest = await loci.delta({ cursor });
    expect(rest.changes.map(({ memory }) => memory.id)).toEqual(['FACT-OLD-7K2M', 'FACT-NEW-7K2M']);
    expect(rest.more).toBe(false);
  });

  test('[B8] a cursor that is foreign, ahead or none at all fails closed', async () => {
    const { loci } = await filled();
    const { loci: other } = await openAt('2026-03-01T00:00:00.000Z');
    const { cursor } = await loci.head();
    await expect(other.delta({ cursor })).rejects.toMatchObject({ code: 'conflict' });
    await expect(loci.delta({ cursor: 'nonsense' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    const forged = (more: object): string => {
      const known = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as object;
      return Buffer.from(JSON.stringify({ ...known, ...more })).toString('base64url');
    };
    const ahead = loci.delta({ cursor: forged({ position: 7 }) });
    await expect(ahead).rejects.toMatchObject({ code: 'conflict' });
    const earlier = loci.delta({ cursor: forged({ epoch: 'before' }) });
    await expect(earlier).rejects.toMatchObject({ code: 'conflict' });
    const negative = loci.delta({ cursor: forged({ position: -1 }) });
    await expect(negative).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('[A9] evidence is given as bytes or as the hash of what is kept', async () => {
    const { loci } = await openAt('2026-03-01T00:00:00.000Z');
    await loci.remember({ id: ID, body: 'It broke.', evidence: [Buffer.from('log')] });
    const [kept] = (await loci.evidence({ ref: ID })).evidence;
    await loci.update({ id: ID, evidence: [Buffer.from('more')] });
    const { memories } = await loci.get({ ids: [ID] });
    expect(memories[0]?.evidence).toHaveLength(2);
    await loci.remember({ body: 'It broke again.', evidence: [kept?.sha256 ?? ''] });
    const unknown = loci.remember({ body: 'x', evidence: ['0'.repeat(64)] });
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
    const large = loci.remember({ body: 'x', evidence: [Buffer.alloc(10 * 1024 * 1024 + 1)] });
    await expect(large).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(loci.readEvidence('../x')).rejects.toMatchObject({ code: 'not_found' });
    expect((await loci.verify()).problems).toEqual([]);
  });
});
