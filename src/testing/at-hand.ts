import { entryOf } from '../domain/ranking/entry.ts';
import { VIEW_ALL } from '../domain/view.ts';
import type { Engine, HitAtHand } from '../ports/engine.ts';
import { memoryOf } from './memories.ts';

/** Memories as another search would have found them; one that is not there is made up. */
export async function atHand(engine: Engine, ...ids: readonly string[]): Promise<HitAtHand[]> {
  const found = await engine.get(ids, VIEW_ALL);
  const known = new Map(found.map((stored) => [stored.memory.id, stored]));
  return ids.map((id) => {
    const stored = known.get(id) ?? { memory: memoryOf({ id }), version: 1, heads: [] };
    const { session_id: session } = stored.memory;
    return { id, session, stored, length: entryOf(stored.memory, undefined).length };
  });
}
