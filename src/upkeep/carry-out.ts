import type { Change } from '../domain/change.ts';
import { decideSteps, singleSteps, type Step, type StepsTaken } from '../domain/decide/steps.ts';
import { contentKeyOf } from '../domain/identity.ts';
import type { StoreRecord } from '../domain/record.ts';
import type { RunRecord } from '../domain/run.ts';
import { toIso } from '../domain/time.ts';
import type { Deps } from '../ports/deps.ts';
import { currentProject } from '../ports/scope.ts';

export interface CarriedOut extends StepsTaken {
  /** Id of the run, by which it is shown and undone; null when nothing was done. */
  readonly run: string | null;
  /** How many events it put on the log. */
  readonly events: number;
}

export const NOTHING_DONE: CarriedOut = {
  run: null,
  events: 0,
  applied: [],
  skipped: [],
  twins: {},
};

/**
 * Takes the steps of a plan as one run: one transaction whose events all bear the run's id, beside
 * a record of what was done. All of it or none is durable; a step whose memory has changed since the
 * plan was made is left out and named.
 * @param details what the record of the run says beside verb, time and counts
 * @param besides records that change together with the memories
 */
export async function carryOut(
  verb: string,
  steps: readonly Step[],
  deps: Deps,
  details: Partial<RunRecord> = {},
  besides?: (taken: StepsTaken) => readonly Change[],
): Promise<CarriedOut> {
  if (steps.length === 0) return NOTHING_DONE;
  const { engine, clock, ids, scope } = deps;
  const nowMs = clock.nowMs();
  const run = ids.ulid(nowMs);
  const at = toIso(nowMs);
  const place = await placeOfRecords(deps);
  const recordOf = ({ applied, skipped, twins }: StepsTaken): RunRecord => ({
    ...details,
    id: run,
    ...place,
    verb,
    at,
    actor: scope.actor,
    rules: countByRule(applied),
    applied: applied.length,
    memories: new Set(applied.map(({ before }) => before.id)).size,
    skipped: skipped.length,
    ...(Object.keys(twins).length > 0 ? { twins } : {}),
  });
  const single = singleSteps(steps);
  const request = {
    ids: single.map(({ before }) => before.id),
    contentKeys: single
      .filter(({ before, after }) => before.body !== after.body)
      .map(({ after }) => contentKeyOf(after, engine.isolated)),
    actor: scope.actor,
    run,
  };
  const { result, events } = await engine.commit(request, (state) =>
    decideSteps(state, steps, {
      isolated: engine.isolated,
      now: at,
      recordOf,
      ...(besides ? { besides } : {}),
    }),
  );
  return { run: result.applied.length > 0 ? run : null, events: events.length, ...result };
}

/** Whose the records of a caller's upkeep are. */
export async function placeOfRecords(deps: Deps): Promise<Pick<StoreRecord, 'project' | 'agent'>> {
  const { engine, scope } = deps;
  return {
    project: await currentProject(deps),
    ...(engine.isolated && scope.agent !== undefined ? { agent: scope.agent } : {}),
  };
}

function countByRule(steps: readonly Step[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { rule } of steps) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return Object.fromEntries(counts);
}
