import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { idsFor } from '../../src/testing/contract/keyword.ts';
import {
  change,
  complaints,
  edit,
  expectSound,
  fact,
  facts,
  filesOf,
  ids,
  memories,
  memory,
  open,
  pause,
  position,
  put,
  read,
  until,
  vaultOf,
  write,
} from './support.ts';

const watch = true;

describe('[B12] files that a person changes while the vault is open', () => {
  test('edited, added, renamed, deleted: each is noticed within a moment', async () => {
    const root = await vaultOf(fact('PORT', { body: 'The port is 8080.' }), fact('OTHER'));
    const engine = await open(root, { watch });
    edit(root, 'ENTITIES/FACT-PORT.md', '8080', '9090');
    await until('the edit', async () => (await memory(engine, 'FACT-PORT')).body.includes('9090'));
    write(root, 'ENTITIES/new.md', 'Zeppelin\n');
    await until('the new file', async () => (await idsFor(engine, 'zeppelin')).length === 1);
    renameSync(join(root, 'ENTITIES/FACT-PORT.md'), join(root, 'ENTITIES/port.md'));
    rmSync(join(root, 'ENTITIES/FACT-OTHER.md'));
    await until(
      'the deletion',
      async () => (await memory(engine, 'FACT-OTHER')).status === 'archived',
    );
    expect((await memory(engine, 'FACT-PORT')).status).toBe('active');
    await change(engine, 'FACT-PORT', { confidence: 0.3 });
    expect(read(root, 'ENTITIES/port.md')).toContain('confidence: 0.3');
    await expectSound(engine);
  });

  test('[P3] an editor that saves by temporary file and rename: one event, the same id', async () => {
    const root = await vaultOf(fact('PORT', { body: 'The port is 8080.' }));
    const engine = await open(root, { watch });
    const text = read(root, 'ENTITIES/FACT-PORT.md').replace('8080', '9090');
    writeFileSync(join(root, 'ENTITIES/.FACT-PORT.md.swp'), text);
    renameSync(join(root, 'ENTITIES/.FACT-PORT.md.swp'), join(root, 'ENTITIES/FACT-PORT.md'));
    await until('the edit', async () => (await memory(engine, 'FACT-PORT')).body.includes('9090'));
    await pause(400);
    expect(await ids(engine)).toEqual(['FACT-PORT']);
    expect(await engine.history('FACT-PORT')).toHaveLength(2);
    await expectSound(engine);
  });

  test('an editor that moves the old file away first, and writes in steps', async () => {
    const root = await vaultOf(fact('PORT', { body: 'The port is 8080.' }));
    const engine = await open(root, { watch });
    const path = join(root, 'ENTITIES/FACT-PORT.md');
    const text = read(root, 'ENTITIES/FACT-PORT.md').replace('8080', '9090');
    renameSync(path, `${path}~`);
    await pause(30);
    writeFileSync(path, '');
    await pause(30);
    writeFileSync(path, text.slice(0, 40));
    await pause(30);
    writeFileSync(path, text);
    rmSync(`${path}~`);
    await until('the edit', async () => (await memory(engine, 'FACT-PORT')).body.includes('9090'));
    const kinds = (await engine.history('FACT-PORT')).map(({ kind }) => kind);
    expect(kinds).toEqual(['memory.updated', 'memory.edited']);
    expect(await complaints(engine)).toEqual([]);
    await expectSound(engine);
  });

  test('[P3] what it writes itself is no edit, and makes no work', async () => {
    const root = await vaultOf(...facts(30));
    const steps: string[] = [];
    const engine = await open(root, { watch, onStep: (step) => steps.push(step) });
    await put(engine, ...facts(30, 'MORE'));
    await change(engine, 'FACT-N-1', { body: 'Changed.' });
    const before = steps.length;
    await pause(600);
    expect(await position(engine)).toBe(61);
    expect(steps).toHaveLength(before);
  });

  test('a file that cannot be read is told of, and no more once it is mended or gone', async () => {
    const root = await vaultOf(fact('PORT'));
    const engine = await open(root, { watch });
    write(root, 'ENTITIES/a.md', '---\ntitle: "\n---\nA\n');
    write(root, 'ENTITIES/b.md', '');
    await until('the findings', async () => (await complaints(engine)).length === 2);
    write(root, 'ENTITIES/a.md', '---\ntitle: A\n---\nA\n');
    rmSync(join(root, 'ENTITIES/b.md'));
    await until('the mending', async () => (await complaints(engine)).length === 0);
    expect(await memories(engine)).toHaveLength(2);
    await expectSound(engine);
  });

  test('a folder that is taken away and made again is watched again', async () => {
    const root = await vaultOf(fact('PORT', { body: 'The port is 8080.' }));
    const engine = await open(root, { watch });
    const files = filesOf(root);
    rmSync(join(root, 'ENTITIES'), { recursive: true });
    await until('the finding', async () => (await complaints(engine)).length === 1);
    expect((await memory(engine, 'FACT-PORT')).status).toBe('active');
    mkdirSync(join(root, 'ENTITIES'));
    for (const [path, text] of Object.entries(files)) write(root, path, text);
    await until('its end', async () => (await complaints(engine)).length === 0);
    edit(root, 'ENTITIES/FACT-PORT.md', '8080', '9090');
    await until('the edit', async () => (await memory(engine, 'FACT-PORT')).body.includes('9090'));
    await expectSound(engine);
  });

  test('a lock that somebody else holds puts it off, and loses nothing', async () => {
    const root = await vaultOf(fact('PORT', { body: 'The port is 8080.' }));
    const engine = await open(root, { watch });
    const other = await open(root);
    await other.commit({ ids: [], contentKeys: [], actor: 'x' }, () => {
      // The lock is held meanwhile: the edit is noticed and cannot be taken up yet.
      edit(root, 'ENTITIES/FACT-PORT.md', '8080', '9090');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
      return { changes: [], result: undefined };
    });
    await until('the edit', async () => (await memory(engine, 'FACT-PORT')).body.includes('9090'));
    await expectSound(engine);
  });
});

describe('where the system cannot watch', () => {
  test('[P3] everything is looked at now and then', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    vi.resetModules();
    vi.doMock('node:fs', async (original) => ({
      ...(await original<typeof import('node:fs')>()),
      watch: () => {
        throw Object.assign(new Error('no more watches'), { code: 'ENOSPC' });
      },
    }));
    try {
      const { openVault } = await import('../../src/engines/vault/engine.ts');
      const root = await vaultOf(fact('PORT', { body: 'The port is 8080.' }));
      const { ticking } = await import('./support.ts');
      const { testIds } = await import('../../src/testing/ids.ts');
      const engine = await openVault({ path: root, clock: ticking, ids: testIds(7), watch });
      edit(root, 'ENTITIES/FACT-PORT.md', '8080', '9090');
      expect((await memory(engine, 'FACT-PORT')).body).toContain('8080');
      vi.advanceTimersByTime(5000);
      await until('the edit', async () =>
        (await memory(engine, 'FACT-PORT')).body.includes('9090'),
      );
      await engine.close();
    } finally {
      vi.doUnmock('node:fs');
      vi.useRealTimers();
    }
  });
});
