import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshStore, rowsWith, saySkipped, withoutServer } from '../engines/postgres.ts';

/** A kind of store that keeps what it holds, and how one in a folder is named. */
export type Lasting = readonly [kind: string, name: (root: string) => string | Promise<string>];

/** Every kind of store that lasts, PostgreSQL among them where there is a server. */
export const LASTING: readonly Lasting[] = [
  ['a vault', (root) => join(root, 'vault')],
  ['an SQLite store', (root) => `sqlite:${join(root, 'store.db')}`],
  ...(withoutServer === undefined ? [['a PostgreSQL store', freshStore] as Lasting] : []),
];
saySkipped('stores on postgres');

/** Where words stand in what a store keeps, in any case: in files below its folder, or in its tables. */
export async function tracesOf(
  words: readonly string[],
  { root, name }: { readonly root: string; readonly name: string },
): Promise<string[]> {
  return name.startsWith('postgres') ? rowsWith(name, words) : filesWith(root, words);
}

function filesWith(root: string, words: readonly string[]): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((path) => {
      const text = `${path} ${readFileSync(path).toString('latin1')}`.toLowerCase();
      return words.filter((word) => text.includes(word)).map((word) => `${path}: ${word}`);
    });
}
