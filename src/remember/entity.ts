import { canonicalJson } from '../domain/canonical.ts';
import { entityId, entityKey, shownEntity, withNames, type Entity } from '../domain/entity.ts';
import type { EntityOptions } from '../domain/inputs.ts';
import { entityOptions } from '../domain/options.ts';
import { recordSubject } from '../domain/record.ts';
import type { EntitiesResult } from '../domain/results.ts';
import type { Deps } from '../ports/deps.ts';
import { currentProject, currentView } from '../ports/scope.ts';
import { parseClean } from '../domain/parse-clean.ts';

/**
 * Makes an entity known by its names in the current project, or adds names to one; recall then finds
 * it by any of them. Entities of the global project are known in every project.
 */
export async function entity(options: EntityOptions, deps: Deps): Promise<EntitiesResult> {
  const { name, kind, aliases = [] } = parseClean(entityOptions, options, 'entity').fields;
  const { engine, scope } = deps;
  const others = (await engine.records('entity', await currentView(deps))) as readonly Entity[];
  const project = await currentProject(deps);
  const drawer = engine.isolated && scope.agent !== undefined ? { agent: scope.agent } : {};
  const id = entityId(kind, name);
  const subject = recordSubject('entity', entityKey({ id, project, ...drawer }));
  const request = { ids: [], contentKeys: [], records: [subject], actor: scope.actor };
  const { result } = await engine.commit(request, (state) => {
    const known = state.record(subject) as Entity | undefined;
    const data = withNames({ id, project, ...drawer, kind, name, aliases }, { known, others });
    const unchanged = known !== undefined && canonicalJson(known) === canonicalJson(data);
    const change = { kind: 'entity.recorded', subject, data } as const;
    return { changes: unchanged ? [] : [change], result: data };
  });
  return { entities: [shownEntity(result)] };
}
