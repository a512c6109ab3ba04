import { createHash } from 'node:crypto';
import {
  chmodSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ReindexDocsResult } from '../../src/domain/documents.ts';
import { newFolder, onEveryStore, openStore, places, write } from './support.ts';

const ANCHOR = '# Anchor\n\nThe anchor is dropped from the bow.\n';
const SAIL = '# Sail\n\nThe mainsail is hoisted before the jib.\n';

function counts({ files }: ReindexDocsResult): string {
  const { indexed, unchanged, removed, failed } = files;
  return `${indexed} indexed, ${unchanged} unchanged, ${removed} removed, ${failed} failed`;
}

/** Root may read everything: as root, somebody else looks. */
async function asSomebody<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

test('nothing is concluded of a folder that is closed', async () => {
  const folder = newFolder();
  chmodSync(folder, 0o755);
  const loci = await openStore('memory:');
  await write(folder, { 'rig/sail.md': SAIL, 'anchor.md': ANCHOR });
  await loci.reindexDocs({ dir: folder });
  chmodSync(join(folder, 'rig'), 0);
  const { files, warnings } = await asSomebody(() => loci.reindexDocs({ dir: folder }));
  expect(files).toEqual({ indexed: 0, unchanged: 1, removed: 0, failed: 1 });
  expect(warnings).toEqual(['rig: it cannot be read (EACCES)']);
  expect(await places(loci, 'mainsail')).toEqual(['rig/sail.md:3 Sail']);
  chmodSync(join(folder, 'rig'), 0o755);
});

onEveryStore((fresh) => {
  test('[C15] unchanged files are skipped, changed ones replaced, deleted ones gone', async () => {
    const { loci, docs } = await fresh();
    await write(docs, { 'anchor.md': ANCHOR, 'rig/sail.md': SAIL, 'notes.txt': 'no Markdown' });
    const first = await loci.reindexDocs({ dir: docs });
    expect(first).toEqual({
      root: docs,
      project: 'boat',
      files: { indexed: 2, unchanged: 0, removed: 0, failed: 0 },
      sections: 2,
      warnings: [],
    });
    expect(await places(loci, 'mainsail')).toEqual(['rig/sail.md:3 Sail']);
    expect(counts(await loci.reindexDocs({ dir: docs }))).toBe(
      '0 indexed, 2 unchanged, 0 removed, 0 failed',
    );

    await write(docs, {
      'rig/sail.md': '# Sail\n\nThe spinnaker is new.\n\n## Jib\n\nOld, but whole.\n',
    });
    rmSync(join(docs, 'anchor.md'));
    const second = await loci.reindexDocs({ dir: docs });
    expect(counts(second)).toBe('1 indexed, 0 unchanged, 1 removed, 0 failed');
    expect(await places(loci, 'spinnaker')).toEqual(['rig/sail.md:3 Sail']);
    expect(await places(loci, 'mainsail')).toEqual([]);
    const { coverage } = await loci.recallDocs({ query: 'anchor bow mainsail spinnaker' });
    expect(coverage.unmatched).toEqual(['anchor', 'bow', 'mainsail']);
  });

  test('[C15] documents and memories are apart', async () => {
    const { loci, docs } = await fresh();
    await write(docs, { 'anchor.md': ANCHOR });
    await loci.remember({ body: 'We lost an anchor in May.' });
    await loci.reindexDocs({ dir: docs });
    const { results } = await loci.recall({ query: 'anchor', allProjects: true });
    expect(results.map(({ body }) => body)).toEqual(['We lost an anchor in May.']);
    expect(await places(loci, 'anchor', { allProjects: true })).toEqual(['anchor.md:3 Anchor']);
    expect((await loci.status()).memories.total).toBe(1);
    const { problems } = await loci.verify();
    expect(problems).toEqual([]);
  });

  test('a touched file is read, found the same, and not read again', async () => {
    const { loci, docs } = await fresh();
    await write(docs, { 'anchor.md': ANCHOR });
    await loci.reindexDocs({ dir: docs });
    utimesSync(join(docs, 'anchor.md'), 1_700_000_000, 1_700_000_000);
    await write(docs, {});
    expect((await loci.recallDocs({ query: 'anchor' })).results[0]?.stale).toBe(true);
    expect(counts(await loci.reindexDocs({ dir: docs }))).toContain('0 indexed, 1 unchanged');
    expect((await loci.recallDocs({ query: 'anchor' })).results[0]?.stale).toBe(false);
  });

  test('a change that keeps size and modification time is noticed', async () => {
    const { loci, docs } = await fresh();
    await write(docs, { 'a.md': 'The hull is green.' });
    utimesSync(join(docs, 'a.md'), 1_700_000_000, 1_700_000_000);
    await write(docs, {});
    await loci.reindexDocs({ dir: docs });
    await write(docs, { 'a.md': 'The hull is brown.' });
    utimesSync(join(docs, 'a.md'), 1_700_000_000, 1_700_000_000);
    expect(counts(await loci.reindexDocs({ dir: docs }))).toContain('1 indexed');
    expect(await places(loci, 'brown')).toEqual(['a.md:1']);
  });

  test('a file that was written a moment ago is looked at again', async () => {
    const { loci, docs } = await fresh();
    await write(docs, {});
    for (let i = 0; i < 20; i++) {
      writeFileSync(join(docs, 'a.md'), `The hull has colour ${String(i).padStart(2, '0')}.`);
      await loci.reindexDocs({ dir: docs });
    }
    expect((await loci.recallDocs({ query: 'hull' })).results.map(({ text }) => text)).toEqual([
      'The hull has colour 19.',
    ]);
  });

  test('case C1: a bad file is named with its line, left as it is, and the others are indexed', async () => {
    const { loci, docs } = await fresh();
    const bad = '---\ntitle: ok\npath: `C:\\data\\x`\n---\nThe bilge is dry.\n';
    await write(docs, { 'a.md': ANCHOR, 'b.md': bad, 'c.md': SAIL });
    const hash = () =>
      createHash('sha256')
        .update(readFileSync(join(docs, 'b.md')))
        .digest('hex');
    const before = hash();
    const { files, warnings } = await loci.reindexDocs({ dir: docs });
    expect(files).toEqual({ indexed: 2, unchanged: 0, removed: 0, failed: 1 });
    expect(warnings).toEqual([expect.stringMatching(/^b\.md:3: its front matter is no YAML: /)]);
    expect(hash()).toBe(before);
    expect(await places(loci, 'anchor')).toEqual(['a.md:3 Anchor']);
    expect(await places(loci, 'mainsail')).toEqual(['c.md:3 Sail']);
  });

  test('what cannot be read or is no text is named; what was known of it stays, marked', async () => {
    const { loci, docs } = await fresh();
    await write(docs, { 'a.md': ANCHOR, 'b.md': SAIL, 'c.md': 'The keel is deep.' });
    await loci.reindexDocs({ dir: docs });
    await write(docs, {
      'a.md': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe),
      'b.md': 'nul \0 nul',
      'c.md': 'x'.repeat(5_000_001),
    });
    const { files, warnings } = await loci.reindexDocs({ dir: docs });
    expect(files).toEqual({ indexed: 0, unchanged: 0, removed: 0, failed: 3 });
    expect(warnings.toSorted()).toEqual([
      'a.md: it is no text in UTF-8',
      'b.md:1: it holds NUL characters: it is no text',
      'c.md: it has 5.0 MB, and 5.0 MB is the most that is indexed',
    ]);
    const { results, warnings: stale } = await loci.recallDocs({ query: 'anchor' });
    expect(results[0]).toMatchObject({ file: 'a.md', stale: true });
    expect(stale).toEqual([`changed since they were indexed: a.md; run loci reindex-docs ${docs}`]);
  });

  test('case S1: links are not followed, and names that begin with a dot are passed over', async () => {
    const { loci, docs } = await fresh();
    const outside = newFolder();
    await write(outside, { 'secret.md': 'The combination is 4711.' });
    await write(docs, {
      'a.md': ANCHOR,
      '.obsidian/x.md': SAIL,
      '.hidden.md': SAIL,
      'node_modules/pkg/README.md': SAIL,
    });
    symlinkSync(outside, join(docs, 'linked'), 'dir');
    symlinkSync(join(outside, 'secret.md'), join(docs, 'secret.md'));
    symlinkSync(docs, join(docs, 'loop'), 'dir');
    const { files } = await loci.reindexDocs({ dir: docs });
    expect(files).toEqual({ indexed: 1, unchanged: 0, removed: 0, failed: 0 });
    expect(await places(loci, 'combination 4711')).toEqual([]);
  });

  test('a store of memories is no folder of documents', async () => {
    const { loci, docs } = await fresh();
    await write(docs, { 'a.md': ANCHOR, 'memory/events.ndjson': '', 'memory/ENTITIES/x.md': SAIL });
    const { files, warnings } = await loci.reindexDocs({ dir: docs });
    expect(files.indexed).toBe(1);
    expect(warnings).toEqual(['memory: passed over, it is a store of memories']);
  });

  test('a glob narrows what is looked at, and the rest stays as it is', async () => {
    const { loci, docs } = await fresh();
    await write(docs, { 'guide/a.md': ANCHOR, 'guide/b.md': SAIL, 'c.md': 'The keel is deep.' });
    expect(counts(await loci.reindexDocs({ dir: docs, glob: 'guide/**' }))).toContain('2 indexed');
    await loci.reindexDocs({ dir: docs });
    rmSync(join(docs, 'guide/a.md'));
    rmSync(join(docs, 'c.md'));
    expect(counts(await loci.reindexDocs({ dir: docs, glob: 'guide/**' }))).toBe(
      '0 indexed, 1 unchanged, 1 removed, 0 failed',
    );
    expect(await places(loci, 'keel')).toEqual(['c.md:1']);
  });

  test('force reads everything again', async () => {
    const { loci, docs } = await fresh();
    await write(docs, { 'a.md': ANCHOR });
    await loci.reindexDocs({ dir: docs });
    expect(counts(await loci.reindexDocs({ dir: docs, force: true }))).toContain('1 indexed');
    expect(await places(loci, 'anchor')).toEqual(['a.md:3 Anchor']);
  });

  test('a folder that moves is another one; the old one is forgotten on request', async () => {
    const { loci, docs } = await fresh();
    const moved = join(newFolder(), 'moved');
    await write(docs, { 'a.md': ANCHOR });
    await loci.reindexDocs({ dir: docs });
    renameSync(docs, moved);
    await expect(loci.reindexDocs({ dir: docs })).rejects.toMatchObject({
      code: 'invalid_input',
      message: `dir is "${docs}", and there is no such folder`,
      hint: expect.stringContaining('--forget'),
    });
    await loci.reindexDocs({ dir: moved });
    expect(await places(loci, 'anchor')).toHaveLength(2);
    const forgotten = await loci.reindexDocs({ dir: docs, forget: true });
    expect(forgotten).toMatchObject({ root: docs, files: { removed: 1 }, sections: 0 });
    expect(await places(loci, 'anchor')).toEqual(['a.md:3 Anchor']);
    await expect(loci.reindexDocs({ dir: docs, forget: true })).rejects.toMatchObject({
      code: 'not_found',
      hint: `There are: ${moved}`,
    });
    await loci.reindexDocs({ dir: moved, forget: true });
    const { results, warnings } = await loci.recallDocs({ query: 'anchor' });
    expect(results).toEqual([]);
    expect(warnings).toEqual(['no folder is indexed here: loci reindex-docs DIR']);
  });

  test('progress counts files', async () => {
    const { loci, docs } = await fresh();
    await write(docs, { 'a.md': ANCHOR, 'b.md': SAIL });
    const seen: string[] = [];
    await loci.reindexDocs({ dir: docs }, (done, total) => seen.push(`${done}/${total}`));
    expect(seen.slice(0, 2)).toEqual(['1/2', '2/2']);
  });
});
