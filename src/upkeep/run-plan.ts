import { singleSteps, type Step } from '../domain/decide/steps.ts';
import type { MemoryEventKind } from '../domain/event.ts';
import type { RunResult } from '../domain/results.ts';
import type { RunRecord } from '../domain/run.ts';
import type { Deps } from '../ports/deps.ts';
import { carryOut, NOTHING_DONE, type CarriedOut } from './carry-out.ts';
import { changesOf } from './steps-shown.ts';
import { withoutTakenBack } from './taken-back.ts';

/**
 * Carries out what a verb of upkeep planned by its rules, or only says what it would do. What
 * somebody took back before is not done again.
 * @param details what the record of the run says beside verb, time and counts
 */
export async function runPlan(
  verb: string,
  plan: readonly Step[],
  dryRun: boolean,
  deps: Deps,
  details: Partial<RunRecord> = {},
): Promise<CarriedOut> {
  const { steps, skipped } = await withoutTakenBack(plan, deps);
  if (dryRun) return { ...NOTHING_DONE, applied: singleSteps(steps), skipped };
  const done = await carryOut(verb, steps, deps, details);
  return { ...done, skipped: [...skipped, ...done.skipped] };
}

/** What every verb of upkeep answers about its run. */
export function runResult({ run, applied, skipped }: CarriedOut, dryRun: boolean): RunResult {
  return { run, dry_run: dryRun, changes: changesOf(applied), skipped };
}

/**
 * Ids of the memories that a rule changed, each once.
 * @param kind only of changes of this kind: a rule may change others beside the one it is about
 */
export function idsOfRule(
  { applied }: CarriedOut,
  rule: string,
  kind?: MemoryEventKind,
): readonly string[] {
  const own = applied.filter((step) => step.rule === rule && (kind ?? step.kind) === step.kind);
  return [...new Set(own.map(({ before }) => before.id))];
}
