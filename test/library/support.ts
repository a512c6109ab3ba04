import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe } from 'vitest';
import type { RecallDocsOptions } from '../../src/domain/documents.ts';
import type { Loci } from '../../src/loci.ts';
import { open, type OpenOptions } from '../../src/open.ts';

export function newFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'loci-docs-')));
}

/** Each kind of store, in a folder of its own. */
const STORES: readonly [kind: string, name: (folder: string) => string][] = [
  ['in-memory', () => 'memory:'],
  ['sqlite', (folder) => `sqlite:${join(folder, 'store.db')}`],
  ['vault', (folder) => join(folder, 'vault')],
];

const opened: Loci[] = [];
afterEach(async () => {
  for (const loci of opened.splice(0)) await loci.close();
});

export async function openStore(name: string, options: OpenOptions = {}): Promise<Loci> {
  const loci = await open(name, { project: 'boat', ...options });
  opened.push(loci);
  return loci;
}

/** Runs the same tests on every kind of store, each test with a store and a folder of documents. */
export function onEveryStore(
  tests: (fresh: (options?: OpenOptions) => Promise<{ loci: Loci; docs: string }>) => void,
): void {
  describe.each(STORES)('%s', (_kind, name) => {
    tests(async (options) => {
      const docs = join(newFolder(), 'docs');
      mkdirSync(docs);
      return { loci: await openStore(name(newFolder()), options), docs };
    });
  });
}

/** Writes files by path. They are older than the grain of the clock when it returns. */
export async function write(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  await pause(40);
}

/** What is found, as `file:line heading`. */
export async function places(
  loci: Loci,
  query: string,
  options: Omit<RecallDocsOptions, 'query'> = {},
): Promise<string[]> {
  const { results } = await loci.recallDocs({ query, ...options });
  return results.map(({ file, line, heading }) => `${file}:${line} ${heading}`.trim());
}
