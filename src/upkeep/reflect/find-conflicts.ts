import {
  inOrderOfConfidence,
  sidesOf,
  statedConflicts,
  textConflicts,
  type Compared,
  type Conflict,
} from '../../domain/conflict.ts';
import { headline, type Memory, type StoredMemory } from '../../domain/memory.ts';

/** Whether a memory is derived from concurrent edits of another one: no event has made it. */
export function isDerived({ heads }: StoredMemory): boolean {
  return heads.length === 0;
}

/**
 * Everything that is in conflict, surest first.
 * @param derived the memories that concurrent edits left
 */
export function findConflicts(
  live: readonly Memory[],
  groups: readonly (readonly Compared[])[],
  derived: readonly Memory[],
): readonly Conflict[] {
  const stated = statedConflicts(new Map(live.map((memory) => [memory.id, memory])));
  const known = new Set(stated.map(({ id }) => id));
  const texts = groups.flatMap(textConflicts).filter(({ id }) => !known.has(id));
  const noted = live.filter(({ type }) => type === 'conflict').map(notedConflict);
  return inOrderOfConfidence([...derived.map(editConflict), ...noted, ...stated, ...texts]);
}

function editConflict({ id, title = '', relations }: Memory): Conflict {
  const ids = relations.map(({ target }) => target);
  return { id, kind: 'edits', ids, reason: title, confidence: 1 };
}

function notedConflict(memory: Memory): Conflict {
  const { id, confidence } = memory;
  return { id, kind: 'noted', ids: sidesOf(memory), reason: headline(memory), confidence };
}
