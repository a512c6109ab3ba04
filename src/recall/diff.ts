import { LociError, quote } from '../domain/errors.ts';
import { compareEvents, isMemoryEvent, type MemoryEvent } from '../domain/event.ts';
import { foldSubject } from '../domain/evolve.ts';
import { requireWithinHorizon } from '../domain/horizon.ts';
import { isLive } from '../domain/lifecycle.ts';
import { diffLines } from '../domain/line-diff.ts';
import { diffOptions } from '../domain/log-options.ts';
import type { DiffOptions, DiffResult, MemoryDiff } from '../domain/log-verbs.ts';
import { headline, type Memory } from '../domain/memory.ts';
import { parseInput } from '../domain/parse.ts';
import { parseTime, stateMs, timeHint } from '../domain/time-expression.ts';
import { toIso } from '../domain/time.ts';
import { fieldChanges } from '../domain/upkeep.ts';
import type { View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import type { Engine } from '../ports/engine.ts';
import { currentView, momentOf } from '../ports/scope.ts';
import { seenOnly } from '../ports/seen-only.ts';
import { requireMemory } from './require-memory.ts';

/** Events read at a time. */
const PAGE = 2000;

/**
 * What changed: of one memory between two of its events or two times, or of all that the caller sees
 * since a time.
 * @throws LociError invalid_input, also for a time before the horizon of a compacted log; not_found
 */
export async function diff(options: DiffOptions, deps: Deps): Promise<DiffResult> {
  const { id, from, to, since } = parseInput(diffOptions, options, 'diff');
  if ((id === undefined) === (since === undefined)) {
    throw new LociError(
      'invalid_input',
      id === undefined ? 'diff has neither an id nor since' : 'diff has both an id and since',
      'Give the id of a memory, or --since for the whole store.',
    );
  }
  if (id !== undefined) return diffOne(id, from, to, deps);
  const moment = momentOf(deps);
  return diffStore((since as NonNullable<typeof since>)(moment).startMs, deps);
}

async function diffOne(
  ref: string,
  from: string | undefined,
  to: string | undefined,
  deps: Deps,
): Promise<DiffResult> {
  const { memory: current } = await requireMemory(ref, deps);
  const all = (await deps.engine.history(current.id)).filter(isMemoryEvent).sort(compareEvents);
  const { horizon } = await deps.engine.head();
  const stateAt = (name: string, point: string): Memory | undefined => {
    const event = all.find((candidate) => candidate.id === point);
    return event ? event.data : stateAtTime(all, timeOf(name, point, deps, horizon));
  };
  const after = to === undefined ? current : stateAt('to', to);
  const last = to === undefined ? all.at(-1) : all.find((event) => event.id === to);
  const previous = all.find((event) => event.id === last?.base.at(-1));
  if (from === undefined && !previous && (last?.base.length ?? 0) > 0) {
    requireWithinHorizon('the change before', Date.parse(last?.at ?? '') - 1, horizon);
  }
  const before = from === undefined ? previous?.data : stateAt('from', from);
  const changed = await diffMemory(before, after, await currentView(deps), deps.engine);
  return {
    memories: changed ? [changed] : [],
    from: from ?? previous?.id ?? null,
    to: to ?? last?.id ?? null,
  };
}

function timeOf(name: string, point: string, deps: Deps, horizon: string | undefined): number {
  const expression = parseTime(point);
  if (!expression) {
    throw new LociError(
      'invalid_input',
      `${name} is ${quote(point)}: no event of this memory, and no time`,
      timeHint(point),
    );
  }
  const ms = stateMs(expression, momentOf(deps));
  requireWithinHorizon(name, ms, horizon);
  return ms;
}

function stateAtTime(events: readonly MemoryEvent[], ms: number): Memory | undefined {
  return foldSubject(events.filter(({ at }) => Date.parse(at) <= ms))?.stored.memory;
}

/** Every memory that an event since then is about, as it was and as it is. */
async function diffStore(sinceMs: number, deps: Deps): Promise<DiffResult> {
  const { engine } = deps;
  requireWithinHorizon('since', sinceMs, (await engine.head()).horizon);
  const touched = new Set<string>();
  for (let after = 0; ;) {
    const { events, position } = await engine.feed(after, PAGE);
    for (const event of events.filter(isMemoryEvent)) {
      if (Date.parse(event.at) >= sinceMs) touched.add(event.subject);
    }
    if (events.length < PAGE) break;
    after = position;
  }
  const view = await currentView(deps);
  const memories: MemoryDiff[] = [];
  for (const { memory } of await engine.get([...touched].sort(), view)) {
    const events = (await engine.history(memory.id)).filter(isMemoryEvent);
    const before = stateAtTime(events, sinceMs - 1);
    const changed = await diffMemory(before, memory, view, engine);
    if (changed && changed.change !== 'unchanged') memories.push(changed);
  }
  memories.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { memories, from: toIso(sinceMs), to: null };
}

async function diffMemory(
  was: Memory | undefined,
  is: Memory | undefined,
  view: View,
  engine: Engine,
): Promise<MemoryDiff | undefined> {
  const told = [was, is].filter((memory) => memory !== undefined);
  const seen = await seenOnly(told, view, engine);
  const before = was && seen.memory(was);
  const after = is && seen.memory(is);
  const shown = after ?? before;
  if (!shown) return undefined;
  const nothing = { id: shown.id } as Memory;
  const fields = fieldChanges(before ?? nothing, after ?? nothing);
  const bodies = before && after && before.body !== after.body;
  return {
    id: shown.id,
    change: changeOf(before, after, fields.length),
    title: headline(shown),
    fields,
    ...(bodies ? { lines: diffLines(before.body, after.body) } : {}),
  };
}

function changeOf(
  before: Memory | undefined,
  after: Memory | undefined,
  fields: number,
): MemoryDiff['change'] {
  if (!before) return 'appeared';
  const ended = isLive(before.status) && !(after && isLive(after.status));
  if (ended) return 'ended';
  return fields > 0 ? 'changed' : 'unchanged';
}
