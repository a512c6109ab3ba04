import { isMemoryEvent, type LogEvent } from '../domain/event.ts';
import type { StoredMemory } from '../domain/memory.ts';
import type { GetOptions } from '../domain/inputs.ts';
import { getOptions } from '../domain/options.ts';
import { parseInput } from '../domain/parse.ts';
import type { GetResult, GotMemory, HistoryEntry } from '../domain/results.ts';
import type { Deps } from '../ports/deps.ts';
import { lookAtCode } from '../ports/anchors.ts';
import { currentView } from '../ports/scope.ts';
import { citesShown } from './anchors.ts';
import { timesOf } from './times.ts';
import { eventsInForce, versionInForce } from './versions.ts';

/** Memories by id, in the order they were asked for. */
export async function get(options: GetOptions, present: Deps): Promise<GetResult> {
  const parsed = parseInput(getOptions, options, 'get');
  const { ids, history, relations, allProjects } = parsed;
  const { bounds, window, deps } = await timesOf(parsed, present);
  const { asOfMs } = bounds;
  const { engine } = deps;
  const view = await currentView(present, allProjects);
  const found = await engine.get(ids, view);
  const memories: GotMemory[] = [];
  const missing: string[] = [];
  for (const ref of ids) {
    const known = found.find((candidate) => answersTo(candidate, ref));
    if (known && memories.some((memory) => memory.id === known.memory.id)) continue;
    const wantsEvents = known !== undefined && (history || asOfMs !== undefined);
    const all = wantsEvents ? await engine.history(known.memory.id) : [];
    const events = asOfMs === undefined ? all : eventsInForce(all, asOfMs);
    const stored = asOfMs === undefined ? known : versionInForce(known, events, asOfMs);
    if (!stored) {
      missing.push(ref);
      continue;
    }
    const edges = relations ? await engine.edges([stored.memory.id], view) : undefined;
    memories.push({
      ...stored.memory,
      version: stored.version,
      ...(edges ? { edges } : {}),
      ...(history ? { history: events.map(entryOf) } : {}),
    });
  }
  // What the code says today says nothing about then.
  const anchors = await lookAtCode(window ? [] : memories, present);
  const shown = memories.map((memory) => ({ ...memory, ...citesShown(memory, anchors) }));
  return { memories: shown, missing, ...(window ? { window } : {}) };
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
