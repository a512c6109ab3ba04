import { canonicalJson } from '../canonical.ts';
import type { Change, CommitState, Decision } from '../change.ts';
import { asLociError, LociError } from '../errors.ts';
import type { MemoryEventKind } from '../event.ts';
import { isLive } from '../lifecycle.ts';
import type { Memory } from '../memory.ts';
import { recordSubject, type StoreRecord } from '../record.ts';
import type { Twins } from '../run.ts';
import { Working } from './working.ts';

/** One change of one memory that upkeep planned from what it read. */
export interface Step {
  /** The rule that asks for it: expire, deduplicate, promote … */
  readonly rule: string;
  readonly kind: MemoryEventKind;
  readonly reason: string;
  /** As it was read, or as an earlier step of the same plan leaves it. */
  readonly before: Memory;
  readonly after: Memory;
  /** The event that it takes back. */
  readonly undoes?: string;
  /** Changes of other memories that belong to it: all of them are made, or none. */
  readonly with?: readonly Step[];
  /** Ids of memories that may hold the same text beside it. */
  readonly twins?: ReadonlySet<string>;
}

export interface SkippedStep {
  readonly id: string;
  readonly rule: string;
  readonly reason: string;
}

export interface StepsTaken {
  /** One by one, with those that belong to others after them. */
  readonly applied: readonly Step[];
  readonly skipped: readonly SkippedStep[];
  /** Of memories whose text is not live any more; see `Twins`. */
  readonly twins: Twins;
}

/** A plan's changes one by one. */
export function singleSteps(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => [step, ...(step.with ?? [])]);
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
    /** What else becomes part of the transaction, once something is done. */
    readonly besides?: (taken: StepsTaken) => readonly Change[];
  },
): Decision<StepsTaken> {
  const working = new Working(state, context.isolated);
  const planned = new Map<string, Memory>();
  const applied: Step[] = [];
  const skipped: SkippedStep[] = [];
  const twins: Record<string, readonly string[]> = {};
  let groups = 0;
  const seen = new Set<string>();
  for (const step of steps) {
    working.begin();
    try {
      const whole = singleSteps([step]);
      for (const one of whole) take(working, state, planned, one, context.now);
      applied.push(...whole);
      for (const { before, after } of whole) {
        planned.set(after.id, after);
        const key = working.key(before);
        if (!givesUpText(before, after) || seen.has(key)) continue;
        seen.add(key);
        const holders = holdersOf(key, state);
        if (holders.length > 1) twins[groups++] = holders;
      }
    } catch (thrown) {
      working.rollBack();
      const error = asLociError(thrown);
      if (error.code === 'internal') throw error;
      skipped.push({ id: step.before.id, rule: step.rule, reason: error.message });
    }
  }
  const taken = { applied, skipped, twins };
  const record = applied.length > 0 ? context.recordOf(taken) : undefined;
  if (!record) return { changes: working.changes, result: taken };
  const subject = recordSubject('run', record.id);
  const besides = context.besides?.(taken) ?? [];
  return {
    changes: [...working.changes, ...besides, { kind: 'run.recorded', subject, data: record }],
    result: taken,
  };
}

/** @throws LociError conflict when the memory is not as the plan saw it, or its text is taken */
function take(
  working: Working,
  state: CommitState,
  planned: ReadonlyMap<string, Memory>,
  { kind, reason, before, after, undoes, twins }: Step,
  now: string,
): void {
  const { id } = before;
  if (state.conflictSubject(id) !== undefined) {
    throw new LociError('conflict', `${id} is derived from concurrent edits`);
  }
  // What this plan has changed bears the time of the change, which the plan did not know.
  const current = planned.get(id) ?? working.get(id);
  if (!current || canonicalJson(current) !== canonicalJson(before)) {
    throw new LociError('conflict', `${id} was changed meanwhile`);
  }
  const data = { ...after, updated_at: now };
  // A text that is there twice already is not made so by what leaves it alone.
  if (!isLive(before.status) || before.body !== data.body) working.requireFreeContent(data, twins);
  if (before.body !== data.body) working.requireUnrejected(data);
  const taken = undoes === undefined ? {} : { undoes };
  working.put({ kind, subject: id, data, reason, ...taken });
}

function givesUpText(before: Memory, after: Memory): boolean {
  return isLive(before.status) && !(isLive(after.status) && before.body === after.body);
}

/** The living memories that held a text before anything was done, by id. */
function holdersOf(key: string, state: CommitState): readonly string[] {
  return state
    .byContent(key)
    .map(({ memory }) => memory)
    .filter(({ status }) => isLive(status))
    .map(({ id }) => id)
    .sort();
}
