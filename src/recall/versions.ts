import { compareEvents, isMemoryEvent, type LogEvent, type MemoryEvent } from '../domain/event.ts';
import { foldSubject } from '../domain/evolve.ts';
import type { StoredMemory } from '../domain/memory.ts';

/**
 * The changes of one memory that had taken effect at an instant (ms), oldest first: up to the last
 * that had. A memory counts from its `created_at` on and a replacement from the successor's, which
 * may lie before they were written down; any other change counts from then.
 */
export function eventsInForce(events: readonly LogEvent[], instantMs: number): LogEvent[] {
  const ordered = [...events].sort(compareEvents);
  const isFirst = (event: LogEvent): boolean => event === ordered.find(isMemoryEvent);
  const last = ordered.findLastIndex((event) => {
    if (!isMemoryEvent(event)) return false;
    return Date.parse(effectiveFrom(event, isFirst(event))) <= instantMs;
  });
  return ordered.slice(0, last + 1);
}

function effectiveFrom({ at, kind, data }: MemoryEvent, isFirst: boolean): string {
  if (isFirst) return data.created_at;
  return kind === 'memory.superseded' ? (data.superseded_at ?? at) : at;
}

/**
 * A memory as it was when only these changes had happened; undefined when it was not there yet. One
 * without a history of its own, such as a derived conflict, has a single version.
 */
export function versionInForce(
  current: StoredMemory | undefined,
  events: readonly LogEvent[],
  instantMs: number,
): StoredMemory | undefined {
  if (!current) return undefined;
  const version = foldSubject(events.filter(isMemoryEvent))?.stored;
  if (version) return version;
  const isDerived = current.heads.length === 0;
  return isDerived && Date.parse(current.memory.created_at) <= instantMs ? current : undefined;
}
