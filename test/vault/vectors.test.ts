import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { open } from '../../src/open.ts';
import type { Database } from '../../src/engines/sqlite/drivers/driver.ts';
import { sqliteDriver } from '../../src/engines/sqlite/drivers/index.ts';
import { useServer } from '../models/embedders/support.ts';

const BOAT = 'The boat needs a new sail before summer.';
const BREAD = 'We bake bread with rye flour every Monday.';

const server = useServer();

async function vaultWithVectors(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'loci-vectors-'));
  const loci = await open(root, { project: 'home' });
  await loci.remember([{ body: BOAT }, { body: BREAD }]);
  await loci.reEmbed();
  await loci.close();
  return root;
}

function remove(root: string, name: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(root, name + suffix), { force: true });
}

async function bestFor(root: string, query: string): Promise<[string | undefined, number]> {
  const loci = await open(root, { project: 'home' });
  const { results } = await loci.search({ query, mode: 'vector' });
  const { embeddings } = await loci.status();
  await loci.close();
  return [results[0]?.body, embeddings.stored];
}

test('[D2] reindex embeds what is pending when it is asked to, and says so', async () => {
  const root = mkdtempSync(join(tmpdir(), 'loci-vectors-'));
  const loci = await open(root, { project: 'home' });
  await loci.remember([{ body: BOAT }, { body: BREAD }]);
  const { embedded } = await loci.reindex({ embed: true });
  expect(embedded).toMatchObject([
    { model: expect.stringMatching(/^builtin:/), stored: 2, pending: 0 },
  ]);
  expect(await loci.reindex()).not.toHaveProperty('embedded');
  await loci.close();
  const none = await open(root, { project: 'home', embedder: 'none' });
  await expect(none.reindex({ embed: true })).rejects.toMatchObject({ code: 'unavailable' });
  await none.close();
});

test('[D2] a new index does not give memories the vectors of others', async () => {
  const root = await vaultWithVectors();
  const loci = await open(root, { project: 'home' });
  // Another order of documents than the first time.
  await loci.remember({ body: 'A first note that is archived.' });
  await loci.update({
    id: (await loci.recall({ query: 'boat' })).results[0]?.id as string,
    title: 'Sails',
  });
  await loci.close();
  remove(root, '.memory-index.db');
  expect((await bestFor(root, 'ship and yacht'))[0]).toBe(BOAT);
  expect((await bestFor(root, 'flour, cake and oven'))[0]).toBe(BREAD);
});

test('[D4] vectors that are deleted while the vault is open are made again', async () => {
  const root = await vaultWithVectors();
  const loci = await open(root, { project: 'home' });
  await loci.search({ query: 'yacht', mode: 'vector' });
  remove(root, '.memory-vectors.db');
  expect((await loci.status()).embeddings).toMatchObject({ stored: 0, pending: 2 });
  const { results } = await loci.search({ query: 'yacht', mode: 'vector' });
  expect(results[0]?.body).toBe(BOAT);
  expect((await loci.status()).embeddings).toMatchObject({ stored: 2, pending: 0 });
  await loci.close();
});

test.each([
  ['is no database', 'This is text, and long enough to be read as a header of something.'],
  ['is empty', ''],
])('[D4] a file of vectors that %s is made again', async (_what, bytes) => {
  const root = await vaultWithVectors();
  remove(root, '.memory-vectors.db');
  writeFileSync(join(root, '.memory-vectors.db'), bytes);
  expect(await bestFor(root, 'ship and yacht')).toEqual([BOAT, 2]);
});

test('[D4] a damaged file is reported by verify, which leaves it, and replaced by reindex', async () => {
  const root = await vaultWithVectors();
  const path = join(root, '.memory-vectors.db');
  remove(root, '.memory-vectors.db');
  writeFileSync(path, 'This is text, and long enough to be read as a header of something.');
  const loci = await open(root, { project: 'home' });
  const { problems } = await loci.verify();
  expect(problems).toEqual([
    {
      check: 'vectors',
      severity: 'error',
      message: `${path} is damaged`,
      hint: 'Run: loci reindex. The file is removed then, and memories are embedded again.',
    },
  ]);
  expect(readFileSync(path, 'utf8')).toMatch(/^This is text/);
  await loci.reindex({});
  expect((await loci.search({ query: 'yacht', mode: 'vector' })).results[0]?.body).toBe(BOAT);
  expect((await loci.verify()).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  await loci.close();
});

test('[D4] a damaged file that a question meets is replaced, and status says so', async () => {
  const root = await vaultWithVectors();
  const path = join(root, '.memory-vectors.db');
  writeFileSync(path, readFileSync(path).fill(0x5a, 100, 4096));
  const loci = await open(root, { project: 'home' });
  expect((await loci.search({ query: 'yacht', mode: 'vector' })).results[0]?.body).toBe(BOAT);
  expect((await loci.status()).findings).toEqual([
    {
      check: 'vectors',
      severity: 'warning',
      message: `${path} was damaged and was removed; memories are embedded again`,
      hint: 'To have it done now, run: loci re-embed',
    },
  ]);
  await loci.close();
  expect(await bestFor(root, 'flour, cake and oven')).toEqual([BREAD, 2]);
});

/** Changes a closed vault's vectors from outside. */
function meddle(root: string, work: (database: Database) => void): void {
  const database = sqliteDriver().open(join(root, '.memory-vectors.db'));
  work(database);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

test('[B9] vectors of a newer program are left as they are, and words answer', async () => {
  const root = await vaultWithVectors();
  meddle(root, (database) => database.exec('UPDATE vector_format SET version = 99'));
  const path = join(root, '.memory-vectors.db');
  const before = readFileSync(path);
  const loci = await open(root, { project: 'home' });
  const finding = {
    check: 'vectors',
    severity: 'warning',
    message: `${path} has vectors in format 99; this program knows formats up to 2`,
    hint:
      'They were left as they are, and memories are found by their words. ' +
      'Update Loci on this machine.',
  };
  expect((await loci.verify()).problems).toEqual([finding]);
  expect((await loci.status()).findings).toEqual([finding]);
  await loci.remember({ body: 'The harbour closes at ten.' });
  const { results, warnings } = await loci.recall({ query: 'harbour' });
  expect(results[0]?.body).toBe('The harbour closes at ten.');
  expect(warnings).toEqual([expect.stringContaining('has vectors in format 99')]);
  await expect(loci.reEmbed()).rejects.toMatchObject({ code: 'unsupported' });
  await loci.close();
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('[B9] vectors in 16 bits, as format 1 kept them, are taken over and not embedded again', async () => {
  const root = await vaultWithVectors();
  meddle(root, (database) => {
    const rows = database.prepare('SELECT model, key, numbers FROM vectors').all();
    const models = database.prepare('SELECT model, fingerprint, info FROM vector_models').all();
    database.exec(`
      DROP TABLE vectors; DROP TABLE vector_packs; DROP TABLE vector_models;
      DROP TABLE vector_format;
      CREATE TABLE vector_models (
        model INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, info TEXT NOT NULL);
      CREATE TABLE vectors (
        model INTEGER NOT NULL, key TEXT NOT NULL, codes BLOB NOT NULL, UNIQUE (model, key));
      CREATE TABLE vector_packs (
        pack INTEGER PRIMARY KEY AUTOINCREMENT, model INTEGER NOT NULL, generation INTEGER NOT NULL,
        docs BLOB NOT NULL, passages BLOB NOT NULL, codes BLOB NOT NULL);
    `);
    const model = database.prepare('INSERT INTO vector_models VALUES (?, ?, ?)');
    for (const row of models) model.run(...Object.values(row));
    const vector = database.prepare('INSERT INTO vectors VALUES (?, ?, ?)');
    for (const row of rows) {
      const bytes = Uint8Array.from(row['numbers'] as Uint8Array);
      const codes = Int16Array.from(new Float32Array(bytes.buffer), (n) => Math.round(n * 32_767));
      vector.run(row['model'] ?? 0, row['key'] ?? '', new Uint8Array(codes.buffer));
    }
  });
  const loci = await open(root, { project: 'home' });
  expect((await loci.status()).embeddings.models[0]).toMatchObject({ stored: 0, pending: 2 });
  expect((await loci.reEmbed()).models[0]).toMatchObject({ embedded: 0, stored: 2, pending: 0 });
  expect((await loci.search({ query: 'yacht', mode: 'vector' })).results[0]?.body).toBe(BOAT);
  expect((await loci.verify()).problems).toEqual([]);
  await loci.close();
});

test.each([
  ['a number of a vector', 'UPDATE vectors SET numbers = zeroblob(length(numbers)) WHERE text = 1'],
  ['the length of a vector', "UPDATE vectors SET numbers = x'0102' WHERE text = 1"],
  ['the codes of a pack', 'UPDATE vector_packs SET codes = zeroblob(length(codes))'],
  ['the length of a pack', "UPDATE vector_packs SET measures = x'00'"],
  ['a vector that is missing', 'DELETE FROM vectors WHERE text = 1'],
])('[D4] verify finds %s wrong, and reindex mends it', async (_what, change) => {
  const root = await vaultWithVectors();
  meddle(root, (database) => database.exec(change));
  const loci = await open(root, { project: 'home' });
  expect((await loci.verify()).problems).toEqual([
    {
      check: 'vectors',
      severity: 'error',
      message: expect.stringMatching(/^the vectors of [012] texts and [01] packs are damaged$/),
      hint: 'Run: loci reindex. What is damaged is taken out then and made again.',
    },
  ]);
  await loci.reindex({});
  await loci.close();
  expect(await bestFor(root, 'ship and yacht')).toEqual([BOAT, 2]);
  expect(await bestFor(root, 'flour, cake and oven')).toEqual([BREAD, 2]);
  const again = await open(root, { project: 'home' });
  expect((await again.verify()).problems).toEqual([]);
  await again.close();
});

test('[D4] a vector that is missing is made again without a rebuild', async () => {
  const root = await vaultWithVectors();
  meddle(root, (database) => database.exec('DELETE FROM vectors'));
  const loci = await open(root, { project: 'home' });
  // The first question finds out; the next has it again.
  await loci.search({ query: 'yacht', mode: 'vector' });
  expect((await loci.search({ query: 'yacht', mode: 'vector' })).results[0]?.body).toBe(BOAT);
  await loci.close();
  expect(await bestFor(root, 'flour, cake and oven')).toEqual([BREAD, 2]);
});

test('[D4] vectors that only a server can make again are said to be missing', async () => {
  const root = mkdtempSync(join(tmpdir(), 'loci-vectors-'));
  const env = {
    LOCI_EMBEDDER: 'openai-compatible',
    LOCI_EMBED_MODEL: 'one',
    LOCI_EMBED_BASE_URL: server().url,
  };
  const loci = await open(root, { project: 'home', env });
  await loci.remember([{ body: BOAT }, { body: BREAD }]);
  await loci.reEmbed();
  expect((await loci.verify()).problems).toEqual([]);
  await loci.close();
  remove(root, '.memory-vectors.db');
  const again = await open(root, { project: 'home', env });
  expect((await again.verify()).problems).toEqual([
    {
      check: 'vectors',
      severity: 'info',
      message: '2 of 2 memories have no vectors of openai-compatible:one',
      hint: 'Words find them. To embed them now, run: loci re-embed',
    },
  ]);
  await again.close();
});
