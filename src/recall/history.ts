import { compareEvents, isMemoryEvent } from '../domain/event.ts';
import { historyOptions } from '../domain/log-options.ts';
import type { HistoryResult } from '../domain/log-verbs.ts';
import type { Memory } from '../domain/memory.ts';
import { parseInput } from '../domain/parse.ts';
import { fieldChanges } from '../domain/upkeep.ts';
import type { Deps } from '../ports/deps.ts';
import { currentView } from '../ports/scope.ts';
import { seenOnly } from '../ports/seen-only.ts';
import { requireMemory } from './require-memory.ts';

/** What happened to a memory: each event with the fields that it changed, oldest first. */
export async function history(options: { id: string }, deps: Deps): Promise<HistoryResult> {
  const { id: ref } = parseInput(historyOptions, options, 'history');
  const { id } = (await requireMemory(ref, deps)).memory;
  const events = (await deps.engine.history(id)).filter(isMemoryEvent).sort(compareEvents);
  const byId = new Map(events.map((event) => [event.id, event.data]));
  const view = await currentView(deps);
  const seen = await seenOnly(
    events.map(({ data }) => data),
    view,
    deps.engine,
  );
  const { horizon = null } = await deps.engine.head();
  return {
    id,
    horizon,
    events: events.map((event) => ({
      event: event.id,
      at: event.at,
      kind: event.kind,
      actor: event.actor,
      reason: seen.reason(event),
      run: event.run ?? null,
      fields: fieldNames(byId.get(event.base.at(-1) ?? ''), event.data),
    })),
  };
}

function fieldNames(before: Memory | undefined, after: Memory): readonly string[] {
  if (before) return fieldChanges(before, after).map(({ field }) => field);
  return Object.keys(after).sort();
}
