import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { recallDocsOptions } from '../domain/document-options.ts';
import type { RecallDocsOptions, RecallDocsResult, RecalledSection } from '../domain/documents.ts';
import { parseInput } from '../domain/parse.ts';
import type { Memory } from '../domain/memory.ts';
import type { RecalledMemory } from '../domain/results.ts';
import type { View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import type { DocumentStore } from '../ports/documents.ts';
import { currentProject } from '../ports/scope.ts';
import { recall } from '../recall/recall.ts';
import { notIndexed, rootNamed, visibleRoots } from './roots.ts';
import { modelNotice } from './model-notice.ts';

const NOTHING: Omit<RecallDocsResult, 'warnings'> = {
  results: [],
  coverage: { unmatched: [], newest: null, strength: 'none' },
  tokens_used: 0,
};

/**
 * The story of recall, over the sections of the folders that the caller may see: what is found, ranked
 * and fitted like memories, then named by file and line.
 * @throws LociError not_found for a root that is not indexed
 */
export async function recallDocs(
  options: RecallDocsOptions,
  deps: Deps,
): Promise<RecallDocsResult> {
  const parsed = parseInput(recallDocsOptions, options, 'recall-docs');
  const { root, allProjects, ...asked } = parsed;
  const store = await deps.documents.open();
  const visible = store ? await visibleRoots(store, deps, allProjects) : [];
  const wanted = root === undefined ? undefined : rootNamed(root, deps);
  const roots = visible.filter(({ path }) => wanted === undefined || path === wanted);
  if (wanted !== undefined && roots.length === 0) {
    throw notIndexed('root', wanted, { project: await currentProject(deps), others: visible });
  }
  if (!store || roots.length === 0) {
    const none = 'no folder is indexed here: loci reindex-docs DIR';
    return { ...NOTHING, warnings: [...deps.notices, none] };
  }
  const view: View = { projects: roots.map(({ path }) => path), agents: 'all' };
  const { engine } = store;
  const { repository: _repository, ...scope } = deps.scope;
  const { vectors: _vectors, ...others } = deps;
  const { vectors } = deps.documents;
  // Sections are all of one tier and have no edges.
  const recalled = await recall(
    { ...asked, progressive: false, graph: false },
    { ...others, ...(vectors ? { vectors } : {}), engine, scope: { ...scope, view } },
  );
  const results = await sectionsOf(recalled.results, { view, store });
  const { coverage, tokens_used, warnings } = recalled;
  const notices = [staleNotice(results), await modelNotice(deps.embedders ?? [], engine)];
  return {
    results,
    coverage,
    tokens_used,
    warnings: [...warnings, ...notices.filter((notice) => notice !== undefined)],
  };
}

/** What was recalled, by file and line. */
async function sectionsOf(
  recalled: readonly RecalledMemory[],
  { view, store }: { view: View; store: DocumentStore },
): Promise<readonly RecalledSection[]> {
  const ids = recalled.map(({ id }) => id);
  const stored = await store.engine.get(ids, view);
  const entries = new Map(stored.map(({ memory }) => [memory.id, memory]));
  const isStale = await staleness([...entries.values()], store);
  return recalled.flatMap(({ id, title, body, truncated, tags, score, signals, explain }) => {
    const entry = entries.get(id);
    // Indexed anew between the two reads: there is nothing left to name.
    if (!entry) return [];
    return {
      id,
      file: fileOf(entry),
      root: entry.project,
      heading: title ?? '',
      line: Number(entry.details?.['line']),
      text: body,
      ...(truncated ? { truncated } : {}),
      tags,
      score,
      modified_at: entry.updated_at,
      stale: isStale(entry),
      signals,
      ...(explain ? { explain } : {}),
    };
  });
}

function fileOf({ paths }: Memory): string {
  return paths[0] as string;
}

/** Tells of entries whether their files are no longer as they were indexed, by a look at their stamps. */
async function staleness(
  entries: readonly Memory[],
  store: DocumentStore,
): Promise<(entry: Memory) => boolean> {
  const stale = new Set<string>();
  for (const root of new Set(entries.map(({ project }) => project))) {
    const files = entries.filter(({ project }) => project === root).map(fileOf);
    for (const { file, sizeBytes, modifiedMs } of await store.files(root, [...new Set(files)])) {
      const now = lookAt(join(root, file));
      if (now?.size !== sizeBytes || now.mtimeMs !== modifiedMs) stale.add(join(root, file));
    }
  }
  return (entry) => stale.has(join(entry.project, fileOf(entry)));
}

/** Undefined when it is gone, or cannot be looked at. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function staleNotice(results: readonly RecalledSection[]): string | undefined {
  const files = [...new Set(results.filter(({ stale }) => stale).map(({ file }) => file))];
  if (files.length === 0) return undefined;
  const roots = [...new Set(results.filter(({ stale }) => stale).map(({ root }) => root))];
  return (
    `changed since they were indexed: ${files.join(', ')}; ` +
    `run ${roots.map((root) => `loci reindex-docs ${root}`).join(' and ')}`
  );
}
