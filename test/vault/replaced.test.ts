import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '../../src/ports/engine.ts';
import { idsFor } from '../../src/testing/contract/keyword.ts';
import {
  change,
  close,
  complaints,
  edit,
  expectSound,
  fact,
  facts,
  freshRoot,
  ids,
  INDEX,
  linesOf,
  LOCK,
  LOG,
  open,
  position,
  put,
  read,
  vaultOf,
  within,
  write,
} from './support.ts';

let root = '';
let one: Engine;
let two: Engine;

/** Two processes have the vault open, and both have read and written. */
beforeEach(async () => {
  root = await vaultOf(...facts(10));
  one = await open(root);
  two = await open(root);
  await put(one, fact('ONE'));
  await put(two, fact('TWO'));
});

const HELD = ['FACT-ONE', 'FACT-TWO', ...facts(10).map(({ id }) => id)].sort();

/** Both go on, see each other's work, and nothing is lost. */
async function expectAllWell(...more: string[]): Promise<void> {
  await put(one, fact('ONE-MORE'));
  await put(two, fact('TWO-MORE'));
  const all = [...HELD, ...more, 'FACT-ONE-MORE', 'FACT-TWO-MORE'].sort();
  const third = await open(root);
  for (const engine of [one, two, third]) {
    expect((await ids(engine)).sort()).toEqual(all);
    expect(await idsFor(engine, 'text', { k: 100 })).toHaveLength(all.length);
    expect(await complaints(engine)).toEqual([]);
    await expectSound(engine);
  }
}

function removeIndex(): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(root, INDEX + suffix), { force: true });
}

/** That it was damaged is said, and nothing else. */
async function expectSoundButTold(engine: Engine): Promise<void> {
  const { stateHash, logOk, filesOk, problems } = await engine.verify();
  const told = problems.filter(({ message }) => !message.startsWith('the index was damaged'));
  expect({ logOk, filesOk, told }).toEqual({ logOk: true, filesOk: true, told: [] });
  expect(stateHash).toBe((await (await open(root)).verify()).stateHash);
}

describe('[B2] the index, under processes that have it open', () => {
  test('deleted', async () => {
    removeIndex();
    expect((await ids(one)).sort()).toEqual(HELD);
    await expectAllWell();
  });

  test('deleted, but for the files beside it', async () => {
    rmSync(join(root, INDEX));
    await expectAllWell();
  });

  test.each(['-wal', '-shm'])('its %s deleted', async (suffix) => {
    rmSync(join(root, INDEX + suffix));
    await put(two, fact('MEANWHILE'));
    await put(one, fact('MEANWHILE-TOO'));
    await expectAllWell('FACT-MEANWHILE', 'FACT-MEANWHILE-TOO');
  });

  test('deleted again and again', async () => {
    for (let i = 0; i < 5; i++) {
      removeIndex();
      await Promise.all([put(one, fact('SAME', { body: `${i}` })), put(two, fact(`NEW-${i}`))]);
    }
    await put(one, fact('SAME'));
    await expectAllWell('FACT-SAME', ...[0, 1, 2, 3, 4].map((i) => `FACT-NEW-${i}`));
  });

  test('replaced by an older copy', async () => {
    await close(one);
    await close(two);
    copyFileSync(join(root, INDEX), join(root, 'old'));
    one = await open(root);
    two = await open(root);
    await put(one, fact('AFTER-THE-COPY'));
    removeIndex();
    renameSync(join(root, 'old'), join(root, INDEX));
    await expectAllWell('FACT-AFTER-THE-COPY');
  });

  test('[C12] overwritten with noise, all of it', async () => {
    writeFileSync(join(root, INDEX), randomBytes(statSync(join(root, INDEX)).size));
    for (const suffix of ['-wal', '-shm']) rmSync(join(root, INDEX + suffix), { force: true });
    await put(one, fact('ONE-MORE'));
    await put(two, fact('TWO-MORE'));
    for (const engine of [one, two, await open(root)]) {
      expect(await ids(engine)).toHaveLength(HELD.length + 2);
      await engine.reindex();
      await expectSoundButTold(engine);
    }
  });

  test.each([0, 1, 3, 8])(
    '[K5] four kilobytes of it overwritten while closed, from page %i on',
    async (page) => {
      await close(one);
      await close(two);
      const fd = openSync(join(root, INDEX), 'r+');
      writeSync(fd, randomBytes(4096), 0, 4096, page * 4096);
      closeSync(fd);
      const engine = await open(root);
      expect((await ids(engine)).sort()).toEqual(HELD);
      await put(engine, fact('NEXT'));
      await engine.reindex();
      expect(await idsFor(engine, 'text', { k: 100 })).toHaveLength(HELD.length + 1);
      await expectSoundButTold(engine);
    },
  );
});

describe('[B2] the log', () => {
  test('deleted: reading goes on, writing is refused, replay puts it back', async () => {
    const log = read(root, LOG);
    rmSync(join(root, LOG));
    for (const engine of [one, two, await open(root)]) {
      expect((await ids(engine)).sort()).toEqual(HELD);
      await expect(put(engine, fact('NO'))).rejects.toMatchObject({
        code: 'corrupt',
        hint: expect.stringContaining('loci replay'),
      });
      await expect(engine.reindex()).rejects.toMatchObject({ code: 'corrupt' });
      expect((await engine.verify()).logOk).toBe(false);
    }
    expect(existsSync(join(root, LOG))).toBe(false);
    await one.replay();
    expect(read(root, LOG)).toBe(log);
    await expectAllWell();
  });

  test('emptied', async () => {
    const log = read(root, LOG);
    writeFileSync(join(root, LOG), '');
    await expect(put(one, fact('NO'))).rejects.toMatchObject({ code: 'corrupt' });
    await two.replay();
    expect(read(root, LOG)).toBe(log);
    await expectAllWell();
  });

  test('deleted, and an edit waits: opening says so and takes nothing up', async () => {
    rmSync(join(root, LOG));
    edit(root, 'ENTITIES/FACT-ONE.md', 'The text', 'Another text');
    await within(root, async (engine) => {
      expect(await ids(engine)).toHaveLength(HELD.length);
      expect(await complaints(engine)).toHaveLength(1);
    });
    await one.replay();
    await within(root, async (engine) => {
      expect(await idsFor(engine, 'another')).toEqual(['FACT-ONE']);
      await expectSound(engine);
    });
  });

  test('put back from a copy of the same content', async () => {
    copyFileSync(join(root, LOG), join(root, 'copy'));
    rmSync(join(root, LOG));
    expect(await position(one)).toBe(12);
    renameSync(join(root, 'copy'), join(root, LOG));
    await expectAllWell();
    expect(linesOf(root)).toHaveLength(14);
  });

  test('replaced in the very moment of a write: the write is in the new one', async () => {
    await close(one);
    one = await open(root, {
      onStep(step) {
        if (step !== 'decided') return;
        copyFileSync(join(root, LOG), join(root, 'copy'));
        renameSync(join(root, 'copy'), join(root, LOG));
      },
    });
    await put(one, fact('ONE-MORE'));
    await put(two, fact('TWO-MORE'));
    expect(linesOf(root)).toHaveLength(14);
    await expectSound(two);
    await expectSound(one);
  });

  test('replaced in that moment by one that says something else: both are there', async () => {
    const other = await vaultOf(fact('OF-ANOTHER'));
    await close(one);
    one = await open(root, {
      onStep(step) {
        if (step === 'decided') copyFileSync(join(other, LOG), join(root, 'copy'));
        if (step === 'decided') renameSync(join(root, 'copy'), join(root, LOG));
      },
    });
    await put(one, fact('ONE-MORE'));
    await close(one);
    one = await open(root);
    for (const engine of [one, two]) {
      expect(await ids(engine)).toEqual(
        expect.arrayContaining(['FACT-OF-ANOTHER', 'FACT-ONE-MORE', 'FACT-ONE', 'FACT-TWO']),
      );
    }
  });

  test('cut to an earlier line while nothing is open, and the index gone: no number is given twice', async () => {
    await close(one);
    await close(two);
    const before = linesOf(root);
    rmSync(join(root, INDEX));
    const kept = read(root, LOG).split('\n').slice(0, 5);
    writeFileSync(join(root, LOG), `${kept.join('\n')}\n`);
    await within(root, (engine) => put(engine, fact('NEXT')));
    const given = [...before, ...linesOf(root).slice(5)];
    const numbers = given.map(({ replica, rseq }) => `${replica} ${rseq}`);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test('cut to an earlier line: what is missing is set aside, the files are taken up', async () => {
    const [first] = read(root, LOG).split('\n');
    writeFileSync(join(root, LOG), `${first}\n`);
    await expectAllWell();
  });
});

describe('[B11] the other files', () => {
  test('the lock deleted, while nobody holds it and while somebody does', async () => {
    rmSync(join(root, LOCK));
    await Promise.all([put(one, fact('SIDE')), put(two, fact('BY-SIDE'))]);
    await close(one);
    let isFirst = true;
    one = await open(root, {
      onStep(step) {
        if (step !== 'locked' || !isFirst) return;
        isFirst = false;
        rmSync(join(root, LOCK));
      },
    });
    await Promise.all([put(one, fact('AT-ONCE')), put(two, fact('AT-ONCE-TOO'))]);
    await expectAllWell('FACT-SIDE', 'FACT-BY-SIDE', 'FACT-AT-ONCE', 'FACT-AT-ONCE-TOO');
  });

  test('.loci-local.json deleted: a new replica from the next opening on', async () => {
    const { replica } = await one.head();
    rmSync(join(root, '.loci-local.json'));
    await expectAllWell();
    await within(root, async (engine) => expect((await engine.head()).replica).not.toBe(replica));
  });

  test('.gitignore and .gitattributes as their owner has them', async () => {
    write(root, '.gitignore', '*.swp\n');
    await within(root, ids);
    expect(read(root, '.gitignore')).toBe('*.swp\n');
  });
});

describe('[B11] the folder', () => {
  test('moved away and back', async () => {
    renameSync(root, `${root}-away`);
    await expect(put(one, fact('NO'))).rejects.toMatchObject({ code: 'unavailable' });
    expect(existsSync(root)).toBe(false);
    renameSync(`${root}-away`, root);
    await expectAllWell();
  });

  test('deleted: nothing is made in its place', async () => {
    rmSync(root, { recursive: true });
    await expect(put(one, fact('NO'))).rejects.toMatchObject({ code: 'unavailable' });
    await expect(put(two, fact('NO'))).rejects.toMatchObject({ code: 'unavailable' });
    expect(existsSync(root)).toBe(false);
  });

  test('replaced by another vault: that one is read and written from then on', async () => {
    const other = await vaultOf(fact('OF-ANOTHER'));
    renameSync(root, `${root}-away`);
    renameSync(other, root);
    await put(one, fact('NEXT'));
    expect(await ids(two)).toEqual(['FACT-NEXT', 'FACT-OF-ANOTHER']);
    await put(two, fact('LAST'));
    for (const engine of [one, two, await open(root)]) {
      expect(await ids(engine)).toEqual(['FACT-LAST', 'FACT-NEXT', 'FACT-OF-ANOTHER']);
      await expectSound(engine);
    }
  });

  test('copied: the copy is a replica of its own, with the same content', async () => {
    await close(one);
    await close(two);
    const copy = freshRoot('copy');
    spawnSync('cp', ['-r', root, copy]);
    const [a, b] = [await open(root), await open(copy)];
    expect((await a.head()).replica).not.toBe((await b.head()).replica);
    expect((await a.verify()).stateHash).toBe((await b.verify()).stateHash);
    expect(await position(b)).toBe(12);
    await change(a, 'FACT-ONE', { body: 'In the first.' });
    await change(b, 'FACT-ONE', { body: 'In the copy.' });
    await expectSound(a);
    await expectSound(b);
    const numbers = [...linesOf(root), ...linesOf(copy).slice(12)];
    expect(new Set(numbers.map(({ replica, rseq }) => `${replica} ${rseq}`)).size).toBe(14);
    // What both hold comes together: neither is lost.
    await a.merge(await b.events(0, 100));
    expect((await ids(a)).filter((id) => id.startsWith('CONF'))).toHaveLength(1);
    await expectSound(a);
  });
});
