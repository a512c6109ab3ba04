import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { holdFile } from '../../src/engines/postgres/pglite-lock.ts';
import { openPgliteStore } from '../../src/engines/postgres/open.ts';
import { open } from '../../src/open.ts';
import { testClock } from '../../src/testing/clock.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { freshPath } from '../engines/harnesses.ts';

vi.setConfig({ testTimeout: 240_000 });

const options = { clock: testClock(), ids: testIds(900_000) };

test('case K5: [B4] a store in a folder is kept, and one process has it at a time', async () => {
  const path = freshPath('pglite');
  const engine = await openPgliteStore({ ...options, path });
  await put(engine, memoryOf({ id: 'FACT-A', body: 'Zeppelin' }));
  const second = await openPgliteStore({ ...options, path, lockDeadlineMs: 200 }).catch(
    (error: unknown) => error,
  );
  expect(second).toMatchObject({
    code: 'busy',
    message: `pglite:${path} is held by pid ${process.pid}`,
    hint: expect.stringContaining('one process at a time'),
  });
  await engine.close();
  const again = await openPgliteStore({ ...options, path });
  expect(await again.get(['FACT-A'], VIEW_ALL)).toHaveLength(1);
  expect((await again.verify()).problems).toEqual([]);
  await again.close();
});

test('case K5: the lock of a process that died is taken over', async () => {
  const file = freshPath('holder.json');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const holder = { pid: child.pid, host: hostname(), began: beganAt(child.pid as number) };
  writeFileSync(file, JSON.stringify(holder));
  await expect(holdFile(file, 'it', 100)).rejects.toMatchObject({
    code: 'busy',
    message: `it is held by pid ${child.pid}`,
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
  const release = await holdFile(file, 'it', 100);
  await expect(holdFile(file, 'it', 100)).rejects.toMatchObject({ code: 'busy' });
  release();
  (await holdFile(file, 'it', 100))();
});

function beganAt(pid: number): string {
  if (!existsSync('/proc/self/stat')) return '';
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

test('case K5: of many who find a dead lock at once one gets it', async () => {
  const file = freshPath('many.json');
  writeFileSync(file, JSON.stringify({ pid: 4_194_304, host: hostname(), began: '' }));
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => holdFile(file, 'it', 300)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('[B4] the program uses one by its name; looking does not make it', async () => {
  const cwd = freshPath('work');
  const env = { HOME: cwd };
  const store = await open('pglite:./mine', { cwd, env, embedder: 'none' });
  expect((await store.status()).store).toBe(`pglite:${join(cwd, 'mine')}`);
  const { results } = await store.remember({ body: 'We deploy on Tuesdays.' });
  expect(results).toHaveLength(1);
  expect((await store.recall({ query: 'when do we deploy?' })).results).toHaveLength(1);
  await store.close();
});
