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
import { seenOnly, type SeenOnly } from '../ports/seen-only.ts';
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
  const answers: { readonly stored: StoredMemory; readonly events: readonly LogEvent[] }[] = [];
  const missing: string[] = [];
  for (const ref of ids) {
    const known = answerTo(ref, found);
    if (known && answers.some(({ stored }) => stored.memory.id === known.memory.id)) continue;
    const wantsEvents = known !== undefined && (history || asOfMs !== undefined);
    const all = wantsEvents ? await engine.history(known.memory.id) : [];
    const events = asOfMs === undefined ? all : eventsInForce(all, asOfMs);
    const stored = asOfMs === undefined ? known : versionInForce(known, events, asOfMs);
    if (!stored) {
      missing.push(ref);
      continue;
    }
    answers.push({ stored, events });
  }
  const told = answers.flatMap(({ stored, events }) => [
    stored.memory,
    ...(history ? events.filter(isMemoryEvent).map(({ data }) => data) : []),
  ]);
  const seen = await seenOnly(told, view, engine);
  const memories: GotMemory[] = [];
  for (const { stored, events } of answers) {
    const edges = relations ? await engine.edges([stored.memory.id], view) : undefined;
    memories.push({
      ...seen.memory(stored.memory),
      version: stored.version,
      ...(edges ? { edges } : {}),
      ...(history ? { history: events.map((event) => entryOf(event, seen)) } : {}),
    });
  }
  // What the code says today says nothing about then.
  const anchors = await lookAtCode(window ? [] : memories, present);
  const shown = memories.map((memory) => ({ ...memory, ...citesShown(memory, anchors) }));
  return { memories: shown, missing, ...(window ? { window } : {}) };
}

/** By its own id, before one that another system, or a copy, knows by it. */
function answerTo(ref: string, found: readonly StoredMemory[]): StoredMemory | undefined {
  return (
    found.find(({ memory }) => memory.id === ref || memory.id === ref.toUpperCase()) ??
    found.find(({ memory }) => memory.external_ids.includes(ref))
  );
}

function entryOf(event: LogEvent, seen: SeenOnly): HistoryEntry {
  return {
    event: event.id,
    at: event.at,
    kind: event.kind,
    actor: event.actor,
    reason: seen.reason(event),
    memory: isMemoryEvent(event) ? seen.memory(event.data) : null,
  };
}
