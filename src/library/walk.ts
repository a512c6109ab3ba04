import { lstatSync, readdirSync, type Dirent, type Stats } from 'node:fs';
import { join } from 'node:path';
import { matchesGlob } from '../domain/glob.ts';

export interface FoundFile {
  /** Path below the root, with forward slashes. */
  readonly file: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
}

export interface Walked {
  /** By path. */
  readonly files: ReadonlyMap<string, FoundFile>;
  /** Folders and files that could not be looked at: nothing is concluded about what is in them. */
  readonly unread: readonly { readonly path: string; readonly why: string }[];
  /** Stores of memories, which are no documents. */
  readonly stores: readonly string[];
}

const MARKDOWN = /\.(?:md|markdown)$/i;
/** The log of a vault. */
const LOG = 'events.ndjson';

/**
 * The Markdown files below a folder, without reading any. Symbolic links are not followed, names that
 * begin with a dot, `node_modules` and stores of memories are passed over.
 * @param glob only these paths; default all
 */
export function walk(root: string, glob?: string): Walked {
  const files = new Map<string, FoundFile>();
  const unread: { path: string; why: string }[] = [];
  const stores: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = attempt(() => readdirSync(join(root, folder), { withFileTypes: true }));
    if (!Array.isArray(entries)) {
      unread.push({ path: folder === '' ? '.' : folder, why: entries.why });
      continue;
    }
    if (folder !== '' && entries.some(({ name }) => name === LOG)) {
      stores.push(folder);
      continue;
    }
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile() || !MARKDOWN.test(entry.name)) continue;
      if (glob !== undefined && !matchesGlob(glob, path)) continue;
      const stats = attempt(() => lstatSync(join(root, path)));
      if ('why' in stats) unread.push({ path, why: stats.why });
      else files.set(path, found(path, stats));
    }
  }
  return { files, unread, stores };
}

function attempt(look: () => Dirent[]): Dirent[] | { why: string };
function attempt(look: () => Stats): Stats | { why: string };
function attempt(look: () => unknown): unknown {
  try {
    return look();
  } catch (error) {
    return { why: (error as NodeJS.ErrnoException).code ?? String(error) };
  }
}

function found(file: string, stats: Stats): FoundFile {
  const { size: sizeBytes, mtimeMs: modifiedMs, ctimeMs: changedMs } = stats;
  return { file, sizeBytes, modifiedMs, changedMs };
}
