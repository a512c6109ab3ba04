import { decideUnrelate } from '../domain/decide/unrelate.ts';
import type { UnrelateOptions } from '../domain/graph/inputs.ts';
import { unrelateOptions } from '../domain/graph/options.ts';
import type { UnrelateResult } from '../domain/graph/results.ts';
import { toIso } from '../domain/time.ts';
import type { Deps } from '../ports/deps.ts';
import { currentView } from '../ports/scope.ts';
import { parseClean } from '../domain/parse-clean.ts';

/** Takes one typed edge away; the memories at its ends stay. */
export async function unrelate(options: UnrelateOptions, deps: Deps): Promise<UnrelateResult> {
  const { fields } = parseClean(unrelateOptions, options, 'unrelate');
  const { source, type, target, reason } = fields;
  const view = await currentView(deps);
  const context = { view, isolated: deps.engine.isolated, now: toIso(deps.clock.nowMs()) };
  const request = { source, type, target, ...(reason ? { reason } : {}) };
  const { result } = await deps.engine.commit(
    { ids: [source, target], contentKeys: [], actor: deps.scope.actor },
    (state) => decideUnrelate(state, request, context),
  );
  return { removed: result };
}
