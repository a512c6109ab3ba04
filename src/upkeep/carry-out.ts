import { decideSteps, type Step, type StepsTaken } from '../domain/decide/steps.ts';
import type { StoreRecord } from '../domain/record.ts';
import { toIso } from '../domain/time.ts';
import type { Deps } from '../ports/deps.ts';
import { currentProject } from '../ports/scope.ts';

export interface CarriedOut extends StepsTaken {
  /** Id of the run, by which it is shown and undone; null when nothing was done. */
  readonly run: string | null;
}

/**
 * Takes the steps of a plan as one run: one transaction whose events all bear the run's id, beside
 * a record of what was done. All of it or none is durable; a step whose memory has changed since the
 * plan was made is left out and named.
 * @param details what the record of the run says beside verb, time and counts
 */
export async function carryOut(
  verb: string,
  steps: readonly Step[],
  deps: Deps,
  details: Readonly<Record<string, unknown>> = {},
): Promise<CarriedOut> {
  if (steps.length === 0) return { run: null, applied: [], skipped: [] };
  const { engine, clock, ids, scope } = deps;
  const nowMs = clock.nowMs();
  const run = ids.ulid(nowMs);
  const at = toIso(nowMs);
  const place = {
    project: await currentProject(deps),
    ...(engine.isolated && scope.agent !== undefined ? { agent: scope.agent } : {}),
  };
  const recordOf = ({ applied, skipped }: StepsTaken): StoreRecord => ({
    id: run,
    ...place,
    verb,
    at,
    actor: scope.actor,
    rules: countByRule(applied),
    applied: applied.length,
    skipped: skipped.length,
    ...details,
  });
  const request = {
    ids: steps.map(({ before }) => before.id),
    contentKeys: [],
    actor: scope.actor,
    run,
  };
  const { result } = await engine.commit(request, (state) =>
    decideSteps(state, steps, { isolated: engine.isolated, now: at, recordOf }),
  );
  return { run: result.applied.length > 0 ? run : null, ...result };
}

function countByRule(steps: readonly Step[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { rule } of steps) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return Object.fromEntries(counts);
}
