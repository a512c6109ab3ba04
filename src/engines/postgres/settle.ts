import type { Memory } from '../../domain/memory.ts';
import { entryOf } from '../../domain/ranking/entry.ts';
import { stateByte } from '../shared/doc-state.ts';
import { listOf, type EntryList } from '../shared/postings/codec.ts';
import type { MemoryRow, Place } from './rows.ts';
import { changesText, spaceKey, type Context } from './sessions.ts';
import type { Touched } from './working-set.ts';

/** A space as its row has it; what is counted here is written back. */
export interface Space {
  readonly project: string;
  readonly agent: string;
  readonly space: number;
  nextDoc: number;
  waiting: number;
  documents: number;
  totalLength: number;
}

/** A document waiting to be indexed. */
export interface NewDocument {
  readonly doc: number;
  readonly entry: EntryList;
}

/** What becomes of the postings of one space. */
export interface SpaceChanges {
  readonly space: Space;
  readonly documents: NewDocument[];
  /** State bytes by document; 0 = replaced. */
  readonly states: Map<number, number>;
}

/** An untouched memory that is another document now, because what stands before it has changed. */
export interface Moved {
  readonly project: string;
  readonly id: string;
  readonly doc: number;
  readonly length: number;
}

/** What a transaction writes, reckoned before anything is written. */
export interface Settled {
  /** Memories whose rows are to be deleted. */
  readonly removed: readonly Memory[];
  readonly rows: readonly MemoryRow[];
  readonly moved: readonly Moved[];
  readonly spaces: readonly SpaceChanges[];
}

/**
 * Gives documents to the memories that need to be indexed anew and takes them from those that do not
 * hold any more. Pure.
 * @param spaces by `spaceKey`: those of all memories touched
 * @param nextSequence numbers memories in the order in which their text came
 */
export function settle(
  touched: ReadonlyMap<string, Touched>,
  contexts: ReadonlyMap<string, Context>,
  spaces: ReadonlyMap<string, Space>,
  nextSequence: () => number,
): Settled {
  const changes = new Map<number, SpaceChanges>();
  const of = (space: Space): SpaceChanges => {
    let found = changes.get(space.space);
    if (!found) {
      found = { space, documents: [], states: new Map() };
      changes.set(space.space, found);
    }
    return found;
  };
  const spaceOf = (memory: Memory): Space => spaces.get(spaceKey(memory)) as Space;
  const replace = (memory: Memory, { doc, length }: Place): void => {
    const space = spaceOf(memory);
    of(space).states.set(doc, 0);
    space.documents -= 1;
    space.totalLength -= length;
  };
  const index = (memory: Memory): Place => {
    const space = spaceOf(memory);
    const doc = space.nextDoc;
    const entry = entryOf(memory, contexts.get(memory.id)?.previous);
    space.nextDoc += 1;
    space.documents += 1;
    space.totalLength += entry.length;
    of(space).documents.push({ doc, entry: listOf(entry) });
    return { space: space.space, doc, length: entry.length };
  };

  const removed: Memory[] = [];
  const rows: MemoryRow[] = [];
  for (const [id, one] of touched) {
    const { before, after } = one;
    if (before) removed.push(before.stored.memory);
    const isNew = changesText(one);
    const anew = after !== undefined && (isNew || contexts.get(id)?.changed === true);
    if (before && (!after || anew)) replace(before.stored.memory, before.place);
    if (!after) continue;
    const { memory } = after.stored;
    const place = anew ? index(memory) : (before?.place as Place);
    of(spaceOf(memory)).states.set(place.doc, stateByte(memory));
    const sequence = isNew ? nextSequence() : (before?.sequence as number);
    rows.push({ stored: after.stored, place, sequence, conflictOf: after.conflictOf });
  }
  const moved: Moved[] = [];
  for (const { memory, changed, held } of contexts.values()) {
    if (!changed || !held || touched.has(memory.id)) continue;
    replace(memory, held.place);
    const { doc, length } = index(memory);
    of(spaceOf(memory)).states.set(doc, stateByte(memory));
    moved.push({ project: memory.project, id: memory.id, doc, length });
  }
  return { removed, rows, moved, spaces: [...changes.values()] };
}
