import { expect, test } from 'vitest';
import { NOTHING_NAMED } from '../../src/testing/memories.ts';
import { AUTOMATIC_CHANGES } from './automatic.ts';
import { hashOf, onEveryEngine, statusesOf, type Given } from './kept.ts';

const OFFER: Given = {
  id: 'FACT-OFFER',
  body: 'The offer stands.',
  valid_to: '2026-01-02T00:00:00.000Z',
};
const LEASE: Given = {
  id: 'FACT-LEASE',
  body: 'The lease runs.',
  valid_to: '2026-02-01T00:00:00.000Z',
};

onEveryEngine((keep) => {
  test.each(AUTOMATIC_CHANGES)(
    '[I2] $rule: what it changed is shown, taken back to the same state, and put back again',
    async ({ store, run }) => {
      const kept = await keep(...store);
      const { loci, engine } = kept;
      const before = await hashOf(kept);
      const { run: id } = await run(loci);
      const after = await hashOf(kept);
      expect(after).not.toBe(before);
      const shown = await loci.runs({ run: id ?? '' });
      expect(shown.changes?.length).toBe(shown.runs[0]?.applied);
      expect(shown.changes?.every(({ fields }) => fields && fields.length > 0)).toBe(true);

      const back = await loci.undo({ ref: id ?? '' });
      expect(back.skipped).toEqual([]);
      expect(await hashOf(kept)).toBe(before);
      expect((await loci.runs()).runs.at(-1)).toMatchObject({
        id,
        undone: shown.runs[0]?.memories,
      });
      // Who runs it again does not undo the undo.
      expect((await run(loci)).run).toBe(null);
      expect(await hashOf(kept)).toBe(before);

      const again = await loci.undo({ ref: back.run ?? '' });
      expect(again.skipped).toEqual([]);
      expect(await hashOf(kept)).toBe(after);
      expect((await loci.runs()).runs.at(-1)).toMatchObject({ id, undone: 0 });
      expect((await engine.replay()).stateHash).toBe(after);
      expect((await engine.verify()).problems).toEqual([]);
    },
  );

  test('[I2] one change of a run is taken back alone', async () => {
    const kept = await keep(OFFER, LEASE);
    const { loci } = kept;
    const { run } = await loci.gc();
    const { changes = [] } = await loci.runs({ run: run ?? '' });
    expect(changes.map(({ id }) => id)).toEqual(['FACT-LEASE', 'FACT-OFFER']);
    const event = changes[0]?.event ?? '';
    const back = await loci.undo({ ref: event });
    expect(back).toMatchObject({ undoes: event, skipped: [] });
    expect(await statusesOf(kept, 'FACT-LEASE', 'FACT-OFFER')).toEqual({
      'FACT-LEASE': 'active',
      'FACT-OFFER': 'archived',
    });
    expect(
      (await loci.runs()).runs.map(({ verb, undone, undoes }) => [verb, undone, undoes]),
    ).toEqual([
      ['undo', 0, event],
      ['gc', 1, null],
    ]);
    // The rest of the run, and then nothing any more.
    const rest = await loci.undo({ ref: run ?? '' });
    expect(rest.changes.map(({ id }) => id)).toEqual(['FACT-OFFER']);
    expect(rest.skipped).toEqual([
      { id: 'FACT-LEASE', rule: 'undo', reason: `run ${back.run} has taken it back already` },
    ]);
    const last = await loci.undo({ ref: run ?? '' });
    expect(last).toMatchObject({ run: null, changes: [] });
    expect(last.skipped.length).toBe(2);
  });

  test('[I2] a memory that was changed since is named and left alone', async () => {
    const kept = await keep(OFFER, LEASE);
    const { loci, clock } = kept;
    const { run } = await loci.gc();
    clock.advance(60_000);
    await loci.update({ id: 'FACT-OFFER', title: 'An offer' });
    const { changes, skipped } = await loci.undo({ ref: run ?? '' });
    expect(changes.map(({ id }) => id)).toEqual(['FACT-LEASE']);
    expect(skipped).toEqual([
      {
        id: 'FACT-OFFER',
        rule: 'undo',
        reason: 'it was changed since, on 2026-03-10T12:01:01.000Z',
      },
    ]);
    expect(await statusesOf(kept, 'FACT-OFFER')).toEqual({ 'FACT-OFFER': 'archived' });
  });

  test('a text that is there again meanwhile does not come twice', async () => {
    const kept = await keep(OFFER);
    const { run } = await kept.loci.gc();
    const { results } = await kept.loci.remember({ body: 'The offer stands.' });
    const { skipped, run: undone } = await kept.loci.undo({ ref: run ?? '' });
    expect(undone).toBe(null);
    expect(skipped).toEqual([
      { id: 'FACT-OFFER', rule: 'undo', reason: `${results[0]?.id} already holds this text` },
    ]);
  });

  test('[I2] what a run made is archived when it is taken back', async () => {
    const kept = await keep(OFFER);
    const { loci, engine } = kept;
    const { memories } = await loci.get({ ids: ['FACT-OFFER'] });
    const { version: _version, ...offer } = memories[0] as NonNullable<(typeof memories)[0]>;
    const data = { ...offer, id: 'FACT-MADE', body: 'Made by a run.' };
    const record = {
      id: 'R1',
      project: 'boat',
      verb: 'test',
      at: offer.created_at,
      actor: 'owner',
    };
    await engine.commit({ ...NOTHING_NAMED, run: 'R1' }, () => ({
      changes: [
        { kind: 'memory.stored', subject: data.id, data },
        {
          kind: 'run.recorded',
          subject: 'run:R1',
          data: { ...record, rules: { make: 1 }, applied: 1, memories: 1, skipped: 0 },
        },
      ],
      result: 0,
    }));
    await loci.undo({ ref: 'R1' });
    const made = await loci.get({ ids: ['FACT-MADE'] });
    expect(made.memories[0]).toMatchObject({
      status: 'archived',
      status_reason: 'taken back: run R1 had made it',
    });
  });

  test('a dry run says what would be taken back', async () => {
    const kept = await keep(OFFER);
    const { run } = await kept.loci.gc();
    const before = await kept.engine.verify();
    const dry = await kept.loci.undo({ ref: run ?? '', dryRun: true });
    expect(dry).toMatchObject({ run: null, dry_run: true, skipped: [] });
    expect(dry.changes[0]?.fields[0]).toEqual({
      field: 'status',
      before: 'archived',
      after: 'active',
    });
    expect(await kept.engine.verify()).toEqual(before);
  });

  test('an undo beyond what the log still holds is refused, and nothing is changed', async () => {
    const kept = await keep(OFFER, LEASE);
    const { run } = await kept.loci.gc();
    const before = await hashOf(kept);
    // What the run built on goes; its own events are the latest of their memories and stay.
    await kept.engine.compact('owner');
    await expect(kept.loci.undo({ ref: run ?? '' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/history before 2026-03-10T12:00:01.000Z was compacted/),
    });
    const { changes = [] } = await kept.loci.runs({ run: run ?? '' });
    expect(changes.map(({ id, fields }) => [id, fields])).toEqual([
      ['FACT-LEASE', null],
      ['FACT-OFFER', null],
    ]);
    expect(await hashOf(kept)).toBe(before);

    // Now the events of the run go as well.
    kept.clock.advance(1000);
    await kept.loci.update({ id: 'FACT-OFFER', title: 'An offer' });
    await kept.engine.compact('owner');
    await expect(kept.loci.undo({ ref: run ?? '' })).rejects.toMatchObject({ code: 'conflict' });
    expect((await kept.loci.runs({ run: run ?? '' })).changes?.length).toBe(1);
  });

  test('what was taken back before the log was compacted is not done again', async () => {
    const { loci, engine } = await keep(OFFER);
    const { run } = await loci.gc();
    await loci.undo({ ref: run ?? '' });
    await engine.compact('owner');
    expect((await loci.gc()).expired).toEqual([]);
  });

  test('unknown ids, other projects and changes that no run made are not found', async () => {
    const { loci, engine } = await keep(OFFER);
    const { run } = await loci.gc();
    const elsewhere = loci.scoped({ project: 'harbour' });
    const [first] = await engine.history('FACT-OFFER');
    for (const ref of ['R9', first?.id ?? '']) {
      await expect(loci.undo({ ref })).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(elsewhere.undo({ ref: run ?? '' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(elsewhere.runs({ run: run ?? '' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await elsewhere.runs()).toEqual({ runs: [], total: 0 });
  });
});
