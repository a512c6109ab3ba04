import type { StatusOptions } from '../domain/inputs.ts';
import { statusOptions } from '../domain/options.ts';
import { parseInput } from '../domain/parse.ts';
import { fingerprintOf } from '../domain/embedding.ts';
import { LociError } from '../domain/errors.ts';
import type { AgentStatus, EmbeddingStatus, StatusResult } from '../domain/results.ts';
import type { Filter, View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import type { Engine, Stats } from '../ports/engine.ts';
import { currentProject, currentView } from '../ports/scope.ts';

const DAY_MS = 86_400_000;

/** What is in the store, as far as the caller sees it, and in what state its parts are. */
export async function status(options: StatusOptions, deps: Deps): Promise<StatusResult> {
  const { allProjects, allAgents } = parseInput(statusOptions, options, 'status');
  const { engine, version } = deps;
  const seen = await currentView(deps, allProjects);
  if (allAgents) refuseDrawers(deps);
  const view: View = allAgents ? { ...seen, agents: 'all' } : seen;
  const stats = await engine.stats(view);
  // Of a log that holds more than the caller sees, only its own part is told.
  const { changes } = stats;
  const isAll = changes === stats.events;
  const log = { events: changes, position: isAll ? stats.position : changes };
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
    staleness: await stalenessOf(view, deps),
    ...(allAgents ? { agents: await agentsOf(stats, view, engine) } : {}),
    embeddings: await embeddingsOf(deps, view, stats.total),
    index: stats.index,
    log,
    findings: await engine.findings(),
    version,
  };
}

/** How old living memories are. The engine counts; none of them is read. */
async function stalenessOf(
  view: View,
  { engine, clock }: Deps,
): Promise<StatusResult['staleness']> {
  const nowMs = clock.nowMs();
  const count = async (time: Pick<Filter, 'untilMs' | 'endedByMs'>): Promise<number> => {
    const filter = { statuses: ['active', 'draft'], ...time } as const;
    const page = { view, filter, sort: 'id', descending: false, limit: 1 } as const;
    return (await engine.select(page)).total;
  };
  const over = (days: number): Promise<number> => count({ untilMs: nowMs - days * DAY_MS });
  return {
    over_30_days: await over(30),
    over_90_days: await over(90),
    over_180_days: await over(180),
    ended: await count({ endedByMs: nowMs }),
  };
}

/** The shared drawer has no name, and so stands first. */
async function agentsOf(
  { byAgent }: Stats,
  view: View,
  engine: Engine,
): Promise<readonly AgentStatus[]> {
  const agents: AgentStatus[] = [];
  for (const agent of Object.keys(byAgent).sort()) {
    const { total, byType, byStatus } = await engine.stats({ ...view, agents: [agent] });
    const name = agent === '' ? null : agent;
    agents.push({ agent: name, total, by_type: byType, by_status: byStatus });
  }
  return agents;
}

/** @throws LociError denied for an agent that has a drawer of its own */
function refuseDrawers({ engine, scope }: Deps): void {
  if (!engine.isolated || scope.agent === undefined) return;
  throw new LociError(
    'denied',
    'other drawers are not told of to an agent',
    'Ask without an agent: leave out --agent and LOCI_AGENT.',
  );
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
