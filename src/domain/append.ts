import type { Change } from './change.ts';
import { chainHash, digestOf, EVENT_VERSION, type LogEvent } from './event.ts';

/** How far a replica's own chain of events has come. */
export interface ChainTip {
  readonly replica: string;
  /** Sequence number of its last event; 0 = none. */
  readonly rseq: number;
  /** `chainHash` of its last event; '' = none. */
  readonly prev: string;
  /** Highest hybrid logical clock seen in the log, microseconds. */
  readonly hlc: number;
}

export interface Stamp {
  readonly nowMs: number;
  readonly actor: string;
  /** The run of upkeep that the changes belong to. */
  readonly run?: string | undefined;
  readonly ulid: (nowMs: number) => string;
  readonly salt: () => string;
  /** Heads of a subject as the writer saw them. */
  readonly headsOf: (subject: string) => readonly string[];
}

/**
 * Turns the changes of one decision into the events of one transaction, chained onto the tip.
 * A subject that changes twice builds on its own earlier event.
 */
export function eventsOf(changes: readonly Change[], tip: ChainTip, stamp: Stamp): LogEvent[] {
  const tx = stamp.ulid(stamp.nowMs);
  const at = new Date(stamp.nowMs).toISOString();
  const newHeads = new Map<string, string>();
  const events: LogEvent[] = [];
  let { rseq, prev, hlc } = tip;
  for (const [i, change] of changes.entries()) {
    rseq += 1;
    hlc = Math.max(stamp.nowMs * 1000, hlc + 1);
    const own = newHeads.get(change.subject);
    const salt = stamp.salt();
    const event: LogEvent = {
      v: EVENT_VERSION,
      id: stamp.ulid(stamp.nowMs),
      tx,
      i,
      n: changes.length,
      replica: tip.replica,
      rseq,
      hlc,
      prev,
      at,
      kind: change.kind,
      subject: change.subject,
      base: own ? [own] : [...(change.base ?? stamp.headsOf(change.subject))],
      actor: stamp.actor,
      ...(stamp.run === undefined ? {} : { run: stamp.run }),
      ...(change.undoes === undefined ? {} : { undoes: change.undoes }),
      ...(change.reason ? { reason: change.reason } : {}),
      digest: digestOf(salt, change.data),
      salt,
      data: change.data,
      ...(change.front === undefined ? {} : { front: change.front }),
      ...(change.tokens === undefined ? {} : { tokens: change.tokens }),
    };
    prev = chainHash(event);
    newHeads.set(change.subject, event.id);
    events.push(event);
  }
  return events;
}

const DAY_US = 86_400_000_000;

/** The clock after an event was seen; one from more than a day ahead does not move it. */
export function advanceClock(hlc: number, event: LogEvent, nowMs: number): number {
  return event.hlc > nowMs * 1000 + DAY_US ? hlc : Math.max(hlc, event.hlc);
}
