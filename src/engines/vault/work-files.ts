import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isUtf8 } from 'node:buffer';
import { basename, join } from 'node:path';
import { isMemoryEvent } from '../../domain/event.ts';
import { sha256 } from '../../domain/hash.ts';
import type { StoredMemory } from '../../domain/memory.ts';
import { renderFile } from '../../domain/markdown/render.ts';
import type { Database } from '../sqlite/drivers/driver.ts';
import { readHistory } from '../sqlite/reader.ts';
import { storedOf } from '../sqlite/rows.ts';
import type { FileFacts } from './file-work.mjs';
import { putFile, type FileRecord } from './files-table.ts';
import { AGENTS, FOLDERS, folderOf, inVault, SHARED, topFolder } from './layout.ts';
import { patcher } from './markdown.ts';

/** A file as it lies on disk. */
export interface DiskFile extends FileFacts {
  /** Undefined when its bytes are not UTF-8, or cannot be read. */
  readonly text: string | undefined;
  /** Why they cannot be read: the code of the system's error. */
  readonly unreadable?: string;
}

/** What a memory's file has to hold. The parser must be loaded when a person's hand is in it. */
export function render({ memory, front }: StoredMemory): string {
  return renderFile(memory, front === undefined ? undefined : patcher()(front, memory));
}

/** Where a memory's file belongs; a name that a person gave it is kept. */
export function placeOf(
  { memory }: StoredMemory,
  known: Pick<FileRecord, 'path'> | undefined,
  isolated: boolean,
): string {
  const name = known ? basename(known.path) : `${memory.id}.md`;
  const folder = folderOf(memory, isolated);
  if (known && topFolder(known.path) === folder) return known.path;
  return `${folder}/${name}`;
}

export function storedById(database: Database, id: string): StoredMemory | undefined {
  const row = database.prepare('SELECT * FROM memories WHERE id = ?').get(id);
  return row && storedOf(row);
}

/** Whether a file shows a memory as it was at an earlier event. The parser must be loaded. */
export function wasEarlier(database: Database, id: string, text: string): boolean {
  return readHistory(database, id)
    .filter(isMemoryEvent)
    .some(({ data, front }) => {
      return renderFile(data, front === undefined ? undefined : patcher()(front, data)) === text;
    });
}

/** Notes that a file shows a memory as it is. */
export function note(
  database: Database,
  path: string,
  { memory, heads }: StoredMemory,
  { hash, size, mtimeMs }: FileFacts,
): void {
  putFile(database, { path, id: memory.id, hash, heads, size, mtimeMs });
}

/** One file that may not be read keeps nobody from the others. */
const UNREADABLE = new Set(['EACCES', 'EPERM', 'EIO']);

/** Undefined when there is none, or something that is no regular file. */
export function readDiskFile(root: string, path: string): DiskFile | undefined {
  const absolute = inVault(root, path);
  const stat = lstatSync(absolute, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  const { size, mtimeMs } = stat;
  let bytes: Buffer;
  try {
    bytes = readFileSync(absolute);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!UNREADABLE.has(code)) throw error;
    return { text: undefined, hash: code, size, mtimeMs, unreadable: code };
  }
  const text = isUtf8(bytes) ? bytes.toString('utf8') : undefined;
  return { text, hash: sha256(bytes), size, mtimeMs };
}

/**
 * Paths of all Markdown files in the folders of a vault, and in those of its drawers where agents are
 * kept apart. Links are not followed: they could lead out of it.
 */
export function listFiles(root: string, isolated: boolean): string[] {
  const paths: string[] = [];
  for (const drawer of isolated ? ['', ...drawersOf(root)] : ['']) {
    for (const folder of FOLDERS) walk(root, drawer + folder, paths);
  }
  return paths;
}

/** The drawers that are there, each with a slash at its end. */
export function drawersOf(root: string): string[] {
  const agents = namesIn(inVault(root, AGENTS))
    .filter((name) => !name.startsWith('.') && isFolder(inVault(root, `${AGENTS}/${name}`)))
    .map((name) => `${AGENTS}/${name}/`);
  return isFolder(inVault(root, SHARED)) ? [`${SHARED}/`, ...agents] : agents;
}

function walk(root: string, folder: string, paths: string[]): void {
  for (const name of namesIn(inVault(root, folder))) {
    if (name.startsWith('.')) continue;
    const path = `${folder}/${name}`;
    // Names tell files from folders without asking for each: who looks at a path looks what it is.
    if (name.endsWith('.md')) paths.push(path);
    else if (isFolder(inVault(root, path))) walk(root, path, paths);
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Removes what processes that died have left of files they were writing. */
export function sweepTemporaries(root: string): void {
  for (const name of readdirSync(root)) {
    if (name.startsWith('.loci-tmp-')) rmSync(join(root, name), { force: true });
  }
}
