import type { StatusOptions } from '../domain/inputs.ts';
import { statusOptions } from '../domain/options.ts';
import { parseInput } from '../domain/parse.ts';
import type { StatusResult } from '../domain/results.ts';
import type { Deps } from '../ports/deps.ts';
import { currentProject, currentView } from '../ports/scope.ts';

/** What is in the store, as far as the caller sees it, and in what state its parts are. */
export async function status(options: StatusOptions, deps: Deps): Promise<StatusResult> {
  const { allProjects } = parseInput(statusOptions, options, 'status');
  const { engine, version } = deps;
  const stats = await engine.stats(await currentView(deps, allProjects));
  return {
    store: engine.location,
    engine: engine.kind,
    project: await currentProject(deps),
    memories: {
      total: stats.total,
      by_type: stats.byType,
      by_tier: stats.byTier,
      by_status: stats.byStatus,
      by_project: stats.byProject,
    },
    tags: stats.tags,
    embeddings: { model: null, dims: null, stored: 0, pending: 0 },
    index: stats.index,
    log: { events: stats.events, position: stats.position },
    findings: await engine.findings(),
    version,
  };
}
