import { decideRelate } from '../domain/decide/relate.ts';
import type { RelationsResult } from '../domain/graph/results.ts';
import type { RelateOptions } from '../domain/inputs.ts';
import { relateOptions } from '../domain/options.ts';
import { toIso } from '../domain/time.ts';
import type { Deps } from '../ports/deps.ts';
import { currentView } from '../ports/scope.ts';
import { parseClean } from '../domain/parse-clean.ts';
import { successorsOf } from './successors.ts';

/** Adds one typed edge; both ends must be there and visible. */
export async function relate(options: RelateOptions, deps: Deps): Promise<RelationsResult> {
  const { fields } = parseClean(relateOptions, options, 'relate', deps.secrets);
  const { source, type, target, confidence } = fields;
  const view = await currentView(deps);
  const context = { view, isolated: deps.engine.isolated, now: toIso(deps.clock.nowMs()) };
  const request = { source, type, target, confidence: confidence ?? 1 };
  const successors = await successorsOf([target], view, deps.engine);
  const { result } = await deps.engine.commit(
    { ids: [source, target, ...successors], contentKeys: [], actor: deps.scope.actor },
    (state) => decideRelate(state, request, context),
  );
  return { relations: result };
}
