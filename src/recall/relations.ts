import { LociError, quote } from '../domain/errors.ts';
import type { RelationsResult } from '../domain/results.ts';
import type { Deps } from '../ports/deps.ts';
import { currentView } from '../ports/scope.ts';

/** Edges from and to one memory. */
export async function relations({ id }: { id: string }, deps: Deps): Promise<RelationsResult> {
  const view = await currentView(deps);
  const [found] = await deps.engine.get([id], view);
  if (!found) {
    throw new LociError('not_found', `there is no memory ${quote(id)}`, 'Look its id up.');
  }
  return { relations: await deps.engine.edges([found.memory.id], view) };
}
