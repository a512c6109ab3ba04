import type { RebuildResult, VerifyResult } from '../domain/results.ts';
import type { Deps } from '../ports/deps.ts';
import type { RebuildReport, ReindexOptions } from '../ports/log-life.ts';
import { reEmbed, requireEmbedders } from './re-embed.ts';
import { withoutVectors } from './without-vectors.ts';

/** Checks log, files, index and vectors against each other; changes nothing. */
export async function verify({ engine, embedders = [] }: Deps): Promise<VerifyResult> {
  const { stateHash, logOk, filesOk, indexOk, problems } = await engine.verify();
  return {
    state_hash: stateHash,
    log_ok: logOk,
    files_ok: filesOk,
    index_ok: indexOk,
    problems: [...problems, ...(await withoutVectors(engine, embedders))],
  };
}

export interface ReindexAllOptions extends ReindexOptions {
  /** Embed what has no vectors afterwards, and wait for it. Default false. */
  readonly embed?: boolean | undefined;
}

/**
 * Takes up hand edits, then rebuilds everything derived.
 * @throws LociError unavailable when it shall embed and no embedder can be had
 */
export async function reindex(
  { embed = false, ...options }: ReindexAllOptions,
  deps: Deps,
): Promise<RebuildResult> {
  if (embed) requireEmbedders(deps);
  const result = resultOf(await deps.engine.reindex(options));
  if (!embed) return result;
  const { models } = await reEmbed({ progress: options.progress }, deps);
  return { ...result, embedded: models };
}

function resultOf(report: RebuildReport): RebuildResult {
  const { memories, events, edits, written, stateHash, problems } = report;
  return { memories, events, edits, written, state_hash: stateHash, problems };
}
