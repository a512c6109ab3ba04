import { expect, test } from 'vitest';
import { PAGE_MARK } from '../../domain/pages/page.ts';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { memoryOf, put } from '../memories.ts';

export function noteContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  test('a note is kept by its name, makes no event', async () => {
    const engine = await bench().open();
    await put(engine, memoryOf({ id: 'FACT-A' }));
    const before = await engine.head();
    expect(await engine.note('reflect')).toBe(undefined);
    await engine.putNote('reflect', 'one');
    await engine.putNote('other', 'two');
    await engine.putNote('reflect', 'three');
    expect([await engine.note('reflect'), await engine.note('other')]).toEqual(['three', 'two']);
    expect(await engine.head()).toEqual(before);
  });

  test('[A11] no note outlives a purge: it may tell of what is gone', async () => {
    const engine = await bench().open();
    await put(engine, memoryOf({ id: 'FACT-A' }), memoryOf({ id: 'FACT-B' }));
    await engine.putNote('reflect', 'FACT-A says 8080');
    await engine.purge(['FACT-A'], 'owner');
    expect(await engine.note('reflect')).toBe(undefined);
  });

  test('a page is put where there is a folder, once, and is no memory', async () => {
    const engine = await bench().open();
    await put(engine, memoryOf({ id: 'FACT-A' }));
    const before = await engine.verify();
    const text = `${PAGE_MARK}\n\n# Index\n`;
    const first = await engine.putPage('INDEX.md', text);
    expect(['written', 'nowhere']).toContain(first);
    const again = first === 'nowhere' ? 'nowhere' : 'same';
    expect(await engine.putPage('INDEX.md', text)).toBe(again);
    expect(await engine.putPage('INDEX.md', `${text}More.\n`)).toBe(first);
    expect(await engine.verify()).toEqual(before);
    expect((await engine.reindex()).stateHash).toBe(before.stateHash);
  });
}
