import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { COMMIT_STEPS } from '../../src/engines/vault/vault.ts';
import { written } from './processes.ts';
import {
  change,
  close,
  complaints,
  expectSound,
  fact,
  filesOf,
  ids,
  linesOf,
  open,
  put,
  vaultOf,
  within,
} from './support.ts';

/** From here on a commit is durable, whoever finishes it. */
const DURABLE = new Set<string>(['appended', 'filed', 'indexed']);

const LAST = {
  'a new memory': { id: 'FACT-LAST', body: 'The last words.' },
  'another text': { id: 'FACT-KNOWN', body: 'The last words.' },
  'a move to the archive': { id: 'FACT-KNOWN', status: 'archived' },
} as const;

function isMatch(memory: object, fields: object): boolean {
  return Object.entries(fields).every(([key, value]) => Reflect.get(memory, key) === value);
}

describe('[B11] a process that is killed in the middle of a commit', () => {
  const cases = COMMIT_STEPS.flatMap((dieAt) => {
    return Object.entries(LAST).map(([name, last]) => ({ dieAt, name, last }));
  });

  test.each(cases)('at “$dieAt”, with $name', async ({ dieAt, last }) => {
    const root = await vaultOf(fact('KNOWN'));
    const other = await open(root);
    const { end, ids: acknowledged } = await written(root, {
      name: 'VICTIM',
      count: 2,
      dieAt,
      last,
    });
    expect(end).toBe('SIGKILL');
    expect(acknowledged).toEqual(['FACT-VICTIM-0', 'FACT-VICTIM-1']);
    // A process that was open all the while writes next, and meets what the dead one left.
    await put(other, fact('NEXT'));
    await within(root, async (engine) => {
      const isKept = DURABLE.has(dieAt);
      const kept = isKept && last.id === 'FACT-LAST' ? ['FACT-LAST'] : [];
      expect(await ids(engine)).toEqual([
        'FACT-KNOWN',
        ...kept,
        'FACT-NEXT',
        'FACT-VICTIM-0',
        'FACT-VICTIM-1',
      ]);
      const found = await engine.get([last.id], VIEW_ALL);
      expect(found.filter((stored) => isMatch(stored.memory, last))).toHaveLength(isKept ? 1 : 0);
      expect(await complaints(engine)).toEqual([]);
      await expectSound(engine);
    });
    expect(Object.keys(filesOf(root)).filter((path) => path.includes('KNOWN'))).toHaveLength(1);
    expect(readdirSync(root).filter((name) => name.includes('tmp'))).toEqual([]);
    await expectSound(other);
  });

  test.each(COMMIT_STEPS)('at “%s”, alone: the next to open finishes it', async (dieAt) => {
    const root = await vaultOf();
    const last = LAST['a new memory'];
    expect(await written(root, { name: 'ALONE', count: 1, last, dieAt })).toMatchObject({
      end: 'SIGKILL',
      ids: ['FACT-ALONE-0'],
    });
    await within(root, async (engine) => {
      expect(await ids(engine)).toEqual(
        DURABLE.has(dieAt) ? ['FACT-ALONE-0', 'FACT-LAST'] : ['FACT-ALONE-0'],
      );
      await expectSound(engine);
    });
  });
});

describe('[B11] a step that fails', () => {
  test.each(COMMIT_STEPS)(
    '“%s”: the engine goes on, and so does everybody else',
    async (failing) => {
      const root = await vaultOf(fact('KNOWN'));
      let fails = true;
      const engine = await open(root, {
        onStep(step) {
          if (fails && step === failing) throw new Error('this step failed');
        },
      });
      await expect(put(engine, fact('FAILED'))).rejects.toThrow('this step failed');
      fails = false;
      const other = await open(root);
      await put(other, fact('OTHER'));
      await put(engine, fact('AFTER'));
      await change(engine, 'FACT-KNOWN', { body: 'Changed.' });
      for (const each of [engine, other]) {
        expect(await ids(each)).toContain('FACT-AFTER');
        expect((await ids(each)).includes('FACT-FAILED')).toBe(DURABLE.has(failing));
        await expectSound(each);
      }
      await close(engine);
      await within(root, expectSound);
      expect(linesOf(root)).toHaveLength(DURABLE.has(failing) ? 5 : 4);
    },
  );
});
