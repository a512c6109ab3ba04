import { entityId, entitiesNamed, linkNames, type Entity } from '../domain/entity.ts';
import type { Filter, View } from '../domain/view.ts';
import type { Engine } from '../ports/engine.ts';

/** Memories that are looked at for the kind of an entity that has no record. */
const LOOKED_AT = 50;

export interface Resolution {
  /** Whether an entity of this name is known, or any visible memory is linked to one. */
  readonly entity_resolved: boolean;
  /** Kind and canonical name, like `person:harbour master`; absent where several kinds bear the name. */
  readonly entity_id?: string;
}

/** The criterion of an entity that was asked for: linked to it under any of its names. */
export function entityFilter(
  name: string | undefined,
  known: readonly Entity[],
): Pick<Filter, 'entityNames'> {
  return name === undefined ? {} : { entityNames: linkNames(name, known) };
}

/** @param name canonical name or alias, in any case */
export async function resolveEntity(
  name: string,
  { known, view }: { readonly known: readonly Entity[]; readonly view: View },
  engine: Engine,
): Promise<Resolution> {
  const entityNames = linkNames(name, known);
  const order = { sort: 'created_at', descending: true } as const;
  const filter = { entityNames };
  const { rows } = await engine.select({ view, filter, ...order, limit: LOOKED_AT });
  const recorded = entitiesNamed(name, known).map(({ id }) => id);
  const linked = rows
    .flatMap(({ memory }) => memory.entities)
    .filter((link) => entityNames.includes(link.name.toLowerCase()))
    .filter((link) => entitiesNamed(link.name, known).length === 0)
    .map((link) => entityId(link.kind, link.name));
  const ids = new Set([...recorded, ...linked]);
  const [id] = ids;
  return {
    entity_resolved: ids.size > 0,
    ...(ids.size === 1 && id !== undefined ? { entity_id: id } : {}),
  };
}
