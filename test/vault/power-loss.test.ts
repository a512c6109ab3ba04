import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { sqliteDriver } from '../../src/engines/sqlite/drivers/index.ts';
import {
  change,
  close,
  complaints,
  edit,
  expectSound,
  fact,
  filesOf,
  INDEX,
  memory,
  open,
  position,
  read,
  vaultOf,
  within,
  write,
} from './support.ts';

/** Makes the index believe that its machine went down since. */
function goDown(root: string): void {
  const database = sqliteDriver().open(join(root, INDEX));
  database.exec("UPDATE meta SET value = value - 600000 WHERE key = 'boot_ms'");
  database.close();
}

let root = '';
let before: Record<string, string> = {};
let first = '';

beforeEach(async () => {
  root = await vaultOf(fact('PORT', { body: 'The port is 8080.' }), fact('OTHER'));
  first = read(root, 'ENTITIES/FACT-PORT.md');
  await within(root, (engine) => change(engine, 'FACT-PORT', { body: 'The port is 9090.' }));
  before = filesOf(root);
});

describe('[B11] after a power loss, a file that was not on the disk yet is written again', () => {
  const PORT = 'ENTITIES/FACT-PORT.md';
  const DAMAGE: [name: string, damage: () => void][] = [
    ['missing', () => rmSync(join(root, PORT))],
    ['empty', () => truncateSync(join(root, PORT), 0)],
    ['full of NUL', () => write(root, PORT, Buffer.alloc(200))],
    [
      'NUL at its end',
      () => write(root, PORT, `${read(root, PORT).slice(0, 50)}${'\0'.repeat(80)}`),
    ],
    ['an earlier state', () => write(root, PORT, first)],
  ];

  test.each(DAMAGE)('%s', async (_name, damage) => {
    damage();
    goDown(root);
    const engine = await open(root);
    expect(await position(engine)).toBe(3);
    expect(await complaints(engine)).toEqual([]);
    expect(filesOf(root)).toEqual(before);
    await expectSound(engine);
  });

  test.each(DAMAGE)('%s, and the index lost its last commit too', async (_name, damage) => {
    const database = sqliteDriver().open(join(root, INDEX));
    // As if it had heard of the last event from the log just now.
    database.exec("DELETE FROM files WHERE id = 'FACT-PORT'");
    database.exec("INSERT INTO unwritten (id) VALUES ('FACT-PORT')");
    database.close();
    damage();
    goDown(root);
    const engine = await open(root);
    expect(await position(engine)).toBe(3);
    expect(filesOf(root)).toEqual(before);
    await expectSound(engine);
  });

  test('many of them missing: no damage that waits for a person', async () => {
    const many = Array.from({ length: 40 }, (_, i) => fact(`N-${i}`));
    const full = await vaultOf(...many);
    const files = filesOf(full);
    for (const path of Object.keys(files).slice(0, 30)) rmSync(join(full, path));
    goDown(full);
    await within(full, expectSound);
    expect(filesOf(full)).toEqual(files);
  });

  test('a move to the archive that is half done', async () => {
    await within(root, (engine) => change(engine, 'FACT-PORT', { status: 'archived' }));
    const archived = filesOf(root);
    rmSync(join(root, 'ARCHIVE/FACT-PORT.md'));
    write(root, PORT, before[PORT] ?? '');
    goDown(root);
    await within(root, expectSound);
    expect(filesOf(root)).toEqual(archived);
    write(root, PORT, before[PORT] ?? '');
    goDown(root);
    await within(root, expectSound);
    expect(filesOf(root)).toEqual(archived);
  });

  test('a person’s edit is still a person’s edit', async () => {
    edit(root, PORT, '9090', '7070');
    goDown(root);
    const engine = await open(root);
    expect((await memory(engine, 'FACT-PORT')).body).toBe('The port is 7070.');
    await expectSound(engine);
  });

  test('a file that was written long before the last one was on the disk: it was removed', async () => {
    const database = sqliteDriver().open(join(root, INDEX));
    database.exec("UPDATE files SET mtime_ms = mtime_ms - 3600000 WHERE id = 'FACT-PORT'");
    database.close();
    rmSync(join(root, PORT));
    goDown(root);
    const engine = await open(root);
    expect((await memory(engine, 'FACT-PORT')).status).toBe('archived');
    await expectSound(engine);
  });

  test('once opened, a file that is missing was removed by somebody', async () => {
    goDown(root);
    await within(root, expectSound);
    rmSync(join(root, PORT));
    const engine = await open(root);
    expect((await memory(engine, 'FACT-PORT')).status).toBe('archived');
    await close(engine);
  });
});

test('without a power loss an empty file is left alone and told of', async () => {
  truncateSync(join(root, 'ENTITIES/FACT-PORT.md'), 0);
  const engine = await open(root);
  expect(await complaints(engine)).toEqual(['ENTITIES/FACT-PORT.md, line 1: it is empty']);
  expect((await memory(engine, 'FACT-PORT')).body).toBe('The port is 9090.');
});
