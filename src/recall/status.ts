import type { StatusOptions } from '../domain/inputs.ts';
import { statusOptions } from '../domain/options.ts';
import { parseInput } from '../domain/parse.ts';
import { fingerprintOf } from '../domain/embedding.ts';
import type { EmbeddingStatus, StatusResult } from '../domain/results.ts';
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
    embeddings: await embeddingsOf(deps, stats.total),
    index: stats.index,
    log: { events: stats.events, position: stats.position },
    findings: await engine.findings(),
    version,
  };
}

/** Asks nobody outside: a model that has not embedded yet has no dimensions to show. */
async function embeddingsOf(
  { engine, embedders = [] }: Deps,
  total: number,
): Promise<StatusResult['embeddings']> {
  const kept = await engine.vectorModels();
  const models: EmbeddingStatus[] = [];
  for (const { provider, model } of embedders) {
    const known = kept.findLast((one) => one.provider === provider && one.model === model);
    const counts = known
      ? await engine.vectorCounts(fingerprintOf(known))
      : { stored: 0, pending: total };
    models.push({ model: `${provider}:${model}`, dims: known?.dimensions ?? null, ...counts });
  }
  const last = models.at(-1) ?? { model: null, dims: null, stored: 0, pending: 0 };
  return { ...last, models };
}
