import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import type * as Fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  close,
  expectSound,
  fact,
  filesOf,
  ids,
  linesOf,
  LOG,
  INDEX,
  open,
  position,
  put,
  read,
  sha,
  vaultOf,
  within,
  write,
} from './support.ts';

/** What the disk does next; undefined = what it should. */
const disk = vi.hoisted(() => ({
  sync: undefined as (() => Error | undefined) | undefined,
  write: undefined as ((bytes: Uint8Array) => number) | undefined,
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  const fdatasync = (fd: number, done: (error: Error | null) => void): void => {
    const error = disk.sync?.();
    if (error) done(error);
    else fs.fdatasync(fd, done);
  };
  const writeSync = (fd: number, bytes: Uint8Array, from: number): number => {
    const length = disk.write?.(bytes.subarray(from)) ?? bytes.length - from;
    return fs.writeSync(fd, bytes, from, length);
  };
  return { ...fs, fdatasync, writeSync };
});

afterEach(() => {
  disk.sync = undefined;
  disk.write = undefined;
});

describe('[B11] the end of the log', () => {
  const ENDS: [name: string, end: (line: string) => string, kept: boolean][] = [
    ['half a line', (line) => line.slice(0, 100), false],
    ['a line that lacks only its newline', (line) => line, true],
    ['a line of NUL', () => '\0'.repeat(500), false],
    ['the first of two events', (line) => `${line.replace('"n":1', '"n":2')}\n`, false],
    [
      'the first of two, and half of the second',
      (line) => {
        const first = line.replace('"n":1', '"n":2');
        return `${first}\n${first.replace('"i":0', '"i":1').slice(0, -10)}`;
      },
      false,
    ],
  ];

  describe.each(ENDS)('%s', (_name, end, isKept) => {
    /** A vault of one memory, and after it what a process that died has left of another. */
    async function torn(): Promise<string> {
      const root = await vaultOf(fact('FIRST'));
      const before = readFileSync(join(root, LOG));
      const index = readFileSync(join(root, INDEX));
      await within(root, (engine) => put(engine, fact('LAST')));
      const line = read(root, LOG).slice(before.length, -1);
      writeFileSync(join(root, LOG), Buffer.concat([before, Buffer.from(end(line))]));
      writeFileSync(join(root, INDEX), index);
      rmSync(join(root, 'ENTITIES/FACT-LAST.md'));
      return root;
    }
    const kept = isKept ? ['FACT-FIRST', 'FACT-LAST'] : ['FACT-FIRST'];

    test('the next to open settles it', async () => {
      const root = await torn();
      const engine = await open(root);
      expect(await ids(engine)).toEqual(kept);
      await put(engine, fact('NEXT'));
      await expectSound(engine);
      expect(linesOf(root)).toHaveLength(kept.length + 1);
      expect(Object.keys(filesOf(root))).toEqual(
        [...kept, 'FACT-NEXT'].map((id) => `ENTITIES/${id}.md`),
      );
    });

    test('and so it does without an index', async () => {
      const root = await torn();
      rmSync(join(root, INDEX));
      const engine = await open(root);
      expect(await ids(engine)).toEqual(kept);
      await put(engine, fact('NEXT'));
      expect(linesOf(root)).toHaveLength(kept.length + 1);
      await expectSound(engine);
    });

    test('what is cut off is set aside', async () => {
      const root = await torn();
      const log = read(root, LOG);
      await within(root, ids);
      const after = read(root, LOG);
      expect(after.endsWith('\n')).toBe(true);
      const cutOff = isKept ? '' : `${log.slice(after.length)}\n`;
      expect(isKept ? '' : read(root, 'events.torn.ndjson')).toBe(cutOff);
    });
  });

  test('a torn end under a process that is open', async () => {
    const root = await vaultOf(fact('FIRST'));
    const engine = await open(root);
    appendFileSync(join(root, LOG), '{"v":3,"id":"01');
    expect(await ids(engine)).toEqual(['FACT-FIRST']);
    await put(engine, fact('NEXT'));
    expect(linesOf(root)).toHaveLength(2);
    await expectSound(engine);
  });
});

describe('[B11] a disk that fails', () => {
  test('a sync that is not confirmed: refused, and so is every later write until it is opened anew', async () => {
    const root = await vaultOf(fact('FIRST'));
    const engine = await open(root);
    disk.sync = () => Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    await expect(put(engine, fact('LOST'))).rejects.toMatchObject({ code: 'unavailable' });
    disk.sync = undefined;
    await expect(put(engine, fact('LATER'))).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('until the store is opened again'),
    });
    expect(await ids(engine)).toEqual(['FACT-FIRST']);
    await close(engine);
    const reopened = await open(root);
    expect(await ids(reopened)).toEqual(['FACT-FIRST']);
    await put(reopened, fact('LATER'));
    await expectSound(reopened);
  });

  test('a short write goes on where it stopped', async () => {
    const root = await vaultOf();
    const engine = await open(root);
    disk.write = (bytes) => Math.min(bytes.length, 100);
    await put(engine, fact('FIRST'), fact('SECOND'));
    disk.write = undefined;
    expect(linesOf(root)).toHaveLength(2);
    await expectSound(engine);
  });

  test('a full disk in the middle of a line: cut back, refused, nothing stored', async () => {
    const root = await vaultOf(fact('FIRST'));
    const engine = await open(root);
    const before = sha(root, LOG);
    let room = 150;
    disk.write = (bytes) => {
      if (room === 0) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
      const length = Math.min(room, bytes.length);
      room -= length;
      return length;
    };
    await expect(put(engine, fact('LOST'))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('the disk is full'),
    });
    expect(sha(root, LOG)).toBe(before);
    disk.write = undefined;
    expect(await ids(engine)).toEqual(['FACT-FIRST']);
    await put(engine, fact('NEXT'));
    expect(await position(engine)).toBe(2);
    await expectSound(engine);
  });
});

describe('a log that is not ours to read', () => {
  test('an event of a newer version: refused, nothing changed, whether open or not', async () => {
    const root = await vaultOf(fact('FIRST'));
    const engine = await open(root);
    const line = JSON.stringify({ ...linesOf(root)[0], v: 4, id: '01NEWER' });
    appendFileSync(join(root, LOG), `${line}\n`);
    const before = [sha(root, LOG), JSON.stringify(filesOf(root))];
    const refused = { code: 'unsupported', hint: expect.stringContaining('Update Loci') };
    await expect(put(engine, fact('NEXT'))).rejects.toMatchObject(refused);
    await expect(open(root)).rejects.toMatchObject(refused);
    rmSync(join(root, INDEX));
    await expect(open(root)).rejects.toMatchObject(refused);
    expect([sha(root, LOG), JSON.stringify(filesOf(root))]).toEqual(before);
  });

  test('lines of no version, of older ones and blank ones are kept and passed over', async () => {
    const root = await vaultOf(fact('FIRST'));
    write(root, LOG, `not json\n\n{"v":1}\n${read(root, LOG)}{"v":2,"id":"x","subject":"y"}\r\n`);
    const before = read(root, LOG);
    const engine = await open(root);
    await put(engine, fact('NEXT'));
    expect(read(root, LOG).startsWith(before)).toBe(true);
    expect(await ids(engine)).toEqual(['FACT-FIRST', 'FACT-NEXT']);
    await expectSound(engine);
  });

  test('cut to an earlier line while open: what is in files is taken up again', async () => {
    const root = await vaultOf(fact('FIRST'), fact('SECOND'));
    const engine = await open(root);
    const { replica } = await engine.head();
    const size = Buffer.byteLength(read(root, LOG));
    await put(engine, fact('THIRD'));
    truncateSync(join(root, LOG), size);
    await put(engine, fact('NEXT'));
    expect(await ids(engine)).toEqual(['FACT-FIRST', 'FACT-NEXT', 'FACT-SECOND', 'FACT-THIRD']);
    expect((await engine.head()).replica).not.toBe(replica);
    expect(read(root, 'events.torn.ndjson')).toContain('FACT-THIRD');
    await expectSound(engine);
  });
});
