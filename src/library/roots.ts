import { realpathSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { DocumentReader } from '../domain/document-reader.ts';
import { LociError, quote } from '../domain/errors.ts';
import { sees } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import type { DocumentRoot, DocumentStore } from '../ports/documents.ts';
import { currentProject, currentView } from '../ports/scope.ts';

/** The name of a folder: its real path, absolute, with forward slashes; it need not be there. */
export function rootNamed(dir: string, { documents }: Pick<Deps, 'documents'>): string {
  const path = resolve(documents.cwd, dir);
  let real = path;
  try {
    real = realpathSync(path);
  } catch {
    // It is gone, or never was: then it is known by the name that is given.
  }
  return sep === '/' ? real : real.replaceAll(sep, '/');
}

/** @throws LociError invalid_input when it is no folder, or one of memories */
export function requireFolder(root: string, { engine }: Pick<Deps, 'engine'>): void {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new LociError(
      'invalid_input',
      `dir is ${quote(root)}, and there is no such folder`,
      'Name a folder of Markdown files. To take a folder out of the index: loci reindex-docs DIR --forget',
    );
  }
  const store = sep === '/' ? engine.location : engine.location.replaceAll(sep, '/');
  if (root !== store && !root.startsWith(`${store}/`)) return;
  throw new LociError(
    'invalid_input',
    `dir is ${quote(root)}, which lies in the store of memories`,
    'Documents are kept apart from memories; `loci reindex` takes up edits of memories.',
  );
}

/** On whose behalf a folder is indexed. */
export async function readerOf(deps: Deps): Promise<DocumentReader> {
  const { engine, scope } = deps;
  const { agent } = scope;
  const project = await currentProject(deps);
  return { project, ...(engine.isolated && agent !== undefined ? { agent } : {}) };
}

/** The folders whose documents the caller may see. */
export async function visibleRoots(
  store: DocumentStore,
  deps: Deps,
  allProjects = false,
): Promise<readonly DocumentRoot[]> {
  const view = await currentView(deps, allProjects);
  return (await store.roots()).filter(({ readers }) =>
    readers.some((reader) => sees(view, reader)),
  );
}

export function notIndexed(
  field: string,
  root: string,
  { project, others }: { project: string; others: readonly DocumentRoot[] },
): LociError {
  const known = others.map(({ path }) => path).join(', ');
  return new LociError(
    'not_found',
    `${field} is ${quote(root)}, which is not indexed in project ${project}`,
    known === '' ? 'Index it: loci reindex-docs DIR' : `There are: ${known}`,
  );
}
