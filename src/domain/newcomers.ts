import { isMemoryEvent, type LogEvent } from './event.ts';
import { headsAmong } from './evolve.ts';

/** What a log that others are joined to holds already. */
export interface KnownLog {
  has(id: string): boolean;
  /** Ids of events that were dropped here and live on in what they led to. */
  readonly folded: ReadonlySet<string>;
  /** Its events of one subject. */
  of(subject: string): readonly LogEvent[];
}

/**
 * The events of another log that are new here, each once, in their order. What was dropped here is
 * not new, except of memories that are in dispute after the merge: these are judged by their history.
 */
export function newcomers(known: KnownLog, incoming: readonly LogEvent[]): readonly LogEvent[] {
  const fresh = new Map<string, LogEvent>();
  for (const event of incoming) if (!known.has(event.id)) fresh.set(event.id, event);
  const unknown = [...fresh.values()];
  const coming = unknown.filter(({ id }) => !known.folded.has(id));
  if (coming.length === unknown.length) return unknown;
  const bySubject = new Map<string, LogEvent[]>();
  for (const event of coming.filter(isMemoryEvent)) {
    const events = bySubject.get(event.subject);
    if (events) events.push(event);
    else bySubject.set(event.subject, [event]);
  }
  const disputed = new Set<string>();
  for (const [subject, events] of bySubject) {
    if (headsAmong([...known.of(subject), ...events]).length > 1) disputed.add(subject);
  }
  return unknown.filter(({ id, subject }) => !known.folded.has(id) || disputed.has(subject));
}
