import type { Change } from '../domain/change.ts';
import type { LogEvent } from '../domain/event.ts';
import type { Memory } from '../domain/memory.ts';
import type { Engine } from '../ports/engine.ts';

/** A memory with an id of its own choice; everything else may be left out. */
export function memoryOf(fields: Partial<Memory> & Pick<Memory, 'id'>): Memory {
  const created_at = fields.created_at ?? '2026-03-09T12:00:00.000Z';
  return {
    type: 'fact',
    tier: 'project-context',
    status: 'active',
    body: `The text of ${fields.id}.`,
    tags: [],
    paths: [],
    project: 'global',
    confidence: 0.8,
    classification: 'TEAM',
    source: 'owner',
    observed: 'stated',
    external_ids: [],
    evidence: [],
    entities: [],
    relations: [],
    created_at,
    updated_at: created_at,
    ...fields,
  };
}

/** The change that makes a memory what is given, whatever it was. */
export function changeTo(memory: Memory, more: Partial<Change> = {}): Change {
  return { kind: 'memory.updated', subject: memory.id, data: memory, ...more };
}

/** Makes memories what is given, in one commit. */
export async function put(
  engine: Engine,
  ...memories: readonly Memory[]
): Promise<readonly LogEvent[]> {
  const changes = memories.map((memory) => changeTo(memory));
  const { events } = await engine.commit(NOTHING_NAMED, () => ({ changes, result: undefined }));
  return events;
}

export const NOTHING_NAMED = { ids: [], contentKeys: [], actor: 'owner' } as const;
