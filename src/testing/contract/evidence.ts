import { expect, test } from 'vitest';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { memoryOf, put } from '../memories.ts';

/** SHA-256 of the bytes of `proof`. */
const PROOF = 'c1cda26362828b69266512052b97cb3729e3b052e4ade47c0a1e3383defe73c7';

export function evidenceContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  test('[A9] a blob is kept once, under its SHA-256', async () => {
    const engine = await bench().open();
    const bytes = Buffer.from('proof');
    expect(await engine.putEvidence(bytes)).toBe(PROOF);
    expect(await engine.putEvidence(bytes)).toBe(PROOF);
    expect(Buffer.from((await engine.evidence(PROOF)) ?? [])).toEqual(bytes);
    expect(await engine.evidence(PROOF.replace('3', '4'))).toBeUndefined();
  });

  test('[A9] [I1] evidence counts for the state hash from when a memory names it', async () => {
    const engine = await bench().open();
    await put(engine, memoryOf({ id: 'FACT-ONE' }));
    const before = (await engine.verify()).stateHash;
    await engine.putEvidence(Buffer.from('proof'));
    expect((await engine.verify()).stateHash).toBe(before);
    await put(engine, memoryOf({ id: 'FACT-ONE', evidence: [PROOF] }));
    const verified = await engine.verify();
    expect(verified.stateHash).not.toBe(before);
    expect(verified.problems).toEqual([]);
  });

  test('[A9] a memory whose evidence is not here is found', async () => {
    const engine = await bench().open();
    await put(engine, memoryOf({ id: 'FACT-ONE', evidence: [PROOF] }));
    const { logOk, problems } = await engine.verify();
    expect(logOk).toBe(true);
    expect(problems).toMatchObject([{ check: 'evidence', severity: 'warning', ids: ['FACT-ONE'] }]);
    expect(problems[0]?.message).toContain(PROOF);
  });
}
