import type { SkippedStep } from '../../domain/decide/steps.ts';
import type { Conflict } from '../../domain/conflict.ts';
import { endsAtMs, startsAtMs, type Memory } from '../../domain/memory.ts';
import type { View } from '../../domain/view.ts';
import type { Deps } from '../../ports/deps.ts';
import type { Head } from '../../ports/engine.ts';

/** Grows with every change of what `reflect` looks for: what an older program saw is not enough then. */
const RULES = 1;

/** What a reflection that saw everything found out; it holds until something happens. */
export interface Seen {
  readonly conflicts: readonly Conflict[];
  readonly conflicts_total: number;
  readonly skipped: readonly SkippedStep[];
}

interface Mark {
  readonly rules: number;
  /** The log as it was: a log that was folded anew or joined has another epoch or position. */
  readonly epoch: string;
  readonly position: number;
  /** When the next memory ends or begins to hold, milliseconds; null = none does. */
  readonly dueMs: number | null;
  readonly seen: Seen;
}

/** What the last reflection saw, if nothing has happened since: no event, and no time that is over. */
export async function stillSeen(
  view: View,
  { engine, clock }: Pick<Deps, 'engine' | 'clock'>,
): Promise<Seen | undefined> {
  const text = await engine.note(nameOf(view));
  if (text === undefined) return undefined;
  const mark = JSON.parse(text) as Mark;
  const { epoch, position } = await engine.head();
  const isSame = mark.rules === RULES && mark.epoch === epoch && mark.position === position;
  return isSame && clock.nowMs() < (mark.dueMs ?? Infinity) ? mark.seen : undefined;
}

/** @param ownEvents that this reflection made; with others between them nothing is certain */
export async function noteSeen(
  view: View,
  seen: Seen,
  { begin, ownEvents, live }: { begin: Head; ownEvents: number; live: readonly Memory[] },
  { engine, clock }: Pick<Deps, 'engine' | 'clock'>,
): Promise<void> {
  const { epoch, position } = await engine.head();
  if (epoch !== begin.epoch || position !== begin.position + ownEvents) return;
  const dueMs = nextTurnMs(live, clock.nowMs());
  const mark: Mark = {
    rules: RULES,
    epoch,
    position,
    dueMs: dueMs === Infinity ? null : dueMs,
    seen,
  };
  await engine.putNote(nameOf(view), JSON.stringify(mark));
}

function nextTurnMs(live: readonly Memory[], nowMs: number): number {
  let next = Infinity;
  for (const memory of live) {
    for (const turnMs of [startsAtMs(memory), endsAtMs(memory)]) {
      if (turnMs > nowMs && turnMs < next) next = turnMs;
    }
  }
  return next;
}

function nameOf({ projects, agents }: View): string {
  return `reflect ${JSON.stringify([projects, agents])}`;
}
