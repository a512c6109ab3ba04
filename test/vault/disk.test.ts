import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  change,
  close,
  expectSound,
  fact,
  facts,
  freshRoot,
  ids,
  linesOf,
  open,
  position,
  put,
  vaultOf,
  within,
} from './support.ts';

const mounted: string[] = [];
afterEach(() => {
  for (const path of mounted.splice(0)) spawnSync('umount', ['-l', path]);
});

/** Mounts something; false where this user may not. */
function mount(path: string, ...args: string[]): boolean {
  mkdirSync(path, { recursive: true });
  const { status } = spawnSync('mount', [...args, path]);
  if (status === 0) mounted.push(path);
  return status === 0;
}

const canMount = ((): boolean => {
  const path = freshRoot('probe');
  const can = mount(path, '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs');
  for (const each of mounted.splice(0)) spawnSync('umount', ['-l', each]);
  return can;
})();
const WHY = canMount ? '' : ' (needs the right to mount)';

async function readOnly(): Promise<string> {
  const root = await vaultOf(fact('PORT'));
  mount(root, '--bind', root);
  spawnSync('mount', ['-o', 'remount,ro,bind', root]);
  return root;
}

describe.skipIf(!canMount)(`[M6] a disk of two megabytes${WHY}`, () => {
  test('that fills up: refused, nothing half stored, and all is well once there is space', async () => {
    const disk = freshRoot('disk');
    mount(disk, '-t', 'tmpfs', '-o', 'size=2m', 'tmpfs');
    const root = join(disk, 'vault');
    const engine = await open(root);
    await put(engine, ...facts(5));
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(300_000));
    const acknowledged: string[] = [];
    const fill = async (): Promise<void> => {
      for (let i = 0; i < 200; i++) {
        await put(engine, fact(`BIG-${i}`, { body: `Text ${i} ${'x'.repeat(20_000)}` }));
        acknowledged.push(`FACT-BIG-${i}`);
      }
    };
    await expect(fill()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('the disk is full'),
    });
    const held = [...acknowledged, ...facts(5).map(({ id }) => id)].sort();
    expect(await ids(engine)).toEqual(held);
    await expect(change(engine, 'FACT-N-1', { body: 'y'.repeat(400_000) })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(linesOf(root)).toHaveLength(held.length);
    rmSync(join(disk, 'ballast'));
    await put(engine, fact('AFTER'));
    expect(await ids(engine)).toEqual([...held, 'FACT-AFTER'].sort());
    await expectSound(engine);
    await close(engine);
    await within(root, expectSound);
  });

  test('where a file cannot be written any more: stored, said, and written later', async () => {
    const root = await vaultOf(fact('PORT'));
    // The folder of the files is a disk of its own, and full.
    const files = join(root, 'EPISODES');
    mount(files, '-t', 'tmpfs', '-o', 'size=16k', 'tmpfs');
    writeFileSync(join(files, 'ballast.bin'), Buffer.alloc(16_000));
    const engine = await open(root);
    const warnings = await change(engine, 'FACT-PORT', { type: 'episode' });
    expect(warnings).toEqual([
      expect.stringContaining('stored, but a file could not be written yet'),
    ]);
    expect(await position(engine)).toBe(2);
    spawnSync('umount', [files]);
    mounted.length = 0;
    await put(engine, fact('NEXT'));
    await expectSound(engine);
  });
});

describe.skipIf(!canMount)(`[M6] a folder that may not be written${WHY}`, () => {
  test('an engine that is open reads on, and refuses to write', async () => {
    const root = await vaultOf(fact('PORT'));
    const engine = await open(root);
    mount(root, '--bind', root);
    spawnSync('mount', ['-o', 'remount,ro,bind', root]);
    expect(await ids(engine)).toEqual(['FACT-PORT']);
    await expect(put(engine, fact('NO'))).rejects.toMatchObject({ code: 'unavailable' });
    expect(await ids(engine)).toEqual(['FACT-PORT']);
    expect(linesOf(root)).toHaveLength(1);
  });

  test('opening says what is wrong', async () => {
    const root = await readOnly();
    const refused = await open(root)
      .then((engine) => put(engine, fact('NO')))
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('Nothing was stored'),
    });
    expect(linesOf(root)).toHaveLength(1);
  });

  test('a new vault in one', async () => {
    const root = await readOnly();
    await expect(open(join(root, 'new'))).rejects.toMatchObject({ code: 'unavailable' });
    await expect(
      open(join(dirname(root), 'vault', 'ENTITIES', 'FACT-PORT.md')),
    ).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});
