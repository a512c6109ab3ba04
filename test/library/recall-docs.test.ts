import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder, onEveryStore, openStore, places, write } from './support.ts';

const GUIDE = [
  '---',
  'title: Harbour guide',
  'tags: [harbour, rules]',
  'status: published',
  '---',
  'Read this before you come in, it tells what the harbour master wants of every boat and crew that moors here overnight.',
  '',
  '# Mooring',
  '',
  '## Lines',
  'Use two bow lines and two stern lines, and never a single spring, however calm the night may look.',
  '',
  '## Fenders',
  'Hang at least four fenders over the side that lies against the quay, two of them amidships.',
  '',
].join('\n');

onEveryStore((fresh) => {
  test('[C15] a section comes with file, heading, line and score', async () => {
    const { loci, docs } = await fresh();
    await write(docs, { 'guide/harbour.md': GUIDE });
    await loci.reindexDocs({ dir: docs });
    const { results, tokens_used, coverage, warnings } = await loci.recallDocs({
      query: 'how many fenders amidships',
    });
    expect(results).toEqual([
      {
        id: `${docs}/guide/harbour.md:14`,
        file: 'guide/harbour.md',
        root: docs,
        heading: 'Harbour guide > Mooring > Fenders',
        line: 14,
        text: 'Hang at least four fenders over the side that lies against the quay, two of them amidships.',
        tags: ['harbour', 'rules'],
        score: expect.any(Number),
        modified_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        stale: false,
        signals: [{ kind: 'untrusted', message: 'from document, not vouched for' }],
      },
    ]);
    expect(results[0]?.score).toBeGreaterThan(0.3);
    expect(results[0]?.score).toBeLessThanOrEqual(1);
    expect(tokens_used).toBeGreaterThan(20);
    expect(coverage).toEqual({
      unmatched: [],
      newest: results[0]?.modified_at,
      strength: 'strong',
    });
    expect(warnings).toEqual([]);
  });

  test('limit, min_score, paths, root and explain narrow and explain as for memories', async () => {
    const { loci, docs } = await fresh();
    const other = newFolder();
    const files = Array.from(
      { length: 14 },
      (_, i) => [`buoys/b${i}.md`, `Buoy number ${i} is lit.`] as const,
    );
    await write(docs, { ...Object.fromEntries(files), 'a.md': 'A buoy is a mark.' });
    await write(other, { 'b.md': 'Another buoy, far away.' });
    await loci.reindexDocs({ dir: docs });
    await loci.reindexDocs({ dir: other });
    expect(await places(loci, 'buoy')).toHaveLength(10);
    expect(await places(loci, 'buoy', { limit: 99 })).toHaveLength(16);
    expect(await places(loci, 'buoy', { limit: 2 })).toHaveLength(2);
    expect(await places(loci, 'buoy', { minScore: 1 })).toEqual([]);
    expect(await places(loci, 'buoy', { root: other })).toEqual(['b.md:1']);
    expect(await places(loci, 'buoy', { root: docs, paths: '*.md', limit: 1 })).toHaveLength(1);
    expect(await places(loci, 'buoy', { paths: 'buoys/b3.md' })).toEqual(['buoys/b3.md:1']);
    const { results } = await loci.recallDocs({ query: 'mark', explain: true });
    expect(results[0]?.explain?.terms[0]).toMatchObject({ term: 'mark', documents: 1 });
    const budget = await loci.recallDocs({ query: 'buoy', maxTokens: 200 });
    expect(budget.tokens_used).toBeLessThanOrEqual(200);
    expect(budget.results.length).toBeGreaterThan(1);
    await expect(
      loci.recallDocs({ query: 'buoy', root: join(docs, 'buoys') }),
    ).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining(docs),
    });
  });

  test('a project sees the folders that were indexed for it, and the global ones', async () => {
    const { loci, docs } = await fresh();
    const [plane, world] = [loci.scoped({ project: 'plane' }), loci.scoped({ project: 'global' })];
    const shared = newFolder();
    await write(docs, { 'a.md': 'The anchor of the boat.' });
    await write(shared, { 'g.md': 'The anchor of the world.' });
    await loci.reindexDocs({ dir: docs });
    await world.reindexDocs({ dir: shared });
    expect((await places(loci, 'anchor')).toSorted()).toEqual(['a.md:1', 'g.md:1']);
    expect(await places(plane, 'anchor')).toEqual(['g.md:1']);
    expect((await plane.recallDocs({ query: 'boat' })).coverage.unmatched).toEqual(['boat']);
    expect(await places(plane, 'anchor', { allProjects: true })).toHaveLength(2);
    await expect(plane.recallDocs({ query: 'anchor', root: docs })).rejects.toThrow('not indexed');
    await expect(plane.reindexDocs({ dir: docs, forget: true })).rejects.toThrow('not indexed');

    // The other project indexes the same folder: its files are known, and forgotten by one only.
    expect((await plane.reindexDocs({ dir: docs })).files.unchanged).toBe(1);
    expect((await places(plane, 'boat'))[0]).toBe('a.md:1');
    await loci.reindexDocs({ dir: docs, forget: true });
    expect(await places(loci, 'boat')).not.toContain('a.md:1');
    expect((await places(plane, 'boat'))[0]).toBe('a.md:1');
  });

  test('an agent of its own drawer keeps its folders to itself', async () => {
    const { loci, docs } = await fresh({ isolation: 'per-agent', agent: 'ann' });
    const bob = loci.scoped({ agent: 'bob' });
    await write(docs, { 'a.md': 'The anchor of Ann.' });
    await loci.reindexDocs({ dir: docs });
    expect(await places(loci, 'anchor')).toEqual(['a.md:1']);
    expect(await places(bob, 'anchor', { allProjects: true })).toEqual([]);
  });

  test('case C6: syntax of other programs is text', async () => {
    const { loci, docs } = await fresh();
    const body = [
      '> [!info] Title',
      '- [/] half done',
      '- [X] done',
      '[Linter](https://example.org) is fine',
      '[[Roadmap|the plan]] moved',
      'Fixed in #934',
      'https://example.org/#part',
      '#tag is no heading',
      '```c',
      '#define X',
      '# no heading',
      '```',
    ].join('\n');
    await write(docs, { 'a.md': body });
    expect(await loci.reindexDocs({ dir: docs })).toMatchObject({ sections: 1, warnings: [] });
    const { results } = await loci.recallDocs({ query: 'roadmap the plan' });
    expect(results).toMatchObject([{ heading: '', line: 1, text: body, tags: [] }]);
  });

  test('case C3: line ends, BOM and front matter that ends the file', async () => {
    const { loci, docs } = await fresh();
    await write(docs, {
      'a.md':
        '\uFEFF---\r\ntitle: Alpha\r\ntags: [x]\r\n---\r\nbody one\r\n\r\n# Deck\r\nof teak\r\n',
      'b.md': '---\ntitle: Beta\n---',
      'c.md': '---\n---\nbody three\n',
      'd.md': '---\n\nbody four below a rule\n',
      'e.md': '',
    });
    const { files, warnings, sections } = await loci.reindexDocs({ dir: docs });
    expect({ files, warnings, sections }).toEqual({
      files: { indexed: 5, unchanged: 0, removed: 0, failed: 0 },
      warnings: [],
      sections: 3,
    });
    const { results } = await loci.recallDocs({ query: 'body teak', minScore: 0 });
    const found = results.map(({ file, heading, line, text, tags }) => ({
      file,
      heading,
      line,
      text,
      tags,
    }));
    expect(found.toSorted((a, b) => (a.file < b.file ? -1 : 1))).toEqual([
      { file: 'a.md', heading: 'Alpha', line: 5, text: 'body one\n\n# Deck\nof teak', tags: ['x'] },
      { file: 'c.md', heading: '', line: 3, text: 'body three', tags: [] },
      { file: 'd.md', heading: '', line: 1, text: '---\n\nbody four below a rule', tags: [] },
    ]);
  });

  test('bad input is refused and changes nothing', async () => {
    const { loci, docs } = await fresh();
    await write(docs, { 'a.md': 'An anchor.' });
    const file = join(docs, 'a.md');
    await expect(loci.reindexDocs({ dir: file })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(loci.reindexDocs({ dir: '' })).rejects.toMatchObject({ code: 'invalid_input' });
    const odd = { dir: docs, colour: 'red' };
    await expect(loci.reindexDocs(odd)).rejects.toThrow('unknown key: "colour"');
    await expect(loci.recallDocs({} as never)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(loci.recallDocs({ query: 'x', limit: 0 })).rejects.toThrow('limit');
    expect((await loci.recallDocs({ query: 'anchor' })).results).toEqual([]);
  });
});

describe('files of the index', () => {
  test('nothing is made by looking, and the index lies beside the store, out of git', async () => {
    const folder = newFolder();
    const [vault, docs] = [join(folder, 'vault'), join(folder, 'docs')];
    await write(docs, { 'a.md': 'An anchor.' });
    const loci = await openStore(vault);
    expect((await loci.recallDocs({ query: 'anchor' })).warnings).toEqual([
      'no folder is indexed here: loci reindex-docs DIR',
    ]);
    expect(existsSync(vault)).toBe(false);
    await loci.reindexDocs({ dir: docs });
    expect(readdirSync(vault)).toEqual(
      expect.arrayContaining(['.memory-docs.db', 'events.ndjson']),
    );
    expect(readFileSync(join(vault, '.gitignore'), 'utf8')).toContain('.memory-docs.db*\n');
    expect((await loci.status()).log.events).toBe(0);
  });

  test('a vault that an earlier version made leaves it out of git from then on', async () => {
    const folder = newFolder();
    const [vault, docs] = [join(folder, 'vault'), join(folder, 'docs')];
    await write(docs, { 'a.md': 'An anchor.' });
    await openStore(vault, { create: true });
    writeFileSync(join(vault, '.gitignore'), '.memory-index.db*');
    await (await openStore(vault)).reindexDocs({ dir: docs });
    expect(readFileSync(join(vault, '.gitignore'), 'utf8')).toBe(
      '.memory-index.db*\n.memory-docs.db*\n',
    );
  });

  test.each([
    ['sqlite', (folder: string) => `sqlite:${join(folder, 's.db')}`, 's.db-docs.db'],
    ['vault', (folder: string) => join(folder, 'v'), 'v/.memory-docs.db'],
  ])('%s: it outlasts the process; damaged, it says what to do', async (_kind, name, file) => {
    const folder = newFolder();
    const docs = newFolder();
    await write(docs, { 'a.md': 'An anchor.' });
    const first = await openStore(name(folder));
    await first.reindexDocs({ dir: docs });
    await first.close();
    const second = await openStore(name(folder));
    expect(await places(second, 'anchor')).toEqual(['a.md:1']);
    await second.close();
    writeFileSync(
      join(folder, file),
      'no database at all, but long enough to be looked at '.repeat(99),
    );
    const third = await openStore(name(folder));
    await expect(third.recallDocs({ query: 'anchor' })).rejects.toMatchObject({
      code: 'corrupt',
      hint: expect.stringContaining(`delete ${join(folder, file)}`),
    });
    await third.remember({ body: 'Memories do not mind.' });
  });

  test('[C15] what is replaced or removed is kept nowhere', async () => {
    const folder = newFolder();
    const docs = newFolder();
    const path = join(folder, 's.db-docs.db');
    const loci = await openStore(`sqlite:${join(folder, 's.db')}`);
    const sizes: number[] = [];
    for (let round = 0; round < 6; round++) {
      const text = (i: number) =>
        `# Part ${i}\n\nRound ${round}: ${'the bilge is dry. '.repeat(40)}\n`;
      await write(docs, Object.fromEntries([...Array(40).keys()].map((i) => [`${i}.md`, text(i)])));
      await loci.reindexDocs({ dir: docs });
      sizes.push(readFileSync(path).length);
    }
    expect(sizes.at(-1)).toBeLessThan(2 * (sizes[0] as number));
    await loci.reindexDocs({ dir: docs, forget: true });
    await loci.close();
    const rows = new Set(await tablesWithRows(path));
    for (const table of ['memories', 'events', 'segments', 'postings', 'deltas', 'spaces']) {
      expect(rows).not.toContain(table);
    }
  });
});

async function tablesWithRows(path: string): Promise<string[]> {
  const { sqliteDriver } = await import('../../src/engines/sqlite/drivers/index.ts');
  const database = sqliteDriver().open(path);
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map((row) => row['name'] as string);
  const filled = tables.filter((name) => database.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get());
  database.close();
  return filled;
}
