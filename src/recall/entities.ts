import { shownEntity, type Entity } from '../domain/entity.ts';
import type { EntitiesResult } from '../domain/results.ts';
import type { View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import type { Engine } from '../ports/engine.ts';
import { currentView } from '../ports/scope.ts';

/** The entities of the current project and the global ones, with all their names. */
export async function entities(deps: Deps): Promise<EntitiesResult> {
  return { entities: (await knownEntities(deps.engine, await currentView(deps))).map(shownEntity) };
}

/** What a view knows of names; links of memories may name entities that are not among them. */
export async function knownEntities(engine: Engine, view: View): Promise<readonly Entity[]> {
  return (await engine.records('entity', view)) as readonly Entity[];
}
