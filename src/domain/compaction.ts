import { chainHash, compareEvents, isMemoryEvent, type LogEvent } from './event.ts';
import { headsAmong } from './evolve.ts';
import { recordKindOf } from './record.ts';

/** Subject of the events that say what was dropped from the log. */
export const COMPACTION_SUBJECT = 'log';

/** What a `log.compacted` event says. */
export interface Compaction {
  /** Of each replica the last event that was there, and what the next one names as `prev`. */
  readonly covers: Readonly<Record<string, { readonly rseq: number; readonly prev: string }>>;
  /** The log does not tell any more how things were before this time. */
  readonly horizon: string;
  readonly dropped: number;
}

export interface CompactionPlan {
  /** Events that stay and carry the ids of those they stand for. */
  readonly changed: readonly LogEvent[];
  /** Ids of events that go. */
  readonly dropped: ReadonlySet<string>;
  readonly compaction: Compaction;
}

/**
 * Which events a log can do without: all but the latest of each subject. A memory in dispute keeps
 * its whole history, because the dispute is judged by it. Undefined when there is nothing to drop.
 */
export function planCompaction(events: readonly LogEvent[]): CompactionPlan | undefined {
  const subjects = new Map<string, LogEvent[]>();
  for (const event of events) {
    const history = subjects.get(event.subject);
    if (history) history.push(event);
    else subjects.set(event.subject, [event]);
  }
  const changed: LogEvent[] = [];
  const dropped = new Set<string>();
  let horizon = horizonOf(events) ?? '';
  for (const [subject, history] of subjects) {
    const kept = history.length > 1 ? latestOf(subject, history) : undefined;
    if (!kept) continue;
    const folds = new Set(history.flatMap((event) => [event.id, ...(event.folds ?? [])]));
    folds.delete(kept.id);
    changed.push({ ...kept, folds: [...folds] });
    for (const { id } of history) if (id !== kept.id) dropped.add(id);
    if (kept.at > horizon) horizon = kept.at;
  }
  if (dropped.size === 0) return undefined;
  for (const { id, kind } of events) if (kind === 'log.compacted') dropped.add(id);
  return {
    changed,
    dropped,
    compaction: { covers: tipsOf(events), horizon, dropped: dropped.size },
  };
}

/** The one event of a subject that says all that holds of it; undefined when there is none. */
function latestOf(subject: string, history: readonly LogEvent[]): LogEvent | undefined {
  if (subject === COMPACTION_SUBJECT) return undefined;
  const ordered = [...history].sort(compareEvents);
  const tombstone = ordered.findLast(({ kind }) => kind === 'memory.purged');
  if (tombstone) return tombstone;
  if (ordered.every(isMemoryEvent)) {
    const heads = headsAmong(ordered);
    return heads.length === 1 ? heads[0] : undefined;
  }
  return ordered.every(isSnapshot) ? ordered.at(-1) : undefined;
}

function isSnapshot(event: LogEvent): boolean {
  return event.kind === 'project.named' || recordKindOf(event) !== undefined;
}

function tipsOf(events: readonly LogEvent[]): Compaction['covers'] {
  const covers = new Map(Object.entries(coversOf(events)));
  for (const event of events) {
    const { replica, rseq } = event;
    if ((covers.get(replica)?.rseq ?? 0) < rseq) {
      covers.set(replica, { rseq, prev: chainHash(event) });
    }
  }
  return Object.fromEntries(covers);
}

/** How far the chain of each replica may have gaps, because events of it were dropped. */
export function coversOf(events: Iterable<LogEvent>): Compaction['covers'] {
  const covers: Record<string, { rseq: number; prev: string }> = {};
  for (const { covers: more } of compactionsAmong(events)) {
    for (const [replica, tip] of Object.entries(more)) {
      if ((covers[replica]?.rseq ?? 0) < tip.rseq) covers[replica] = tip;
    }
  }
  return covers;
}

/** The time from which on the log tells all; undefined when it always did. */
export function horizonOf(events: Iterable<LogEvent>): string | undefined {
  const horizons = compactionsAmong(events).map(({ horizon }) => horizon);
  return horizons.sort().at(-1);
}

function compactionsAmong(events: Iterable<LogEvent>): Compaction[] {
  return [...events]
    .filter(({ kind }) => kind === 'log.compacted')
    .map(({ data }) => data as Compaction);
}
