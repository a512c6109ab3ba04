import type { Step } from '../domain/decide/steps.ts';
import type { StepShown } from '../domain/results.ts';
import { fieldChanges } from '../domain/upkeep.ts';

/** What a run changes or would change, memory by memory. */
export function changesOf(steps: readonly Step[]): readonly StepShown[] {
  return steps.map(({ rule, reason, before, after }) => ({
    id: before.id,
    rule,
    reason,
    fields: fieldChanges(before, after),
  }));
}
