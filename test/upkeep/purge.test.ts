import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sqliteDriver } from '../../src/engines/sqlite/drivers/index.ts';
import type { Loci } from '../../src/loci.ts';
import { open } from '../../src/open.ts';
import { LASTING, tracesOf } from './lasting.ts';

const ID = 'FACT-2026-03-09-QUAGGAWORD-TITLE-7K2M';
/** Found in no other text; the id spells it too. */
const TOKEN = 'quaggaword';

const opened: Loci[] = [];
afterEach(async () => {
  for (const loci of opened.splice(0)) await loci.close();
});

describe.each(LASTING)('purge in %s', (_kind, named) => {
  let root: string;
  let name: string;
  let loci: Loci;

  async function another(): Promise<Loci> {
    const store = await open(name, { project: 'boat', embedder: 'builtin' });
    opened.push(store);
    return store;
  }

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'loci-purge-'));
    name = await named(root);
    loci = await another();
    await loci.remember([
      { id: ID, title: 'Quaggaword title', body: 'The quaggaword runs.', tags: [TOKEN] },
      { id: 'FACT-2026-03-09-ZEBRA-7K2M', body: `The zebra, see ${ID}.` },
      { id: 'FACT-2026-03-09-OKAPI-7K2M', body: 'The okapi.', validTo: '2026-01-01' },
    ]);
    await loci.relate({ source: 'FACT-2026-03-09-ZEBRA-7K2M', type: 'supports', target: ID });
    await loci.update({ id: ID, body: 'Two quaggawords run.' });
    await loci.update({ id: ID, evidence: [Buffer.from('A photo of a quaggaword.')] });
    await loci.remember({ body: 'A later horse.', supersedes: ID });
    await loci.gc();
    await loci.reflect();
    await loci.reEmbed();
  });

  test('[A11] a token that was purged is in no file of the store, while others have it open', async () => {
    const other = await another();
    expect((await other.recall({ query: TOKEN, includeSuperseded: true })).results).not.toEqual([]);
    expect(await tracesOf([TOKEN], { root, name })).not.toEqual([]);
    expect(await loci.purge({ ids: [ID, 'FACT-NOBODY-7K2M'], yes: true })).toEqual({
      purged: [ID],
      missing: ['FACT-NOBODY-7K2M'],
      warnings: [],
    });
    expect(await tracesOf([TOKEN], { root, name })).toEqual([]);
    for (const store of [loci, other, await another()]) {
      const query = { query: TOKEN, includeSuperseded: true, includeDrafts: true };
      expect((await store.recall(query)).results.map(({ body }) => body)).not.toContain(
        'Two quaggawords run.',
      );
      expect((await store.get({ ids: [ID], history: true })).missing).toEqual([ID]);
      expect((await store.verify()).problems).toEqual([]);
      await store.reindex();
      await store.reEmbed();
      await store.remember({ body: `What store ${opened.indexOf(store)} says.` });
    }
    expect(await tracesOf([TOKEN], { root, name })).toEqual([]);
  }, 60_000);

  test('[A11] the id is never used again', async () => {
    await loci.purge({ ids: [ID], yes: true });
    const again = loci.remember({ id: ID, body: 'Again.' });
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
    const edge = { source: 'FACT-2026-03-09-ZEBRA-7K2M', type: 'supports', target: ID };
    await expect(loci.relate(edge)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('[A11] it has to be confirmed, and stays in the current project', async () => {
    await expect(loci.purge({ ids: [ID] })).rejects.toMatchObject({ code: 'invalid_input' });
    const elsewhere = loci.scoped({ project: 'harbour' });
    expect(await elsewhere.purge({ ids: [ID], yes: true })).toMatchObject({ missing: [ID] });
    expect((await loci.get({ ids: [ID] })).missing).toEqual([]);
  });

  test('[A11] what only looks alike stays', async () => {
    await loci.purge({ ids: [ID], yes: true });
    const [zebra] = (await loci.get({ ids: ['FACT-2026-03-09-ZEBRA-7K2M'] })).memories;
    expect(zebra?.body).toBe('The zebra, see [purged].');
    expect(zebra?.relations).toEqual([]);
    expect((await loci.recall({ query: 'zebra' })).results).toHaveLength(1);
    expect((await loci.recall({ query: 'later horse' })).results).not.toEqual([]);
  });
});

test('[A11] copies from before a migration that know a purged memory are deleted, others stay', async () => {
  const root = mkdtempSync(join(tmpdir(), 'loci-purge-'));
  const path = join(root, 'store.db');
  const loci = await open(`sqlite:${path}`, { project: 'boat', embedder: 'none' });
  opened.push(loci);
  const copy = (n: number): string => `${path}.2026030${n}T000000000Z.schema-5.backup`;
  const copyTo = (target: string): void => {
    const database = sqliteDriver().open(path);
    database.prepare('VACUUM INTO ?').run(target);
    database.close();
  };
  await loci.remember({ id: 'FACT-2026-03-09-ZEBRA-7K2M', body: 'The zebra runs.' });
  copyTo(copy(1));
  await loci.remember({ id: ID, body: 'The quaggaword runs.' });
  copyTo(copy(2));
  writeFileSync(copy(3), 'no database');
  const { warnings } = await loci.purge({ ids: [ID], yes: true });
  expect(warnings).toEqual([]);
  expect([copy(1), copy(2), copy(3)].map((one) => existsSync(one))).toEqual([true, false, false]);
  expect(await tracesOf([TOKEN], { root, name: path })).toEqual([]);
});

describe('a file of a memory that was purged', () => {
  test('[A11] that an editor or git puts back is removed, under another name it is left and named', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'loci-purge-')), 'vault');
    const first = await open(path, { project: 'boat', embedder: 'none' });
    await first.remember({ id: ID, body: 'The quaggaword runs.' });
    const file = join(path, 'ENTITIES', `${ID}.md`);
    const text = readFileSync(file);
    await first.purge({ ids: [ID], yes: true });
    await first.close();
    writeFileSync(file, text);
    writeFileSync(join(path, 'ENTITIES', 'mine.md'), text);
    const loci = await open(path, { project: 'boat', embedder: 'none' });
    opened.push(loci);
    expect(readdirSync(join(path, 'ENTITIES'))).toEqual(['mine.md']);
    expect((await loci.search({})).total).toBe(0);
    const { findings } = await loci.status();
    expect(findings.map(({ message }) => message)).toEqual([
      'ENTITIES/mine.md, line 1: its id is that of a memory that was purged',
    ]);
  });
});
