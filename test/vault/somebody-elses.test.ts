import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  change,
  expectSound,
  fact,
  facts,
  filesOf,
  freshRoot,
  INDEX,
  LOG,
  memories,
  memory,
  open,
  put,
  read,
  vaultOf,
  within,
  write,
} from './support.ts';

describe('[B12] a file that lies where a memory’s file is to go stays', () => {
  test('a copy with notes that a person keeps in the archive', async () => {
    const root = await vaultOf(fact('PORT'));
    const copy = `${read(root, 'ENTITIES/FACT-PORT.md')}\nMY OWN NOTE\n`;
    write(root, 'ARCHIVE/FACT-PORT.md', copy);
    await within(root, (engine) => change(engine, 'FACT-PORT', { status: 'archived' }));
    expect(read(root, 'ARCHIVE/FACT-PORT.md')).toBe(copy);
    expect(read(root, 'ARCHIVE/FACT-PORT-2.md')).toContain('status: archived');
    expect(existsSync(join(root, 'ENTITIES/FACT-PORT.md'))).toBe(false);
  });

  test('two notes of one name, from two folders', async () => {
    const root = await vaultOf(fact('HARBOUR'), fact('MILL'));
    for (const name of ['HARBOUR', 'MILL']) {
      mkdirSync(join(root, `ENTITIES/${name}`));
      const from = join(root, `ENTITIES/FACT-${name}.md`);
      renameSync(from, join(root, `ENTITIES/${name}/notes.md`));
    }
    await within(root, async (engine) => {
      await change(engine, 'FACT-HARBOUR', { status: 'archived' });
      await change(engine, 'FACT-MILL', { status: 'archived' });
      await expectSound(engine);
    });
    expect(readdirSync(join(root, 'ARCHIVE')).sort()).toEqual(['FACT-MILL.md', 'notes.md']);
    await within(root, async (engine) => {
      await change(engine, 'FACT-HARBOUR', { status: 'active' });
      expect((await memory(engine, 'FACT-HARBOUR')).body).toBe(fact('HARBOUR').body);
      expect((await memory(engine, 'FACT-MILL')).body).toBe(fact('MILL').body);
      await expectSound(engine);
    });
  });
});

describe('[B12] an edit while files are brought up to the log', () => {
  test.each([40, 1200])('is an edit, not lost: %d files', async (count) => {
    const root = await vaultOf(...facts(count));
    const behind = freshRoot('behind');
    // A process that dies after its sync leaves a log whose files lag behind.
    const log = await logOf(behind, root, count);
    appendFileSync(join(root, LOG), log);
    let isEdited = false;
    const engine = await open(root, {
      onStep: (step) => {
        if (step !== 'appended' || isEdited) return;
        isEdited = true;
        appendFileSync(join(root, 'ENTITIES/FACT-N-7.md'), 'Said by hand.\n');
      },
    });
    await engine.close();
    expect(isEdited).toBe(true);
    await within(root, async (next) => {
      const { body } = await memory(next, 'FACT-N-7');
      const files = Object.values(filesOf(root)).join('\n');
      expect(`${body}\n${files}`).toContain('Said by hand.');
      expect((await memory(next, 'FACT-N-8')).body).toContain('later');
    });
  });
});

/** The lines that change every memory of a vault, written in a copy of it. */
async function logOf(copy: string, root: string, count: number): Promise<string> {
  cpSync(root, copy, { recursive: true });
  const before = readFileSync(join(copy, LOG), 'utf8').length;
  await within(copy, async (engine) => {
    await put(engine, ...facts(count).map((one) => ({ ...one, body: `${one.body} And later.` })));
  });
  return readFileSync(join(copy, LOG), 'utf8').slice(before);
}

test('[B6] a file that lags behind is not left beside the new one when the index is built anew', async () => {
  const root = await vaultOf(fact('PORT'), fact('OTHER'));
  const copy = freshRoot('behind');
  cpSync(root, copy, { recursive: true });
  const before = readFileSync(join(copy, LOG), 'utf8').length;
  await within(copy, (engine) => change(engine, 'FACT-PORT', { status: 'archived' }));
  appendFileSync(join(root, LOG), readFileSync(join(copy, LOG), 'utf8').slice(before));
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(root, INDEX + suffix), { force: true });
  await within(root, expectSound);
  expect(Object.keys(filesOf(root)).sort()).toEqual([
    'ARCHIVE/FACT-PORT.md',
    'ENTITIES/FACT-OTHER.md',
  ]);
});

test('[B11] notes that were being taken up when the process died become one memory each', async () => {
  const root = await vaultOf(fact('PORT'));
  write(root, 'ENTITIES/Shopping list.md', 'Bread and oil.\n');
  write(root, 'ENTITIES/Plan.md', '---\ncssclass: wide # mine\n---\nWe paint the hull.\n');
  const dies = open(root, {
    onStep: (step) => {
      if (step === 'appended') throw new Error('killed');
    },
  });
  await expect(dies).rejects.toThrow('killed');
  for (let i = 0; i < 2; i++) {
    await within(root, async (engine) => {
      expect((await memories(engine)).map(({ body }) => body).sort()).toEqual([
        'Bread and oil.',
        fact('PORT').body,
        'We paint the hull.',
      ]);
      await expectSound(engine);
    });
  }
  const files = filesOf(root);
  expect(Object.keys(files).sort()).toEqual([
    'ENTITIES/FACT-PORT.md',
    'ENTITIES/Plan.md',
    'ENTITIES/Shopping list.md',
  ]);
  expect(files['ENTITIES/Plan.md']).toContain('cssclass: wide # mine');
});
