import { contentKey } from '../domain/identity.ts';
import { isLive } from '../domain/lifecycle.ts';
import type { StoredMemory } from '../domain/memory.ts';
import { sharedFrom } from '../domain/sharing.ts';
import type { View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';

/** Something of which a memory is a part. */
interface Holding {
  readonly stored: StoredMemory;
}

/**
 * Where an agent sees its own drawer and the shared one, its own memory stands for a shared copy of it
 * and for a shared one of the same text.
 * @param onLoss told of each that is left out, with the id of the own one
 */
export async function ownFirst<T extends Holding>(
  found: readonly T[],
  { engine, scope }: Pick<Deps, 'engine' | 'scope'>,
  view: View,
  onLoss: (lost: T, of: string) => void = () => undefined,
): Promise<readonly T[]> {
  const { agent } = scope;
  if (!engine.isolated || agent === undefined) return found;
  const byContent = new Map<string, string>();
  const origins = new Set<string>();
  for (const { stored } of found) {
    const { memory } = stored;
    if (memory.agent === agent) byContent.set(keyOf(stored), memory.id);
    const from = sharedFrom(memory);
    if (from?.agent === agent) origins.add(from.id);
  }
  const own = new Set<string>();
  if (origins.size > 0) {
    for (const { memory } of await engine.get([...origins], { ...view, agents: [agent] })) {
      if (isLive(memory.status)) own.add(memory.id);
    }
  }
  return found.filter((one) => {
    const { memory } = one.stored;
    if (memory.agent !== undefined) return true;
    const origin = sharedFrom(memory)?.id;
    const of = origin !== undefined && own.has(origin) ? origin : byContent.get(keyOf(one.stored));
    if (of !== undefined) onLoss(one, of);
    return of === undefined;
  });
}

function keyOf({ memory: { project, body } }: StoredMemory): string {
  return contentKey(project, '', body);
}
