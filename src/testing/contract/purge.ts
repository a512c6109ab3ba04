import { expect, test } from 'vitest';
import { sha256 } from '../../domain/hash.ts';
import { recordSubject } from '../../domain/record.ts';
import { VIEW_ALL } from '../../domain/view.ts';
import type { Engine } from '../../ports/engine.ts';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { changeTo, memoryOf, NOTHING_NAMED, put } from '../memories.ts';
import { idsFor } from './keyword.ts';

const SECRET = memoryOf({ id: 'FACT-2026-03-09-QUAGGA-7K2M', title: 'Quagga', body: 'A quagga.' });
const OTHER = memoryOf({
  id: 'FACT-2026-03-09-OTHER-8K2M',
  body: `The zebra, see ${SECRET.id}.`,
  supersedes: SECRET.id,
  relations: [{ type: 'supports', target: SECRET.id, confidence: 1, origin: 'stated' }],
});
const CLEAN = { body: 'The zebra, see [purged].', relations: [] };

/** Everything a store tells about its log and state, as text. */
async function told(engine: Engine): Promise<string> {
  const events = await engine.events(0, 1000);
  const stored = await engine.get([OTHER.id, SECRET.id], VIEW_ALL);
  return JSON.stringify([events, stored, await engine.records('run', VIEW_ALL)]);
}

async function filled(engine: Engine): Promise<Engine> {
  await put(engine, SECRET, OTHER);
  await put(engine, { ...SECRET, body: 'Two quaggas.' });
  await put(engine, { ...OTHER, tags: ['later'] });
  const changes = [{ id: SECRET.id, before: { body: 'A quagga.' } }, { id: OTHER.id }];
  const data = { id: 'R1', project: 'global', changes, note: `archived ${SECRET.id}` };
  const record = { kind: 'run.recorded', subject: recordSubject('run', 'R1'), data } as const;
  const reason = `superseded by ${SECRET.id}`;
  await engine.commit({ ...NOTHING_NAMED, run: 'R1' }, () => ({
    changes: [record, changeTo({ ...OTHER, tags: ['last'] }, { reason })],
    result: 0,
  }));
  return engine;
}

export function purgeContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  test('[A11] a memory that is purged is in no answer, and what named it does not any more', async () => {
    const engine = await filled(await bench().open());
    expect(await engine.purge([SECRET.id, 'FACT-NOBODY'], 'owner')).toEqual({
      purged: [SECRET.id],
      warnings: [],
    });
    expect(await engine.get([SECRET.id], VIEW_ALL)).toEqual([]);
    expect(await engine.history(SECRET.id)).toEqual([]);
    expect(await idsFor(engine, 'quagga')).toEqual([]);
    expect(await idsFor(engine, 'zebra')).toEqual([OTHER.id]);
    expect(await engine.edges([OTHER.id, SECRET.id], VIEW_ALL)).toEqual([]);
    const [stored] = await engine.get([OTHER.id], VIEW_ALL);
    expect(stored?.memory).toMatchObject({ ...CLEAN, tags: ['last'] });
    expect(stored?.memory).not.toHaveProperty('supersedes');
    expect(stored?.version).toBe(3);
    expect(await engine.records('run', VIEW_ALL)).toEqual([
      { id: 'R1', project: 'global', changes: [{ id: OTHER.id }], note: 'archived [purged]' },
    ]);
    expect((await told(engine)).toLowerCase()).not.toContain('quagga');
    expect((await engine.verify()).problems).toEqual([]);
  });

  test('[A11] the log keeps its chains, its length and a tombstone under the hash of the id', async () => {
    const engine = await filled(await bench().open());
    const before = await engine.events(0, 100);
    await engine.purge([SECRET.id], 'ann');
    const after = await engine.events(0, 100);
    expect(after.slice(0, -1).map(({ id, prev }) => [id, prev])).toEqual(
      before.map(({ id, prev }) => [id, prev]),
    );
    const subject = `purged:${sha256(SECRET.id)}`;
    expect(after.at(-1)).toMatchObject({
      kind: 'memory.purged',
      subject,
      actor: 'ann',
      data: null,
    });
    expect(after[0]).toMatchObject({ subject, salt: '', data: null });
    const { stateHash } = await engine.verify();
    for (const verb of ['replay', 'reindex'] as const) {
      expect((await engine[verb]()).stateHash).toBe(stateHash);
      expect((await engine.verify()).problems).toEqual([]);
    }
    await put(engine, memoryOf({ id: 'FACT-NEXT' }));
    expect((await engine.verify()).problems).toEqual([]);
  });

  test('[A11] [B7] no merge brings it back, and a tombstone that comes with one purges here', async () => {
    const engine = await filled(await bench().open());
    const other = await bench().open();
    await other.merge(await engine.events(0, 100));
    await put(other, { ...SECRET, body: 'Three quaggas.' });
    await put(other, memoryOf({ id: 'FACT-2026-NEW', body: `As in ${SECRET.id}.` }));
    await engine.purge([SECRET.id], 'owner');
    const theirs = await other.events(0, 100);
    await other.merge(await engine.events(0, 100));
    await engine.merge(theirs);
    for (const one of [engine, other]) {
      expect((await told(one)).toLowerCase()).not.toContain('quagga');
      expect(await idsFor(one, 'quagga quaggas')).toEqual([]);
      expect((await one.verify()).problems).toEqual([]);
    }
    expect((await engine.verify()).stateHash).toBe((await other.verify()).stateHash);
    expect((await engine.get(['FACT-2026-NEW'], VIEW_ALL))[0]?.memory.body).toBe('As in [purged].');
  });

  test('[A11] a decision sees which ids are gone for good', async () => {
    const engine = await filled(await bench().open());
    const request = { ...NOTHING_NAMED, ids: [SECRET.id, OTHER.id] };
    const seen = async (): Promise<boolean[]> => {
      const { result } = await engine.commit(request, (state) => ({
        changes: [],
        result: [SECRET.id, OTHER.id].map((id) => state.purged(id)),
      }));
      return result;
    };
    expect(await seen()).toEqual([false, false]);
    await engine.purge([SECRET.id], 'owner');
    expect(await seen()).toEqual([true, false]);
  });

  test('[A11] a conflict that speaks of it goes with it', async () => {
    const one = await filled(await bench().open());
    const other = await bench().open();
    await other.merge(await one.events(0, 100));
    await put(one, { ...SECRET, body: 'Quagga here.' });
    await put(other, { ...SECRET, body: 'Quagga there.' });
    await one.merge(await other.events(0, 100));
    expect(await idsFor(one, 'quagga')).toHaveLength(3);
    await one.purge([SECRET.id], 'owner');
    expect(await idsFor(one, 'quagga')).toEqual([]);
    expect((await one.verify()).problems).toEqual([]);
  });

  test('[A9] [A11] evidence goes when nothing else names it', async () => {
    const engine = await bench().open();
    const [own, shared] = [
      await engine.putEvidence(Buffer.from('own')),
      await engine.putEvidence(Buffer.from('shared')),
    ];
    await put(engine, { ...SECRET, evidence: [own, shared] }, { ...OTHER, evidence: [shared] });
    await put(engine, { ...SECRET, evidence: [] });
    await engine.purge([SECRET.id], 'owner');
    expect(await engine.evidence(own)).toBeUndefined();
    expect(Buffer.from((await engine.evidence(shared)) ?? []).toString()).toBe('shared');
  });

  test('[A11] [B6] a compacted log holds the tombstone alone', async () => {
    const engine = await filled(await bench().open());
    const other = await bench().open();
    await other.merge(await engine.events(0, 100));
    await engine.purge([SECRET.id], 'owner');
    const { stateHash } = await engine.compact('owner');
    expect((await engine.events(0, 100)).map(({ kind }) => kind)).toEqual([
      'run.recorded',
      'memory.updated',
      'memory.purged',
      'log.compacted',
    ]);
    await engine.merge(await other.events(0, 100));
    const { stateHash: merged, problems } = await engine.verify();
    expect([merged, problems]).toEqual([stateHash, []]);
    expect((await told(engine)).toLowerCase()).not.toContain('quagga');
  });
}
