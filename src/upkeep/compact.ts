import type { CompactResult } from '../domain/log-verbs.ts';
import type { Deps } from '../ports/deps.ts';

/** Drops history from the log; what is current stays as it is. */
export async function compact({ engine, scope }: Deps): Promise<CompactResult> {
  const { dropped, events, horizon = null, stateHash } = await engine.compact(scope.actor);
  return { dropped, events, horizon, state_hash: stateHash };
}
