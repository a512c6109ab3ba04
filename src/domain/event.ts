import { canonicalJson } from './canonical.ts';
import { sha256 } from './hash.ts';
import type { Memory } from './memory.ts';
import type { RecordEventKind } from './record.ts';

/** Version of the event lines this program writes. Newer ones are refused, older ones set aside. */
export const EVENT_VERSION = 3;

export const MEMORY_EVENT_KINDS = [
  'memory.stored',
  'memory.updated',
  'memory.edited',
  'memory.merged',
  'memory.superseded',
  'memory.archived',
  'memory.restored',
  'memory.rejected',
  'memory.related',
  'memory.promoted',
  'memory.undone',
] as const;
export type MemoryEventKind = (typeof MEMORY_EVENT_KINDS)[number];
/** What is noted about the log itself: that history was dropped, or a memory with all of its text. */
export const LOG_EVENT_KINDS = ['log.compacted', 'memory.purged'] as const;
export type EventKind =
  | MemoryEventKind
  | RecordEventKind
  | (typeof LOG_EVENT_KINDS)[number]
  | 'project.named';

/** What a `project.named` event says: the readable name of a project's key. */
export interface ProjectName {
  readonly key: string;
  readonly name: string;
}

/** The part of an event that survives when its content is purged; `prev` hashes it. */
export interface Envelope {
  readonly v: number;
  /** ULID. */
  readonly id: string;
  /** The transaction it belongs to, its index from 0 and the number of events in it. */
  readonly tx: string;
  readonly i: number;
  readonly n: number;
  readonly replica: string;
  /** Sequence number within the replica, from 1. */
  readonly rseq: number;
  /** Hybrid logical clock, microseconds. */
  readonly hlc: number;
  /** SHA-256 of the previous envelope of the same replica; '' for the first. */
  readonly prev: string;
  readonly at: string;
  readonly kind: string;
  readonly subject: string;
  /** The events that the writer had seen of this subject. */
  readonly base: readonly string[];
  readonly actor: string;
  readonly run?: string;
  readonly undoes?: string;
  readonly reason?: string;
  readonly digest: string;
}

/** One immutable entry of the log, with the full snapshot of what it changed. */
export interface LogEvent extends Envelope {
  readonly salt: string;
  readonly data: unknown;
  /** The front-matter block of the file, word for word, where a person's hand is in it. */
  readonly front?: string;
  /** o200k_base tokens of the block that recall renders; see StoredMemory. */
  readonly tokens?: number;
  /** Ids of earlier events of its subject that `compact` dropped: this one descends from them. */
  readonly folds?: readonly string[];
  /** What `prev` of the next event names, where a purge took something out of this envelope. */
  readonly scrubbed?: string;
}

export interface MemoryEvent extends LogEvent {
  readonly data: Memory;
}

export function isMemoryEvent(event: LogEvent): event is MemoryEvent {
  return event.kind.startsWith('memory.') && event.data !== null;
}

export function digestOf(salt: string, data: unknown): string {
  return sha256(salt + canonicalJson(data));
}

/** The hash of everything in an event that outlives its content. */
export function envelopeHash(event: Envelope): string {
  const { actor, at, base, digest, hlc, i, id, kind, n, prev, reason } = event;
  const { replica, rseq, run, subject, tx, undoes, v } = event;
  // Sorted by name, so that they need not be put in order.
  return sha256(
    canonicalJson({
      actor,
      at,
      base,
      digest,
      hlc,
      i,
      id,
      kind,
      n,
      prev,
      reason,
      replica,
      rseq,
      run,
      subject,
      tx,
      undoes,
      v,
    }),
  );
}

/** What the next event of the same replica names as `prev`, also after a purge. */
export function chainHash(event: LogEvent): string {
  return event.scrubbed ?? envelopeHash(event);
}

/** Order of concurrent events: by clock, then replica, then sequence. */
export function compareEvents(
  a: Pick<Envelope, 'hlc' | 'replica' | 'rseq'>,
  b: Pick<Envelope, 'hlc' | 'replica' | 'rseq'>,
): number {
  if (a.hlc !== b.hlc) return a.hlc - b.hlc;
  if (a.replica !== b.replica) return a.replica < b.replica ? -1 : 1;
  return a.rseq - b.rseq;
}
