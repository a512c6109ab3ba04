import { canonicalJson } from '../canonical.ts';
import type { CommitState, Decision } from '../change.ts';
import { asLociError } from '../errors.ts';
import type { MemoryEventKind } from '../event.ts';
import type { Memory } from '../memory.ts';
import { recordSubject, type StoreRecord } from '../record.ts';
import { Working } from './working.ts';

/** One change of one memory that upkeep planned from what it read. */
export interface Step {
  /** The rule that asks for it: expire, deduplicate, promote … */
  readonly rule: string;
  readonly kind: MemoryEventKind;
  readonly reason: string;
  readonly before: Memory;
  readonly after: Memory;
  /** The event that it takes back. */
  readonly undoes?: string;
}

export interface SkippedStep {
  readonly id: string;
  readonly rule: string;
  readonly reason: string;
}

export interface StepsTaken {
  readonly applied: readonly Step[];
  readonly skipped: readonly SkippedStep[];
}

/**
 * Takes the steps of a plan whose memories are still as the plan saw them, one by one; the others
 * are named with the reason and left alone. `recordOf` gives the record of the run, which becomes
 * part of the same transaction; with nothing to do there is none.
 */
export function decideSteps(
  state: CommitState,
  steps: readonly Step[],
  context: {
    readonly isolated: boolean;
    readonly now: string;
    readonly recordOf: (taken: StepsTaken) => StoreRecord | undefined;
  },
): Decision<StepsTaken> {
  const working = new Working(state, context.isolated);
  const applied: Step[] = [];
  const skipped: SkippedStep[] = [];
  for (const step of steps) {
    const { before, rule } = step;
    working.begin();
    try {
      const current = working.get(before.id);
      if (!current || canonicalJson(current) !== canonicalJson(before)) {
        skipped.push({ id: before.id, rule, reason: 'it was changed meanwhile' });
        continue;
      }
      const data = { ...step.after, updated_at: context.now };
      working.requireFreeContent(data);
      const undoes = step.undoes === undefined ? {} : { undoes: step.undoes };
      working.put({ kind: step.kind, subject: before.id, data, reason: step.reason, ...undoes });
      applied.push(step);
    } catch (thrown) {
      working.rollBack();
      const error = asLociError(thrown);
      if (error.code === 'internal') throw error;
      skipped.push({ id: before.id, rule, reason: error.message });
    }
  }
  const taken = { applied, skipped };
  const record = applied.length > 0 ? context.recordOf(taken) : undefined;
  if (!record) return { changes: working.changes, result: taken };
  const subject = recordSubject('run', record.id);
  return {
    changes: [...working.changes, { kind: 'run.recorded', subject, data: record }],
    result: taken,
  };
}
