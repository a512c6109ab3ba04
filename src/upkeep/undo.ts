import type { SkippedStep, Step } from '../domain/decide/steps.ts';
import { LociError, quote } from '../domain/errors.ts';
import { isMemoryEvent, type LogEvent, type MemoryEvent } from '../domain/event.ts';
import type { Memory, StoredMemory } from '../domain/memory.ts';
import { parseInput } from '../domain/parse.ts';
import { bySubject, stateBefore, twinsById, type RunRecord } from '../domain/run.ts';
import type { UndoOptions } from '../domain/upkeep-inputs.ts';
import { undoOptions } from '../domain/upkeep-options.ts';
import type { UndoResult } from '../domain/upkeep-results.ts';
import type { Deps } from '../ports/deps.ts';
import { confinedView } from '../ports/scope.ts';
import { carryOut, NOTHING_DONE } from './carry-out.ts';
import { runResult } from './run-plan.ts';
import { eventsOfRun, runRecords } from './runs.ts';

/**
 * Takes a run of upkeep back, or one of its changes, as a run of its own: each memory becomes what
 * it was before. One that has changed since is named and left alone; one that the run made is
 * archived.
 * @throws LociError not_found; conflict when the log does not reach back that far
 */
export async function undo(options: UndoOptions, deps: Deps): Promise<UndoResult> {
  const { ref, dryRun = false } = parseInput(undoOptions, options, 'undo');
  const { events, record, undoes } = await whatToUndo(ref.toUpperCase(), deps);
  const subjects = bySubject(events);
  const stored = await deps.engine.get([...subjects.keys()], await confinedView(deps));
  const current = new Map(stored.map((one) => [one.memory.id, one]));
  const twinsOf = twinsById(record.twins);
  const steps: Step[] = [];
  const skipped: SkippedStep[] = [];
  for (const [id, own] of subjects) {
    const history = (await deps.engine.history(id)).filter(isMemoryEvent);
    const after = restored(own, history, record);
    const obstacle = obstacleTo(own, history, current.get(id));
    if (obstacle !== undefined) skipped.push({ id, rule: 'undo', reason: obstacle });
    else steps.push(undoStep(own, current.get(id) as StoredMemory, after, record, twinsOf(id)));
  }
  const details = { undoes, of: record.id };
  const done = dryRun
    ? { ...NOTHING_DONE, applied: steps }
    : await carryOut('undo', steps, deps, details);
  return { undoes, ...runResult({ ...done, skipped: [...skipped, ...done.skipped] }, dryRun) };
}

interface ToUndo {
  readonly events: readonly MemoryEvent[];
  readonly record: RunRecord;
  readonly undoes: string;
}

async function whatToUndo(undoes: string, deps: Deps): Promise<ToUndo> {
  const records = await runRecords(deps);
  const events = await eventsOfRun(undoes, deps);
  const whole = records.find(({ id }) => id === undoes);
  if (whole) {
    const changes = (await deps.engine.eventsNamed(undoes)).filter(isChangeOfMemory);
    if (changes.length < whole.applied) throw compacted(whole);
    return { events, record: whole, undoes };
  }
  const record = records.find(({ id }) => id === events[0]?.run);
  if (record) return { events, record, undoes };
  throw new LociError(
    'not_found',
    `there is no run ${quote(undoes)}, and no change of a run with this id`,
    'List the runs of this project with: loci runs. What people changed is changed back by them.',
  );
}

/** Also one whose content was purged. */
function isChangeOfMemory({ kind }: LogEvent): boolean {
  return kind.startsWith('memory.');
}

/** The memory as it was before a run changed it. */
function restored(
  own: readonly MemoryEvent[],
  history: readonly MemoryEvent[],
  record: RunRecord,
): Memory {
  const [first, last] = [own[0] as MemoryEvent, own.at(-1) as MemoryEvent];
  const before = stateBefore(first, history);
  if (before.kind === 'lost') throw compacted(record);
  if (before.kind === 'known') return before.memory;
  const reason = `taken back: run ${record.id} had made it`;
  return { ...last.data, status: 'archived', status_reason: reason };
}

function compacted({ id, at }: RunRecord): LociError {
  return new LociError(
    'conflict',
    `run ${id} cannot be taken back: history before ${at} was compacted`,
    'Look at what it changed, as far as it is known, with: loci runs ID.',
  );
}

/** Why a memory is left alone. */
function obstacleTo(
  own: readonly MemoryEvent[],
  history: readonly MemoryEvent[],
  stored: StoredMemory | undefined,
): string | undefined {
  const last = own.at(-1) as MemoryEvent;
  if (!stored) return 'it is not there any more';
  if (stored.heads.length === 1 && stored.heads[0] === last.id) return undefined;
  const newer = history.find(({ id }) => id === stored.heads[0]);
  if (newer?.undoes === last.id) return `run ${newer.run} has taken it back already`;
  return `it was changed since, on ${newer?.at ?? stored.memory.updated_at}`;
}

function undoStep(
  own: readonly MemoryEvent[],
  { memory }: StoredMemory,
  after: Memory,
  { id, verb }: RunRecord,
  twins: ReadonlySet<string>,
): Step {
  const last = own.at(-1) as MemoryEvent;
  return {
    rule: 'undo',
    kind: 'memory.undone',
    reason: `took back ${verb} (run ${id})`,
    before: memory,
    after,
    undoes: last.id,
    twins,
  };
}
