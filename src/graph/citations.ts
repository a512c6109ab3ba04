import { ConceptIndex, type Citation } from '../domain/graph/citations.ts';
import type { CitationsOptions } from '../domain/graph/inputs.ts';
import { citationsOptions } from '../domain/graph/options.ts';
import type { CitationsResult, CitedMemory } from '../domain/graph/results.ts';
import { headline } from '../domain/memory.ts';
import { parseInput } from '../domain/parse.ts';
import type { Filter } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import type { Progress } from '../ports/log-life.ts';
import { confinedView, currentView } from '../ports/scope.ts';
import { selectAll } from '../ports/select-all.ts';

const DEFAULT_LIMIT = 20;
const LIVE: Filter = { statuses: ['active', 'draft'] };

/**
 * Notes which memories of the caller's project name others, by title or by the words of an id, and
 * keeps the counts beside the index: `wander` goes by them. Two passes over the texts, no pair is
 * looked at.
 */
export async function citations(
  options: CitationsOptions,
  deps: Deps,
  progress?: Progress,
): Promise<CitationsResult> {
  const { limit = DEFAULT_LIMIT } = parseInput(citationsOptions, options, 'citations');
  const index = new ConceptIndex();
  for await (const { memory } of selectAll(await currentView(deps), LIVE, deps)) index.add(memory);
  const confined = await confinedView(deps);
  const found: Citation[] = [];
  let read = 0;
  for await (const { memory } of selectAll(confined, LIVE, deps)) {
    for (const [target, mentions] of index.citedBy(memory)) {
      found.push({ source: memory.id, target, mentions });
    }
    read += 1;
    if (read % PROGRESS_EVERY === 0) progress?.(read);
  }
  await deps.engine.putCitations(confined, found);
  const shared = index.shared();
  return {
    memories: read,
    names: index.names,
    citations: found.length,
    cited: await mostCited(found, limit, deps),
    shared_names: shared.slice(0, limit),
    shared_total: shared.length,
  };
}

const PROGRESS_EVERY = 500;

/** Most cited first, ties by id. */
async function mostCited(
  found: readonly Citation[],
  limit: number,
  deps: Deps,
): Promise<readonly CitedMemory[]> {
  const sums = new Map<string, { cited_by: number; mentions: number }>();
  for (const { target, mentions } of found) {
    const sum = sums.get(target) ?? { cited_by: 0, mentions: 0 };
    sums.set(target, { cited_by: sum.cited_by + 1, mentions: sum.mentions + mentions });
  }
  const ranked = [...sums]
    .sort(
      ([a, x], [b, y]) => y.cited_by - x.cited_by || y.mentions - x.mentions || (a < b ? -1 : 1),
    )
    .slice(0, limit);
  const ids = ranked.map(([id]) => id);
  const titles = new Map<string, string>();
  for (const { memory } of await deps.engine.get(ids, await currentView(deps))) {
    titles.set(memory.id, headline(memory));
  }
  return ranked.map(([id, sum]) => ({ id, title: titles.get(id) ?? '', ...sum }));
}
