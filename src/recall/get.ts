import { isMemoryEvent, type LogEvent } from '../domain/event.ts';
import type { StoredMemory } from '../domain/memory.ts';
import type { GetOptions } from '../domain/inputs.ts';
import { getOptions } from '../domain/options.ts';
import { parseInput } from '../domain/parse.ts';
import type { GetResult, GotMemory, HistoryEntry } from '../domain/results.ts';
import type { Deps } from '../ports/deps.ts';
import { currentView } from '../ports/scope.ts';

/** Memories by id, in the order they were asked for. */
export async function get(options: GetOptions, deps: Deps): Promise<GetResult> {
  const { ids, history, relations, allProjects } = parseInput(getOptions, options, 'get');
  const { engine } = deps;
  const view = await currentView(deps, allProjects);
  const found = await engine.get(ids, view);
  const memories: GotMemory[] = [];
  const missing: string[] = [];
  for (const ref of ids) {
    const stored = found.find((candidate) => answersTo(candidate, ref));
    if (!stored) {
      missing.push(ref);
      continue;
    }
    if (memories.some((memory) => memory.id === stored.memory.id)) continue;
    const events = history ? await engine.history(stored.memory.id) : undefined;
    const edges = relations ? await engine.edges([stored.memory.id], view) : undefined;
    memories.push({
      ...stored.memory,
      version: stored.version,
      ...(edges ? { edges } : {}),
      ...(events ? { history: events.map(entryOf) } : {}),
    });
  }
  return { memories, missing };
}

function answersTo({ memory }: StoredMemory, ref: string): boolean {
  return memory.id === ref || memory.id === ref.toUpperCase() || memory.external_ids.includes(ref);
}

function entryOf(event: LogEvent): HistoryEntry {
  return {
    event: event.id,
    at: event.at,
    kind: event.kind,
    actor: event.actor,
    reason: event.reason ?? null,
    memory: isMemoryEvent(event) ? event.data : null,
  };
}
