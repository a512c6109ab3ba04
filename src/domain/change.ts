import type { Compaction } from './compaction.ts';
import type { EventKind, ProjectName } from './event.ts';
import type { Memory, StoredMemory } from './memory.ts';
import type { StoreRecord } from './record.ts';

/** What a commit wants to happen to one subject: its next full snapshot. */
export interface Change {
  readonly kind: EventKind;
  readonly subject: string;
  /** Null for the tombstone of a memory that was purged. */
  readonly data: Memory | ProjectName | StoreRecord | Compaction | null;
  readonly reason?: string;
  /** Id of the event that this change takes back. */
  readonly undoes?: string;
  /** The front-matter block of the file, where a person's hand is in it. */
  readonly front?: string;
  /** What the writer had seen, when that is not the current head (a hand edit of an older file). */
  readonly base?: readonly string[];
  readonly tokens?: number;
}

/** What `decide` sees, read inside the lock. Only what the request named is there. */
export interface CommitState {
  /** By id. */
  get(id: string): StoredMemory | undefined;
  /** By the id that another system gave it. */
  byExternalId(externalId: string): readonly StoredMemory[];
  /** Everything that holds this content, whatever its status. */
  byContent(key: string): readonly StoredMemory[];
  /**
   * Living memories that share this key (domain/hygiene/likeness-keys), if the request named it: the
   * newest `MOST_ALIKE`, newest first, ties by id.
   */
  alike(key: number): readonly StoredMemory[];
  /** Readable names of projects by key. */
  readonly projects: readonly ProjectName[];
  /** A record by its subject (`recordSubject`), if the request named it. */
  record(subject: string): StoreRecord | undefined;
  /** Whether a memory of this id was deleted for good: the id is never used again. */
  purged(id: string): boolean;
  /** For the id of a conflict that is derived from concurrent edits: the memory it speaks of. */
  conflictSubject(id: string): string | undefined;
}

export interface Decision<T> {
  readonly changes: readonly Change[];
  readonly result: T;
}
