import type { RebuildResult, VerifyResult } from '../domain/results.ts';
import type { Deps } from '../ports/deps.ts';
import type { RebuildReport, ReindexOptions } from '../ports/engine.ts';
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

/** Takes up hand edits, then rebuilds everything derived. */
export async function reindex(options: ReindexOptions, { engine }: Deps): Promise<RebuildResult> {
  return resultOf(await engine.reindex(options));
}

function resultOf(report: RebuildReport): RebuildResult {
  const { memories, events, edits, written, stateHash, problems } = report;
  return { memories, events, edits, written, state_hash: stateHash, problems };
}
