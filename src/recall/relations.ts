import type { RelationsResult } from '../domain/results.ts';
import type { Deps } from '../ports/deps.ts';
import { currentView } from '../ports/scope.ts';
import { requireMemory } from './require-memory.ts';

/** Edges from and to one memory. */
export async function relations({ id }: { id: string }, deps: Deps): Promise<RelationsResult> {
  const { memory } = await requireMemory(id, deps);
  return { relations: await deps.engine.edges([memory.id], await currentView(deps)) };
}
