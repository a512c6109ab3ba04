import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { sqliteDriver } from '../../src/engines/sqlite/drivers/index.ts';
import { openSqlite } from '../../src/engines/sqlite/open.ts';
import { MIGRATIONS } from '../../src/engines/sqlite/migrations.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testClock, type TestClock } from '../../src/testing/clock.ts';
import { idsFor } from '../../src/testing/contract/keyword.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { freshPath } from './harnesses.ts';
import { asOfSchema } from './old-schemas.ts';
import { run } from './processes.ts';

const RELEASED = MIGRATIONS.slice(0, -1).map(({ version }) => version);

let seed = 900;

async function open(path: string, clock: TestClock, notices: string[] = []): Promise<Engine> {
  seed += 1;
  const onNotice = (text: string): void => void notices.push(text);
  return openSqlite({ path, clock, ids: testIds(seed), onNotice });
}

/** A store of a released schema; what it holds, and its hash. */
async function storeOf(version: number, path = freshPath('old.db')) {
  const today = freshPath('today.db');
  const engine = await open(today, testClock());
  const many = Array.from({ length: 400 }, (_, i) =>
    memoryOf({ id: `FACT-NUMBER-${i}`, body: `Plank ${i} of the hull.`, tags: ['hull', `t${i}`] }),
  );
  await put(engine, ...many);
  await put(engine, { ...many[7]!, body: 'The yacht has a keel.' });
  const { stateHash } = await engine.verify();
  await engine.close();
  asOfSchema(version, today, path);
  return { path, stateHash };
}

function backupsOf(path: string): string[] {
  const names = readdirSync(dirname(path)).filter(
    (name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.backup'),
  );
  return names.sort().map((name) => join(dirname(path), name));
}

function versionOf(path: string): unknown {
  const database = sqliteDriver().open(path);
  const row = database.prepare('PRAGMA user_version').get();
  database.close();
  return row?.['user_version'];
}

async function expectWhole(engine: Engine, stateHash: string): Promise<void> {
  expect(await engine.verify()).toMatchObject({ stateHash, problems: [] });
  const { total, events } = await engine.stats(VIEW_ALL);
  expect({ total, events }).toEqual({ total: 400, events: 401 });
  expect(await idsFor(engine, 'yacht')).toEqual(['FACT-NUMBER-7']);
}

describe.each(RELEASED)('a store of schema %i', (version) => {
  test('[B9] case I4: opens with everything in it, after a backup that opens too', async () => {
    const { path, stateHash } = await storeOf(version);
    const clock = testClock();
    const notices: string[] = [];
    const engine = await open(path, clock, notices);
    await expectWhole(engine, stateHash);
    await engine.close();
    const backups = backupsOf(path);
    expect(backups).toEqual([`${path}.20260309T120000000Z.schema-${version}.backup`]);
    expect(notices).toEqual([
      `${path} was brought from schema ${version} to ${MIGRATIONS.length}; as it was it lies in ${backups[0]}`,
    ]);
    expect(versionOf(backups[0]!)).toBe(version);
    const restored = freshPath('restored.db');
    copyFileSync(backups[0]!, restored);
    const again = await open(restored, clock);
    await expectWhole(again, stateHash);
    await again.close();
  });

  test('[B9] case I4: the second time it opens, nothing is done', async () => {
    const { path, stateHash } = await storeOf(version);
    await (await open(path, testClock())).close();
    const before = readFileSync(path);
    const notices: string[] = [];
    const engine = await open(path, testClock(), notices);
    await expectWhole(engine, stateHash);
    await engine.close();
    expect(notices).toEqual([]);
    expect(backupsOf(path)).toHaveLength(1);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('[B9] case I4: two programs that open it at once migrate it once', async () => {
    const { path, stateHash } = await storeOf(version);
    const engines = await Promise.all([open(path, testClock()), open(path, testClock())]);
    for (const engine of engines) await expectWhole(engine, stateHash);
    for (const engine of engines) await engine.close();
    expect(backupsOf(path)).toHaveLength(1);
  });
});

test('[B9] case I4: a migration that was killed half way leaves a store that opens', async () => {
  const { path, stateHash } = await storeOf(1);
  const script = fileURLToPath(new URL('fixtures/half-migrate.mjs', import.meta.url));
  const { child, printed, ended } = run(script, path);
  await printed(1);
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
  expect(versionOf(path)).toBe(1);
  const engine = await open(path, testClock());
  await expectWhole(engine, stateHash);
  await engine.close();
  const [backup, ...others] = backupsOf(path);
  expect(others).toEqual([]);
  expect(versionOf(backup!)).toBe(1);
});

test('[B9] case I4: the last three copies are kept', async () => {
  const { path } = await storeOf(1);
  const old = freshPath('old.db');
  copyFileSync(path, old);
  const clock = testClock();
  for (let i = 0; i < 5; i++) {
    copyFileSync(old, path);
    await (await open(path, clock)).close();
    clock.advance(60_000);
  }
  expect(backupsOf(path).map((name) => basename(name).split('.')[2])).toEqual([
    '20260309T120200000Z',
    '20260309T120300000Z',
    '20260309T120400000Z',
  ]);
});

test('[B9] case I4: a store of a newer program is refused, without a backup or a change', async () => {
  const { path } = await storeOf(1);
  const database = sqliteDriver().open(path);
  database.exec('PRAGMA user_version = 999');
  database.close();
  const before = readFileSync(path);
  await expect(open(path, testClock())).rejects.toMatchObject({ code: 'unsupported' });
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(backupsOf(path)).toEqual([]);
});
