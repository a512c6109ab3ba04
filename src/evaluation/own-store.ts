import { LociError } from '../domain/errors.ts';
import type { EvalMemory } from '../domain/eval-set.ts';
import { VIEW_ALL } from '../domain/view.ts';
import type { Engine } from '../ports/engine.ts';

/**
 * A set fills its store with memories that nobody wants to recall later, and memories of somebody
 * else would stand among its answers: the store is empty, or holds this set and nothing else.
 * @throws LociError conflict
 */
export async function ownStore(memories: readonly EvalMemory[], engine: Engine): Promise<void> {
  const { total } = await engine.stats(VIEW_ALL);
  if (total === 0) return;
  const known = await engine.get(
    memories.map(({ id }) => id),
    VIEW_ALL,
  );
  const foreign = total - new Set(known.map(({ memory }) => memory.id)).size;
  if (foreign === 0) return;
  const those = foreign === 1 ? 'a memory that is' : `${foreign} memories that are`;
  throw new LociError(
    'conflict',
    `The store ${engine.location} holds ${those} none of this set`,
    'Nothing was stored. Name a store that is empty or not there yet, or none at all: eval then ' +
      'makes one and removes it. To ask questions of a store as it is, use loci golden.',
  );
}
