import { sha256 } from '../../domain/hash.ts';
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

/** Where the drawers of agents lie, and the one that all of them see, when agents are kept apart. */
export const AGENTS = 'agents';
export const SHARED = 'shared';

/** The folder of a memory: what is current, what is history, and two kinds of their own. */
function kindOf({ type, status }: Pick<Memory, 'type' | 'status'>): Folder {
  if (status !== 'active' && status !== 'draft') return 'ARCHIVE';
  if (type === 'conflict') return 'CONFLICTS';
  return type === 'episode' ? 'EPISODES' : 'ENTITIES';
}

/** The folder that a memory's file lies in, below the vault. */
export function folderOf(
  memory: Pick<Memory, 'type' | 'status' | 'agent'>,
  isolated: boolean,
): string {
  const kind = kindOf(memory);
  if (!isolated) return kind;
  return memory.agent === undefined
    ? `${SHARED}/${kind}`
    : `${AGENTS}/${drawerFolder(memory.agent)}/${kind}`;
}

/** Path below the vault, with forward slashes. Ids are letters, digits and dashes: never a path. */
export function pathOf(
  memory: Pick<Memory, 'id' | 'type' | 'status' | 'agent'>,
  isolated: boolean,
): string {
  return `${folderOf(memory, isolated)}/${memory.id}.md`;
}

/**
 * The name of an agent's folder: its id, or, where file systems could take two ids for one or an id is
 * no name of a folder, a part of it with its hash.
 */
function drawerFolder(agent: string): string {
  if (/^[a-z0-9_-]+$/.test(agent)) return agent;
  const plain = agent.toLowerCase().replace(/[^a-z0-9_-]+/g, '-');
  return `${plain.slice(0, 40)}-${sha256(agent).slice(0, 8)}`;
}

/** The folder of memories that a path leads into: `ENTITIES`, `shared/ENTITIES`, `agents/ann/ENTITIES`. */
export function topFolder(path: string): string {
  const parts = path.split('/');
  const depth = parts[0] === AGENTS ? 3 : parts[0] === SHARED ? 2 : 1;
  return parts.slice(0, depth).join('/');
}

/** Which of the four folders a path leads into, in whatever drawer. */
export function kindAt(path: string): Folder {
  const folder = topFolder(path);
  return folder.slice(folder.lastIndexOf('/') + 1) as Folder;
}

/** The drawer that a path leads into: `agents/ann`, `shared`, or '' for none. */
export function drawerAt(path: string): string {
  const folder = topFolder(path);
  return folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
}

/**
 * Whose drawer a file lies in; undefined for the shared one. Without a drawer it is as the file says.
 * @param declared the agent that the file names
 */
export function agentAt(path: string, declared: string | undefined): string | undefined {
  const drawer = drawerAt(path);
  if (drawer === '') return declared;
  if (drawer === SHARED) return undefined;
  const folder = drawer.slice(AGENTS.length + 1);
  return declared !== undefined && drawerFolder(declared) === folder ? declared : folder;
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
