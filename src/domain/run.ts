import type { LogEvent, MemoryEvent } from './event.ts';
import { foldSubject } from './evolve.ts';
import type { Memory } from './memory.ts';
import type { StoreRecord } from './record.ts';

/** What the log keeps of a run of upkeep; its changes are the events that bear its id. */
export interface RunRecord extends StoreRecord {
  readonly verb: string;
  readonly at: string;
  readonly actor: string;
  /** Changes by the rule that asked for them. */
  readonly rules: Readonly<Record<string, number>>;
  /** Changes that were made, and how many memories they changed. */
  readonly applied: number;
  readonly memories: number;
  readonly skipped: number;
  /** What it takes back: the id of a run, or of one event. */
  readonly undoes?: string;
  /** The run that this belongs to. */
  readonly of?: string;
  /** Beside which memories of the same text may those come back that it took out of life. */
  readonly twins?: Twins;
}

/**
 * Memories that held one text at once, under a number, or all others under the id of one. Rules do not
 * let that happen, but hand-made files and merged logs do, and it may be so again.
 */
export type Twins = Readonly<Record<string, readonly string[]>>;

/** By id of a memory: the memories that held its text beside it. */
export function twinsById(twins: Twins = {}): (id: string) => ReadonlySet<string> {
  const groups = new Map<string, Set<string>>();
  for (const [first, ids] of Object.entries(twins)) {
    const group = new Set([first, ...ids]);
    for (const id of group) groups.set(id, group);
  }
  return (id) => groups.get(id) ?? new Set();
}

/** In how many memories each run is taken back at present, by its id. */
export function takenBack(runs: readonly RunRecord[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  // Later runs first: how much of an undo still stands must be known before it counts.
  for (const { id, of, memories } of [...runs].sort((a, b) => (a.id < b.id ? 1 : -1))) {
    if (of === undefined) continue;
    const standing = memories - (counts.get(id) ?? 0);
    counts.set(of, (counts.get(of) ?? 0) + standing);
  }
  return counts;
}

/** What a memory was before an event of its history. */
export type Before =
  | { readonly kind: 'known'; readonly memory: Memory }
  /** The event made it. */
  | { readonly kind: 'none' }
  /** What it builds on is not in the log any more. */
  | { readonly kind: 'lost' };

/** @param history all events of its subject that the log holds */
export function stateBefore(event: MemoryEvent, history: readonly MemoryEvent[]): Before {
  if (event.base.length === 0) return { kind: 'none' };
  const byId = new Map(history.map((one) => [one.id, one]));
  if (event.base.some((id) => !byId.has(id))) return { kind: 'lost' };
  const seen = new Map<string, MemoryEvent>();
  const queue = [...event.base];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const one = byId.get(id);
    if (!one || seen.has(id)) continue;
    seen.set(id, one);
    queue.push(...one.base);
  }
  const { stored } = foldSubject([...seen.values()]) as { stored: { memory: Memory } };
  return { kind: 'known', memory: stored.memory };
}

/** The events of a run by the memory they change, in the order of its log. */
export function bySubject(events: readonly MemoryEvent[]): ReadonlyMap<string, MemoryEvent[]> {
  const subjects = new Map<string, MemoryEvent[]>();
  for (const event of events) {
    const known = subjects.get(event.subject);
    if (known) known.push(event);
    else subjects.set(event.subject, [event]);
  }
  return subjects;
}

/** Whether an event belongs to the same act as another: the same run, or it is the same event. */
export function inSameRun(a: LogEvent, b: LogEvent): boolean {
  return a.id === b.id || (a.run !== undefined && a.run === b.run);
}
