import type { StatusOptions } from '../domain/inputs.ts';
import { statusOptions } from '../domain/options.ts';
import { parseInput } from '../domain/parse.ts';
import { fingerprintOf } from '../domain/embedding.ts';
import type { EmbeddingStatus, StatusResult } from '../domain/results.ts';
import { LociError } from '../domain/errors.ts';
import type { View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import { currentProject, currentView } from '../ports/scope.ts';

type Counts = Readonly<Record<string, number>>;

/** What is in the store, as far as the caller sees it, and in what state its parts are. */
export async function status(options: StatusOptions, deps: Deps): Promise<StatusResult> {
  const { allProjects, allAgents } = parseInput(statusOptions, options, 'status');
  const { engine, version } = deps;
  const view = await currentView(deps, allProjects);
  const stats = await engine.stats(view);
  // Of a log that holds more than the caller sees, only its own part is told.
  const seesAll = view.projects === 'all' && view.agents === 'all';
  const log = seesAll
    ? { events: stats.events, position: stats.position }
    : { events: stats.changes, position: stats.changes };
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
    ...(allAgents ? { agents: await countAgents(view, deps) } : {}),
    embeddings: await embeddingsOf(deps, view, stats.total),
    index: stats.index,
    log,
    findings: await engine.findings(),
    version,
  };
}

/** @throws LociError denied for an agent that has a drawer of its own */
async function countAgents(view: View, { engine, scope }: Deps): Promise<Counts> {
  if (engine.isolated && scope.agent !== undefined) {
    throw new LociError(
      'denied',
      'other drawers are not told of to an agent',
      'Ask without an agent: leave out --agent and LOCI_AGENT.',
    );
  }
  const { byAgent } = await engine.stats({ ...view, agents: 'all' });
  return byAgent;
}

/** Asks nobody outside: a model that has not embedded yet has no dimensions to show. */
async function embeddingsOf(
  { engine, embedders = [] }: Deps,
  view: View,
  total: number,
): Promise<StatusResult['embeddings']> {
  const kept = await engine.vectorModels();
  const models: EmbeddingStatus[] = [];
  for (const { provider, model } of embedders) {
    const known = kept.findLast((one) => one.provider === provider && one.model === model);
    const counts = known
      ? await engine.vectorCounts(fingerprintOf(known), view)
      : { stored: 0, pending: total };
    models.push({ model: `${provider}:${model}`, dims: known?.dimensions ?? null, ...counts });
  }
  const last = models.at(-1) ?? { model: null, dims: null, stored: 0, pending: 0 };
  return { ...last, models };
}
