import { LociError, quote } from '../domain/errors.ts';
import { isMemoryEvent, type MemoryEvent } from '../domain/event.ts';
import { parseInput } from '../domain/parse.ts';
import { stateBefore, takenBack, type RunRecord } from '../domain/run.ts';
import { fieldChanges, fieldsOfNew } from '../domain/upkeep.ts';
import type { RunsOptions } from '../domain/upkeep-inputs.ts';
import { runsOptions } from '../domain/upkeep-options.ts';
import type { RunChange, RunShown, RunsResult } from '../domain/upkeep-results.ts';
import { sees } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import { confinedView, currentView } from '../ports/scope.ts';
import { seenOnly } from '../ports/seen-only.ts';

const DEFAULT_LIMIT = 20;

/** Runs of upkeep in the current project, newest first; of one that is asked for all changes. */
export async function runs(options: RunsOptions, deps: Deps): Promise<RunsResult> {
  const { run, limit = DEFAULT_LIMIT } = parseInput(runsOptions, options, 'runs');
  const records = await runRecords(deps);
  const undone = takenBack(records);
  const show = (record: RunRecord): RunShown => ({
    id: record.id,
    verb: record.verb,
    at: record.at,
    actor: record.actor,
    project: record.project,
    agent: record.agent ?? null,
    applied: record.applied,
    memories: record.memories,
    skipped: record.skipped,
    rules: record.rules,
    undoes: record.undoes ?? null,
    undone: undone.get(record.id) ?? 0,
  });
  if (run === undefined) {
    const newest = [...records].reverse().slice(0, limit);
    return { runs: newest.map(show), total: records.length };
  }
  const record = records.find(({ id }) => id === run.toUpperCase());
  if (!record) {
    throw new LociError('not_found', `there is no run ${quote(run)}`, 'List them with: loci runs');
  }
  return { runs: [show(record)], total: 1, changes: await changesOfRun(record.id, deps) };
}

/** Records of the runs of the caller's project, oldest first. */
export async function runRecords(deps: Deps): Promise<readonly RunRecord[]> {
  return (await deps.engine.records('run', await confinedView(deps))) as readonly RunRecord[];
}

/** The changes of memories that a run made, or the one of an event, as far as the caller sees them. */
export async function eventsOfRun(ref: string, deps: Deps): Promise<readonly MemoryEvent[]> {
  const view = await confinedView(deps);
  const events = await deps.engine.eventsNamed(ref);
  return events.filter(isMemoryEvent).filter((event) => sees(view, event.data));
}

async function changesOfRun(run: string, deps: Deps): Promise<readonly RunChange[]> {
  const view = await currentView(deps);
  const changes: RunChange[] = [];
  for (const event of await eventsOfRun(run, deps)) {
    const history = (await deps.engine.history(event.subject)).filter(isMemoryEvent);
    const before = stateBefore(event, history);
    const { id, subject, kind, data } = event;
    const told = before.kind === 'known' ? [before.memory, data] : [data];
    const seen = await seenOnly(told, view, deps.engine);
    const after = seen.memory(data);
    const fields =
      before.kind === 'known'
        ? fieldChanges(seen.memory(before.memory), after)
        : before.kind === 'none'
          ? fieldsOfNew(after)
          : null;
    changes.push({ event: id, id: subject, kind, reason: seen.reason(event), fields });
  }
  return changes;
}
