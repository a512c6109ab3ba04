import type { View } from '../domain/view.ts';
import type { Engine } from '../ports/engine.ts';

/** Memories that are looked at for the kind of an entity. */
const LOOKED_AT = 50;

export interface Resolution {
  /** Whether any visible memory is linked to an entity of this name. */
  readonly entity_resolved: boolean;
  /** Kind and canonical name, like `person:harbour master`; absent where several kinds bear the name. */
  readonly entity_id?: string;
}

/** @param name in any case */
export async function resolveEntity(name: string, view: View, engine: Engine): Promise<Resolution> {
  const canonical = name.toLowerCase();
  const order = { sort: 'created_at', descending: true } as const;
  const filter = { entity: canonical };
  const { rows } = await engine.select({ view, filter, ...order, limit: LOOKED_AT });
  const links = rows.flatMap(({ memory }) => memory.entities);
  const named = links.filter((link) => link.name.toLowerCase() === canonical);
  const kinds = new Set(named.map(({ kind }) => kind.toLowerCase()));
  const [kind] = kinds;
  return {
    entity_resolved: rows.length > 0,
    ...(kinds.size === 1 ? { entity_id: `${kind}:${canonical}` } : {}),
  };
}
