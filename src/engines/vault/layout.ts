import type { Memory } from '../../domain/memory.ts';

/** Names of a vault; everything that is derived or of this machine alone begins with a dot. */
export const LOG = 'events.ndjson';
export const TORN = 'events.torn.ndjson';
export const INDEX = '.memory-index.db';
export const VECTORS = '.memory-vectors.db';
export const DOCUMENTS = '.memory-docs.db';
export const LOCK = '.loci-lock.db';
export const LOCAL = '.loci-local.json';

/** Blobs, each under its SHA-256. */
export const EVIDENCE = 'EVIDENCE';

/** Folders that hold memories, one file each. */
export const FOLDERS = ['ENTITIES', 'ARCHIVE', 'CONFLICTS', 'EPISODES'] as const;
export type Folder = (typeof FOLDERS)[number];

/** The folder of a memory: what is current, what is history, and two kinds of their own. */
export function folderOf({ type, status }: Pick<Memory, 'type' | 'status'>): Folder {
  if (status !== 'active' && status !== 'draft') return 'ARCHIVE';
  if (type === 'conflict') return 'CONFLICTS';
  return type === 'episode' ? 'EPISODES' : 'ENTITIES';
}

/** Path below the vault, with forward slashes. Ids are letters, digits and dashes: never a path. */
export function pathOf(memory: Pick<Memory, 'id' | 'type' | 'status'>): string {
  return `${folderOf(memory)}/${memory.id}.md`;
}

/** The folder of a vault that a path leads into. */
export function topFolder(path: string): Folder {
  return path.slice(0, path.indexOf('/')) as Folder;
}

/** A file's name without its ending. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1, -'.md'.length);
}

export function inVault(root: string, path: string): string {
  // Forward slashes do on every system, and this runs for every file of a vault.
  return `${root}/${path}`;
}

/** What a new vault begins with, by name. */
export const INITIAL_FILES: Readonly<Record<string, string>> = {
  '.gitignore': [
    '# Derived from the log, or of this machine alone.',
    '.memory-index.db*',
    '.memory-vectors.db*',
    '.memory-docs.db*',
    '.loci-lock.db*',
    '.loci-local.json',
    '.loci-tmp-*',
    'events.torn.ndjson',
    '',
  ].join('\n'),
  '.gitattributes': ['* -text', 'events.ndjson merge=union', ''].join('\n'),
};
