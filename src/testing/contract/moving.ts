import { expect, test } from 'vitest';
import { fingerprintOf, passagesKey, passagesOf } from '../../domain/embedding.ts';
import type { LogEvent } from '../../domain/event.ts';
import { recordSubject } from '../../domain/record.ts';
import { VIEW_ALL } from '../../domain/view.ts';
import type { Engine } from '../../ports/engine.ts';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { memoryOf, NOTHING_NAMED, put } from '../memories.ts';
import { idsFor } from './keyword.ts';

const MODEL = {
  provider: 'test',
  model: 'tiny',
  dimensions: 3,
  queryPrefix: '',
  documentPrefix: '',
};
const FINGERPRINT = fingerprintOf(MODEL);

const HELM = memoryOf({ id: 'FACT-HELM', body: 'The helm is aft.', project: 'boat' });
const MAST = memoryOf({ id: 'FACT-MAST', body: 'The mast is oak.', agent: 'ann' });

async function fill(engine: Engine): Promise<readonly LogEvent[]> {
  const edge = { type: 'supports', target: 'FACT-MAST', confidence: 1, origin: 'stated' };
  await put(engine, { ...HELM, body: 'The helm is forward.' }, MAST);
  await put(engine, { ...HELM, relations: [edge] });
  const entity = { id: 'tool:helm', project: 'boat', aliases: ['wheel'] };
  const subject = recordSubject('entity', entity.id);
  await engine.commit(NOTHING_NAMED, () => ({
    changes: [
      { kind: 'entity.recorded', subject, data: entity },
      { kind: 'project.named', subject: 'project:k', data: { key: 'k', name: 'boat' } },
    ],
    result: 0,
  }));
  return engine.events(0, 100);
}

/** What a carrier of events, records, evidence and vectors leans on. */
export function movingContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  test('[B5] the events of another store are joined part by part, records with them', async () => {
    const source = await bench().oracle();
    const events = await fill(source);
    const engine = await bench().open();
    expect((await engine.merge(events.slice(0, 2))).events).toBe(2);
    expect((await engine.merge(events)).events).toBe(3);
    expect((await engine.merge(events)).events).toBe(0);
    expect((await engine.merge([])).events).toBe(0);
    expect(await engine.events(0, 100)).toEqual(events);
    const [helm] = await engine.get(['FACT-HELM'], VIEW_ALL);
    const [same] = await source.get(['FACT-HELM'], VIEW_ALL);
    expect(helm).toEqual(same);
    expect(await idsFor(engine, 'aft')).toEqual(['FACT-HELM']);
    expect(await idsFor(engine, 'forward')).toEqual([]);
    expect(await engine.records('entity', VIEW_ALL)).toHaveLength(1);
    expect(await engine.projects()).toEqual([{ key: 'k', name: 'boat' }]);
    const { stateHash, problems } = await engine.verify();
    expect(problems).toEqual([]);
    expect(stateHash).toBe((await source.verify()).stateHash);
  });

  test('[B5] [B6] a store that took events goes on as a replica of its own', async () => {
    const events = await fill(await bench().oracle());
    const engine = await bench().open();
    await put(engine, memoryOf({ id: 'FACT-MINE' }));
    await engine.merge(events);
    const next = await put(engine, { ...HELM, body: 'The helm is gone.' });
    expect(next.map(({ rseq, base }) => [rseq, base])).toEqual([[2, [events[2]?.id]]]);
    expect((await engine.verify()).problems).toEqual([]);
    expect((await engine.replay()).problems).toEqual([]);
  });

  test('[B5] evidence that lies in another store is taken under the same hash', async () => {
    const source = await bench().oracle();
    const hash = await source.putEvidence(Buffer.from('the deed of the boat'));
    const engine = await bench().open();
    expect(await engine.putEvidence((await source.evidence(hash))!)).toBe(hash);
    expect(Buffer.from((await engine.evidence(hash))!).toString()).toBe('the deed of the boat');
  });

  test('[B5] vectors are handed out number for number, and taken so', async () => {
    const engine = await bench().open();
    await put(engine, HELM, MAST);
    const key = passagesKey(passagesOf(HELM));
    const third = 1 / 3;
    const vectors = [Float32Array.of(0.6, 0.8, 0), Float32Array.of(third, -third, third)];
    await engine.putVectors(MODEL, [{ key, vectors }]);
    expect(await engine.vectorsOf(FINGERPRINT, ['none', key, key])).toEqual([{ key, vectors }]);
    const other = await bench().open();
    expect(await other.vectorsOf(FINGERPRINT, [key])).toEqual([]);
    await other.putVectors(MODEL, await engine.vectorsOf(FINGERPRINT, [key]));
    expect(await other.vectorsOf(FINGERPRINT, [key])).toEqual([{ key, vectors }]);
    expect(await other.vectorsOf(FINGERPRINT, [])).toEqual([]);
    expect(await other.vectorsOf('0'.repeat(32), [key])).toEqual([]);
  });

  test('[C10] vectors are counted for the memories of a view', async () => {
    const engine = await bench().open();
    await put(engine, HELM, MAST);
    const vectors = [Float32Array.of(1, 0, 0)];
    await engine.putVectors(MODEL, [{ key: passagesKey(passagesOf(HELM)), vectors }]);
    // What came without being asked for is taken up by the next look for what is pending.
    expect(await engine.pendingVectors(FINGERPRINT, 10)).toHaveLength(1);
    const counts = (projects: readonly string[], agents: readonly string[] | 'all') =>
      engine.vectorCounts(FINGERPRINT, { projects, agents });
    expect(await counts(['boat'], 'all')).toEqual({ stored: 1, pending: 0 });
    expect(await counts(['global'], 'all')).toEqual({ stored: 0, pending: 1 });
    expect(await counts(['global'], ['bob', ''])).toEqual({ stored: 0, pending: 0 });
    expect(await engine.vectorCounts(FINGERPRINT)).toEqual({ stored: 1, pending: 1 });
  });
}
