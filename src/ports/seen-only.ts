import type { LogEvent } from '../domain/event.ts';
import type { Memory } from '../domain/memory.ts';
import type { View } from '../domain/view.ts';
import type { Engine } from './engine.ts';

const UNSEEN = 'a memory that is not seen from here';

/**
 * Takes out of memories the ids of others that the view does not see: a project learns neither that
 * they are there nor what they are called. One that is not there at all is treated alike.
 */
export interface SeenOnly {
  memory(memory: Memory): Memory;
  /** A reason that may name one. */
  reason(event: Pick<LogEvent, 'reason'>): string | null;
  sees(id: string): boolean;
}

export async function seenOnly(
  memories: readonly Memory[],
  view: View,
  engine: Engine,
): Promise<SeenOnly> {
  const named = new Set(memories.flatMap(namedBy));
  const seesAll = view.projects === 'all' && view.agents === 'all';
  const hidden = new Set(seesAll ? [] : named);
  if (hidden.size > 0) {
    for (const { memory } of await engine.get([...hidden], view)) hidden.delete(memory.id);
  }
  const sees = (id: string): boolean => !hidden.has(id);
  return {
    sees,
    memory: (memory) => (namedBy(memory).every(sees) ? memory : without(memory, sees)),
    reason: ({ reason }) =>
      [...hidden].reduce<string | null>(
        (text, id) => text?.replaceAll(id, UNSEEN) ?? null,
        reason ?? null,
      ),
  };
}

/** Of a listing, only a successor is told. */
export function isReplaced({ superseded_by }: Memory): boolean {
  return superseded_by !== undefined;
}

function namedBy({ supersedes, superseded_by, relations }: Memory): string[] {
  const ids = [supersedes, superseded_by].filter((id) => id !== undefined);
  return [...ids, ...relations.map(({ target }) => target)];
}

function without(memory: Memory, sees: (id: string) => boolean): Memory {
  const { supersedes, superseded_by, ...kept } = memory;
  return {
    ...kept,
    ...(supersedes !== undefined && sees(supersedes) ? { supersedes } : {}),
    ...(superseded_by !== undefined && sees(superseded_by) ? { superseded_by } : {}),
    relations: memory.relations.filter(({ target }) => sees(target)),
  };
}
