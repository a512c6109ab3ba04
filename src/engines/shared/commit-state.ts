import type { CommitState } from '../../domain/change.ts';
import type { ProjectName } from '../../domain/event.ts';
import type { StoredMemory } from '../../domain/memory.ts';
import type { StoreRecord } from '../../domain/record.ts';

/** A memory that an engine read for a commit. */
export interface ReadForCommit {
  readonly stored: StoredMemory;
  readonly contentKey: string;
  /** For a conflict that is derived from concurrent edits: the memory it speaks of. */
  readonly conflictOf?: string;
}

/** What an engine has read for a commit beside the memories. */
export interface ReadBeside {
  /** By key of likeness: ids of memories among those that were read, newest first. */
  readonly alike: (key: number) => readonly string[];
  readonly projects: readonly ProjectName[];
  readonly records: ReadonlyMap<string, StoreRecord>;
  readonly purged: (id: string) => boolean;
}

/** The state that `decide` sees, over what an engine has read. */
export function commitState(
  read: Iterable<ReadForCommit>,
  { alike, projects, records, purged }: ReadBeside,
): CommitState {
  const byId = new Map<string, ReadForCommit>();
  const byExternalId = new Map<string, StoredMemory[]>();
  const byContent = new Map<string, StoredMemory[]>();
  for (const found of read) {
    const { memory } = found.stored;
    if (byId.has(memory.id)) continue;
    byId.set(memory.id, found);
    for (const externalId of memory.external_ids) push(byExternalId, externalId, found.stored);
    push(byContent, found.contentKey, found.stored);
  }
  return {
    get: (id) => byId.get(id)?.stored,
    byExternalId: (externalId) => byExternalId.get(externalId) ?? [],
    byContent: (key) => byContent.get(key) ?? [],
    alike: (key) => alike(key).flatMap((id) => byId.get(id)?.stored ?? []),
    projects,
    record: (subject) => records.get(subject),
    purged,
    conflictSubject: (id) => byId.get(id)?.conflictOf,
  };
}

function push<T>(index: Map<string, T[]>, key: string, value: T): void {
  const list = index.get(key);
  if (list) list.push(value);
  else index.set(key, [value]);
}
