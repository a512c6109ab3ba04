import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe } from 'vitest';
import type { Loci } from '../../src/loci.ts';
import { open, type OpenOptions } from '../../src/open.ts';

const STORES: readonly [kind: string, name: (folder: string) => string][] = [
  ['in-memory', () => 'memory:'],
  ['sqlite', (folder) => `sqlite:${join(folder, 'store.db')}`],
  ['vault', (folder) => join(folder, 'vault')],
];

const opened: Loci[] = [];
afterEach(async () => {
  for (const loci of opened.splice(0)) await loci.close();
});

export interface Place {
  /** Folder that holds the store and nothing else. */
  readonly folder: string;
  open(options?: OpenOptions): Promise<Loci>;
}

/** Runs the same tests on every kind of store, through the library. */
export function onEveryStore(tests: (newPlace: () => Place) => void): void {
  describe.each(STORES)('%s', (_kind, name) => {
    tests(() => {
      const folder = mkdtempSync(join(tmpdir(), 'loci-hygiene-'));
      return {
        folder,
        async open(options = {}) {
          const loci = await open(name(folder), { project: 'boat', embedder: 'none', ...options });
          opened.push(loci);
          return loci;
        },
      };
    });
  });
}

/** The files below a folder that hold any of these texts, as bytes, whatever case. */
export function filesHolding(folder: string, texts: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((path) => {
      const content = readFileSync(path, 'latin1').toLowerCase();
      const found = texts.filter(
        (text) => content.includes(text.toLowerCase()) || path.includes(text),
      );
      return found.map((text) => `${path}: ${text}`);
    });
}
