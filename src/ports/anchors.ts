import { citeText, type Cite } from '../domain/anchors/cite.ts';
import { judgeCite, type Anchor } from '../domain/anchors/judge.ts';
import type { Memory } from '../domain/memory.ts';
import type { Deps } from './deps.ts';
import { currentCode, currentProject } from './scope.ts';

/** How the places that memories cite stand: by id of the memory, then by `citeText`. */
export type Anchors = ReadonlyMap<string, ReadonlyMap<string, Anchor>>;

/** Files that are looked at however long it takes: a busy machine does not silence recall. */
const ALWAYS = 4;

/**
 * Looks at the code that memories of the current project cite, each file once, those of the first
 * memories first.
 * @param budgetMs after this long no further file is looked at; default never
 */
export async function lookAtCode(
  memories: readonly Pick<Memory, 'id' | 'project' | 'cites'>[],
  deps: Deps,
  budgetMs = Infinity,
): Promise<Anchors> {
  const anchors = new Map<string, Map<string, Anchor>>();
  const citing = memories.filter(({ cites = [] }) => cites.length > 0);
  const code = citing.length > 0 ? await currentCode(deps) : undefined;
  if (!code) return anchors;
  const project = await currentProject(deps);
  const own = citing.filter((memory) => memory.project === project);
  const stopAt = performance.now() + budgetMs;
  let looked = 0;
  for (const [path, cites] of citesByPath(own)) {
    if (looked >= ALWAYS && performance.now() > stopAt) break;
    looked += 1;
    const file = code.read(path);
    if (file === 'unreadable') continue;
    const lines = typeof file === 'string' ? undefined : file;
    for (const { id, cite } of cites) {
      const states = anchors.get(id) ?? new Map<string, Anchor>();
      anchors.set(id, states.set(citeText(cite), judgeCite(cite, lines)));
    }
  }
  return anchors;
}

interface Cited {
  readonly id: string;
  readonly cite: Cite;
}

/** A commit alone is nowhere to be looked at. */
function citesByPath(
  memories: readonly Pick<Memory, 'id' | 'cites'>[],
): ReadonlyMap<string, readonly Cited[]> {
  const byPath = new Map<string, Cited[]>();
  for (const { id, cites = [] } of memories) {
    for (const cite of cites) {
      if (cite.path === undefined) continue;
      const known = byPath.get(cite.path);
      if (known) known.push({ id, cite });
      else byPath.set(cite.path, [{ id, cite }]);
    }
  }
  return byPath;
}
