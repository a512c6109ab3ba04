import * as fc from 'fast-check';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder, onEveryStore, openStore, places, write } from './support.ts';

const FILES = 2000;
const PAGE = Array.from(
  { length: 8 },
  (_, i) => `## Section ${i}\n\n${'What the harbour master said about boats. '.repeat(20)}\n`,
).join('\n');

async function writeMany(folder: string, count = FILES): Promise<void> {
  for (let i = 0; i < count; i++) {
    mkdirSync(join(folder, `d${i % 50}`), { recursive: true });
    writeFileSync(join(folder, `d${i % 50}`, `page-${i}.md`), `# Page ${i}\n\n${PAGE}`);
  }
  await write(folder, {});
}

/** Bytes that this process has read from files so far; undefined where the system does not count them. */
function bytesRead(): number | undefined {
  const path = '/proc/self/io';
  if (!existsSync(path)) return undefined;
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(path, 'utf8'))?.[1]);
}

function stopAt200(done: number): void {
  if (done === 200) throw new Error('interrupted');
}

onEveryStore((fresh) => {
  test('[C15] case P3: of 2,000 files that have not changed, none is read', async (context) => {
    const before = bytesRead();
    if (before === undefined) return context.skip('this system does not count what is read');
    const { loci, docs } = await fresh({ embedder: 'none' });
    await writeMany(docs);
    const total = FILES * Buffer.byteLength(PAGE);

    const start = performance.now();
    const first = await loci.reindexDocs({ dir: docs });
    const firstMs = performance.now() - start;
    const read = (bytesRead() as number) - before;
    expect(first.files.indexed).toBe(FILES);
    expect(first.sections).toBe(FILES * 8);
    expect(read).toBeGreaterThan(total);

    const again = performance.now();
    const second = await loci.reindexDocs({ dir: docs });
    const secondMs = performance.now() - again;
    const readAgain = (bytesRead() as number) - before - read;
    expect(second.files).toEqual({ indexed: 0, unchanged: FILES, removed: 0, failed: 0 });
    expect(readAgain).toBeLessThan(total / 10);
    expect(secondMs).toBeLessThan(firstMs / 5);
  }, 120_000);

  test('[C15] what an interrupted run has done stays, and the next one goes on', async () => {
    const { loci, docs } = await fresh({ embedder: 'none' });
    await writeMany(docs, 300);
    await expect(loci.reindexDocs({ dir: docs }, stopAt200)).rejects.toThrow('interrupted');
    const { indexed, unchanged } = (await loci.reindexDocs({ dir: docs })).files;
    expect(indexed + unchanged).toBe(300);
    expect(unchanged).toBeGreaterThan(60);
    expect((await loci.recallDocs({ query: 'harbour', limit: 1000 })).results).toHaveLength(1000);
  });
});

test('several may index one folder at once', async () => {
  const [folder, docs] = [newFolder(), newFolder()];
  await writeMany(docs, 200);
  const stores = await Promise.all(
    [1, 2, 3].map(() => openStore(`sqlite:${join(folder, 's.db')}`)),
  );
  const done = await Promise.all(stores.map((loci) => loci.reindexDocs({ dir: docs })));
  expect(done.map(({ sections }) => sections)).toContain(1600);
  const [loci] = stores;
  expect(await loci?.reindexDocs({ dir: docs })).toMatchObject({
    files: { indexed: 0, unchanged: 200, removed: 0, failed: 0 },
    sections: 1600,
  });
});

const word = fc.constantFrom('keel', 'sail', 'anchor', 'bow', 'stern', 'deck', '海港', 'v1.2.3');
const page = fc
  .array(fc.tuple(fc.constantFrom('', '# ', '## ', '- '), fc.array(word, { minLength: 1 })), {
    minLength: 1,
  })
  .map((rows) => rows.map(([mark, all]) => mark + all.join(' ')).join('\n\n'));
/** What each of a few files holds in each of a few rounds; null = it is not there. */
const rounds = fc.array(fc.array(fc.option(page), { minLength: 4, maxLength: 4 }), {
  minLength: 1,
  maxLength: 4,
});

test('[B5] every kind of store answers alike, and like one that was made just now', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, fc.array(word, { minLength: 1, maxLength: 3 }), async (all, asked) => {
      const [folder, docs] = [newFolder(), newFolder()];
      const names = ['memory:', `sqlite:${join(folder, 's.db')}`, join(folder, 'v')];
      const stores = await Promise.all(names.map((name) => openStore(name)));
      for (const files of all) {
        for (const [i, text] of files.entries()) {
          if (text === null) rmSync(join(docs, `${i}.md`), { force: true });
          else writeFileSync(join(docs, `${i}.md`), text);
        }
        for (const loci of stores) await loci.reindexDocs({ dir: docs });
      }
      const fresh = await openStore('memory:');
      await fresh.reindexDocs({ dir: docs });
      const query = asked.join(' ');
      const [first, ...others] = await Promise.all(
        [fresh, ...stores].map((loci) => loci.recallDocs({ query, minScore: 0, explain: true })),
      );
      for (const other of others) expect(other).toEqual(first);
      for (const loci of [fresh, ...stores]) await loci.close();
    }),
    { numRuns: 12 },
  );
}, 120_000);

test('files in subfolders are named with forward slashes', async () => {
  const docs = newFolder();
  await write(docs, { 'a b/ü/名.md': 'The keel.' });
  const loci = await openStore('memory:');
  await loci.reindexDocs({ dir: docs });
  expect(await places(loci, 'keel')).toEqual(['a b/ü/名.md:1']);
});
