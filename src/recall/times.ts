import { LociError } from '../domain/errors.ts';
import { requireWithinHorizon } from '../domain/horizon.ts';
import type { TimeWindow } from '../domain/results.ts';
import { stateMs, type TimeExpression } from '../domain/time-expression.ts';
import { toIso } from '../domain/time.ts';
import type { Filter } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import { momentOf } from '../ports/scope.ts';

/** What a read may say about time, as its schema hands it over. */
export interface TimeCriteria {
  readonly since?: TimeExpression | undefined;
  readonly until?: TimeExpression | undefined;
  readonly asOf?: TimeExpression | undefined;
  readonly asRecorded?: TimeExpression | undefined;
  readonly zone?: string | undefined;
}

export interface Times {
  readonly bounds: Pick<Filter, 'sinceMs' | 'untilMs' | 'asOfMs'>;
  /** What was applied, for the answer; absent when no time was asked for. */
  readonly window?: TimeWindow;
  /** Whom to ask: the store and clock of now, or those of `as_recorded`. */
  readonly deps: Deps;
}

/**
 * Makes the times of a question definite. A window runs from the start of `since` to just before
 * the start of `until`; states are those at the end of what is named.
 * @throws LociError invalid_input for a window in which nothing can lie
 */
export async function timesOf(criteria: TimeCriteria, deps: Deps): Promise<Times> {
  const { since, until, asOf, asRecorded } = criteria;
  const moment = momentOf(deps, criteria.zone);
  const bounds = {
    ...(since ? { sinceMs: since(moment).startMs } : {}),
    ...(until ? { untilMs: until(moment).startMs } : {}),
    ...(asOf ? { asOfMs: stateMs(asOf, moment) } : {}),
  };
  const { sinceMs, untilMs, asOfMs } = bounds;
  if (sinceMs !== undefined && untilMs !== undefined && untilMs <= sinceMs) {
    throw new LociError(
      'invalid_input',
      `until is "${toIso(untilMs)}", not after since "${toIso(sinceMs)}"`,
      'A window ends before the start of until: for all of a day, give the next day as until.',
    );
  }
  const recordedMs = asRecorded && stateMs(asRecorded, moment);
  await requireKnown({ as_of: asOfMs, as_recorded: recordedMs }, deps);
  const given = { since: sinceMs, until: untilMs, as_of: asOfMs, as_recorded: recordedMs };
  const times = Object.entries(given).filter((entry): entry is [string, number] => {
    return entry[1] !== undefined;
  });
  const { zone } = moment;
  const window = { ...Object.fromEntries(times.map(([key, ms]) => [key, toIso(ms)])), zone };
  return {
    bounds,
    ...(times.length > 0 ? { window } : {}),
    deps: recordedMs === undefined ? deps : await asRecordedAt(recordedMs, deps),
  };
}

/** What a compacted log does not tell any more is refused: it would have to be guessed. */
async function requireKnown(
  past: Readonly<Record<string, number | undefined>>,
  { engine }: Deps,
): Promise<void> {
  const asked = Object.entries(past).filter((entry): entry is [string, number] => {
    return entry[1] !== undefined;
  });
  if (asked.length === 0) return;
  const { horizon } = await engine.head();
  for (const [what, ms] of asked) requireWithinHorizon(what, ms, horizon);
}

/** The store as it was known then, asked at that time: what expired later had not expired yet. */
async function asRecordedAt(recordedMs: number, deps: Deps): Promise<Deps> {
  const thenMs = Math.min(recordedMs, deps.clock.nowMs());
  const engine = await deps.past(recordedMs);
  // Of what the store knew then no vectors are kept: words find it.
  const { vectors: _vectors, ...rest } = deps;
  return { ...rest, engine, embedders: [], clock: { nowMs: () => thenMs } };
}
