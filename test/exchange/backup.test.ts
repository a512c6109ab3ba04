import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { altered, DEED, deedIn, fill, fresh, hashOf, KINDS, linesIn, store } from './support.ts';

const LASTING = KINDS.filter(([kind]) => kind !== 'in-memory');

describe.each(KINDS)('a backup of %s', (_kind, name) => {
  test('[B9] [I1] is restored as any kind of store, and proved by its hash', async () => {
    const source = await store(name(), { embedder: 'builtin' });
    await fill(source);
    await source.reEmbed();
    const out = fresh('all.jsonl.gz');
    const saved = await source.backup({ out });
    expect(saved).toMatchObject({
      file: out,
      inserted: { memories: 5, events: 9, vectors: 5 },
      problems: [],
    });
    expect(saved.state_hash).toBe(await hashOf(source));
    for (const [, to] of LASTING) {
      const path = await to();
      const restored = await source.restoreBackup({ file: out, to: path });
      expect(restored).toMatchObject({
        inserted: saved.inserted,
        errors: [],
        problems: [],
        state_hash: saved.state_hash,
        proved: true,
      });
      const target = await store(path, { embedder: 'builtin' });
      expect(await hashOf(target)).toBe(saved.state_hash);
      expect(await deedIn(target)).toBe(DEED);
      expect((await target.status({ allProjects: true })).embeddings).toMatchObject({
        stored: 5,
        pending: 0,
      });
    }
  });

  test('[B9] in a folder it gets a name of its own, and nothing else is left there', async () => {
    const source = await store(name());
    await fill(source);
    const folder = fresh('backups');
    mkdirSync(folder);
    const { file } = await source.backup({ out: folder });
    expect(basename(file)).toMatch(/^loci-backup-\d{8}T\d{9}Z\.jsonl\.gz$/);
    expect(readdirSync(folder)).toEqual([basename(file)]);
  });

  test('[B9] it is one state of the store while others write', async () => {
    const path = await name();
    const source = await store(path);
    await fill(source);
    const writing = { goesOn: true };
    const writer = (async () => {
      for (let i = 0; writing.goesOn; i++) {
        await source.remember({ body: `Written meanwhile: ${i}.` });
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    const out = fresh('meanwhile.jsonl');
    const saved = await source.backup({ out });
    writing.goesOn = false;
    await writer;
    const { events, vectors, evidence } = saved.inserted;
    expect(linesIn(out).length).toBe(1 + events + vectors + evidence);
    const to = await LASTING[0]![1]();
    const restored = await source.restoreBackup({ file: out, to });
    expect(restored).toMatchObject({ errors: [], problems: [] });
    // Without a pause of the writers there is no hash to compare with.
    expect([restored.state_hash, null]).toContain(saved.state_hash);
  });
});

test('[B9] a store that holds something is not restored over', async () => {
  const source = await store('memory:');
  await fill(source);
  const out = fresh('all.jsonl');
  await source.backup({ out });
  const to = fresh('vault');
  const target = await store(to);
  await target.remember({ body: 'It is mine.' });
  const before = await hashOf(target);
  await expect(source.restoreBackup({ file: out, to })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/holds 1 memories already/),
  });
  expect(await hashOf(target)).toBe(before);
});

test('[B9] what is not as the backup says is told', async () => {
  const source = await store('memory:');
  await fill(source);
  const out = fresh('all.jsonl');
  await source.backup({ out });
  const cut = altered(out, (line, i) => (i === 10 ? [] : [line]));
  const part = await source.restoreBackup({ file: cut, to: fresh('cut') });
  expect(part).toMatchObject({ proved: false, inserted: { events: 8 } });
  expect(part.errors).toHaveLength(1);
  const wrong = altered(out, (line, i) => [
    i === 0 ? line.replace(/"state_hash":"[0-9a-f]{8}/, '"state_hash":"00000000') : line,
  ]);
  await expect(source.restoreBackup({ file: wrong, to: fresh('wrong') })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/is not what .* says it was/),
  });
});

test('[B9] an export of a whole store is restored too, without a proof', async () => {
  const source = await store('memory:');
  await fill(source);
  const out = fresh('all.jsonl');
  await source.export({ out });
  const restored = await source.restoreBackup({ file: out, to: `sqlite:${fresh('s.db')}` });
  expect(restored).toMatchObject({ proved: false, errors: [], state_hash: await hashOf(source) });
});

test('a file that is no backup makes no store', async () => {
  const source = await store('memory:');
  const [text, to] = [fresh('notes.txt'), fresh('vault')];
  writeFileSync(text, 'Dear diary\n');
  await expect(source.restoreBackup({ file: text, to })).rejects.toMatchObject({
    code: 'invalid_input',
  });
  await expect(source.restoreBackup({ file: fresh('none'), to })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(readdirSync(join(to, '..'))).not.toContain(basename(to));
});

test('[G1] [B9] a file of a store that keeps agents apart opens its drawers to nobody', async () => {
  const env = { LOCI_ISOLATION: 'per-agent' };
  const source = await store(fresh('apart'), { env });
  await source.remember({ body: 'The hint of Ann is her first boat.', agent: 'ann' });
  const out = fresh('apart.jsonl');
  await source.backup({ out });
  const open = await store('memory:', { env: {} });
  const refused = { code: 'conflict', message: expect.stringContaining('keeps agents apart') };
  await expect(open.import({ file: out })).rejects.toMatchObject(refused);
  const to = fresh('open');
  await expect(open.restoreBackup({ file: out, to })).rejects.toMatchObject(refused);
  expect(existsSync(to)).toBe(false);
  expect(await source.restoreBackup({ file: out, to: fresh('again') })).toMatchObject({
    proved: true,
    errors: [],
  });
});
