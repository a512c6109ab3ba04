import { LociError, quote } from '../domain/errors.ts';
import type { StoredMemory } from '../domain/memory.ts';
import type { Deps } from '../ports/deps.ts';
import { currentView } from '../ports/scope.ts';

/** The one memory of an id, ours or foreign. @throws LociError not_found */
export async function requireMemory(ref: string, deps: Deps): Promise<StoredMemory> {
  const [found] = await deps.engine.get([ref], await currentView(deps));
  if (found) return found;
  throw new LociError('not_found', `there is no memory ${quote(ref)}`, 'Look its id up.');
}
