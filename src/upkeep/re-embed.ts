import { fingerprintOf } from '../domain/embedding.ts';
import { LociError } from '../domain/errors.ts';
import type { ReEmbedResult } from '../domain/results.ts';
import type { Deps } from '../ports/deps.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Progress } from '../ports/log-life.ts';
import { embedPending } from './embed-pending.ts';

export interface ReEmbedOptions {
  /** Forget the vectors of models that are not configured any more. Default false. */
  readonly dropOthers?: boolean | undefined;
  readonly progress?: Progress | undefined;
}

/**
 * Embeds every memory of the store that has no vectors of the configured models. What is done stays:
 * stopped halfway, it goes on from there.
 * @throws LociError unavailable when an embedder cannot be had
 */
export async function reEmbed(
  { dropOthers = false, progress }: ReEmbedOptions,
  deps: Deps,
): Promise<ReEmbedResult> {
  const { engine } = deps;
  const embedders = requireEmbedders(deps);
  const models: ReEmbedResult['models'][number][] = [];
  const current: string[] = [];
  for (const embedder of embedders) {
    const fingerprint = fingerprintOf(await embedder.describe());
    const before = await engine.vectorCounts(fingerprint);
    const report = await embedPending(embedder, engine, {
      progress: (done) => progress?.(done, before.pending),
    });
    const { stored, pending } = await engine.vectorCounts(fingerprint);
    current.push(fingerprint);
    models.push({
      model: `${embedder.provider}:${embedder.model}`,
      dims: report.model.dimensions,
      embedded: report.embedded,
      failed: report.failed,
      stored,
      pending,
    });
  }
  const others = (await engine.vectorModels()).filter(
    (model) => !current.includes(fingerprintOf(model)),
  );
  if (dropOthers) await engine.dropVectors(others.map(fingerprintOf));
  const names = others.map(({ provider, model }) => `${provider}:${model}`);
  return { models, ...(dropOthers ? { dropped: names, kept: [] } : { dropped: [], kept: names }) };
}

/** @throws LociError unavailable when there is none */
export function requireEmbedders({ embedders = [] }: Deps): readonly Embedder[] {
  if (embedders.length > 0) return embedders;
  throw new LociError('unavailable', 'no embedder is configured', 'Set LOCI_EMBEDDER.');
}
