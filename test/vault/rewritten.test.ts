import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { REWRITE_STEPS } from '../../src/engines/vault/vault.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { written } from './processes.ts';
import {
  change,
  complaints,
  expectSound,
  fact,
  ids,
  linesOf,
  memory,
  open,
  put,
  vaultOf,
  within,
} from './support.ts';

const SECRET = 'FACT-QUAGGA-7K2M';

/** A vault in which one memory names another, and both have a history. */
async function filled(): Promise<string> {
  const root = await vaultOf(fact('KNOWN'), {
    ...fact('SECRET'),
    id: SECRET,
    body: 'A quagga runs.',
  });
  await within(root, async (engine) => {
    const edge = { type: 'supports', target: SECRET, confidence: 1, origin: 'stated' };
    await change(engine, 'FACT-KNOWN', { relations: [edge] });
    await change(engine, SECRET, { body: 'Two quaggas run.' });
  });
  return root;
}

/** Files that hold a word in their bytes or their name. */
function filesWith(root: string, word: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const text = `${path} ${readFileSync(path).toString('latin1')}`;
      return text.toLowerCase().includes(word);
    });
}

async function expectPurged(root: string, engine: Engine): Promise<void> {
  expect(await ids(engine)).toEqual(['FACT-KNOWN', 'FACT-NEXT']);
  expect((await memory(engine, 'FACT-KNOWN')).relations).toEqual([]);
  expect(await complaints(engine)).toEqual([]);
  await expectSound(engine);
  expect(filesWith(root, 'quagga')).toEqual([]);
}

describe('[A11] a process that is killed while it purges', () => {
  test.each(REWRITE_STEPS)('at “%s”: who was there all the while finishes it', async (dieAt) => {
    const root = await filled();
    const other = await open(root);
    expect(await ids(other)).toEqual(['FACT-KNOWN', SECRET]);
    const plan = { name: 'VICTIM', count: 0, dieAt, rewrite: { purge: SECRET } };
    expect((await written(root, plan)).end).toBe('SIGKILL');
    await put(other, fact('NEXT'));
    expect(await ids(other)).not.toContain(SECRET);
    await within(root, (engine) => expectPurged(root, engine).then(() => expectSound(engine)));
    await expectPurged(root, other);
  });

  test.each(REWRITE_STEPS)('at “%s”: the next to open finishes it', async (dieAt) => {
    const root = await filled();
    const plan = { name: 'VICTIM', count: 0, dieAt, rewrite: { purge: SECRET } };
    expect((await written(root, plan)).end).toBe('SIGKILL');
    await within(root, async (engine) => {
      await put(engine, fact('NEXT'));
      await expectPurged(root, engine);
    });
  });
});

describe('[B6] a process that is killed while it compacts', () => {
  test('leaves a log that is whole, and nothing has vanished for who was there', async () => {
    const root = await filled();
    const other = await open(root);
    const { replica } = await other.head();
    const before = await other.verify();
    const plan = { name: 'VICTIM', count: 0, dieAt: 'rewritten', rewrite: 'compact' } as const;
    expect((await written(root, plan)).end).toBe('SIGKILL');
    expect(linesOf(root)).toHaveLength(3);
    expect((await other.verify()).stateHash).toBe(before.stateHash);
    expect((await other.head()).replica).toBe(replica);
    expect(await complaints(other)).toEqual([]);
    await put(other, fact('NEXT'));
    await expectSound(other);
    await within(root, expectSound);
  });
});

describe('[B6] [B11] the log is written anew while others write', () => {
  test('none of them loses what it was told is stored', async () => {
    const root = await filled();
    const others = [await open(root), await open(root)];
    const stored: string[] = [];
    for (let round = 0; round < 4; round++) {
      const [first, second] = others as [Engine, Engine];
      const added = [`N-${round}-A`, `N-${round}-B`];
      await Promise.all([
        put(first, fact(added[0] as string)),
        round % 2 === 0
          ? second.compact('owner')
          : second.purge([`FACT-N-${round - 1}-A`], 'owner'),
        put(second, fact(added[1] as string)),
        change(first, 'FACT-KNOWN', { body: `Round ${round}.` }),
      ]);
      stored.push(...added.map((name) => `FACT-${name}`));
    }
    for (const gone of ['FACT-N-0-A', 'FACT-N-2-A']) stored.splice(stored.indexOf(gone), 1);
    for (const engine of others) {
      expect(await ids(engine)).toEqual(['FACT-KNOWN', ...stored, SECRET].sort());
      expect((await memory(engine, 'FACT-KNOWN')).body).toBe('Round 3.');
      await expectSound(engine);
    }
  });
});
