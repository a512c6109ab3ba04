import { LociError } from './errors.ts';
import type { StoreRecord } from './record.ts';

/** A project, person, tool or decision with the names that it goes by. */
export interface Entity extends StoreRecord {
  readonly kind: string;
  /** Canonical name. */
  readonly name: string;
  readonly aliases: readonly string[];
}

/** Kind and canonical name, like `person:harbour master`: what an entity is known by. */
export function entityId(kind: string, name: string): string {
  return `${plain(kind)}:${plain(name)}`;
}

/** What tells entities of one name apart: no project and drawer have the key of others. */
export function entityKey({
  project,
  agent = '',
  id,
}: Pick<Entity, 'project' | 'agent' | 'id'>): string {
  // An agent's id has no slash; a project's name may.
  return [project.replace(/[%/]/g, encodeURIComponent), agent, id].join('/');
}

/** Names are one in any case. */
function plain(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

/** Lower-case names of an entity, the canonical one first. */
export function namesOf({ name, aliases }: Pick<Entity, 'name' | 'aliases'>): readonly string[] {
  return [...new Set([name, ...aliases].map(plain))];
}

/** The entities that go by a name. */
export function entitiesNamed(name: string, known: readonly Entity[]): readonly Entity[] {
  const asked = plain(name);
  return known.filter((entity) => namesOf(entity).includes(asked));
}

/** All names under which memories are linked to what somebody calls by this one. */
export function linkNames(name: string, known: readonly Entity[]): readonly string[] {
  return [...new Set([plain(name), ...entitiesNamed(name, known).flatMap(namesOf)])];
}

/**
 * An entity with what is said of it added.
 * @throws LociError conflict when another entity of its kind goes by one of the names
 */
export function withNames(
  entity: Entity,
  { known, others }: { readonly known: Entity | undefined; readonly others: readonly Entity[] },
): Entity {
  const own = plain(entity.name);
  const aliases = new Map<string, string>();
  for (const alias of [...(known?.aliases ?? []), ...entity.aliases]) {
    if (plain(alias) !== own) aliases.set(plain(alias), aliases.get(plain(alias)) ?? alias.trim());
  }
  for (const other of others) {
    if (other.id === entity.id || plain(other.kind) !== plain(entity.kind)) continue;
    const taken = namesOf(other).find((name) => name === own || aliases.has(name));
    if (taken === undefined) continue;
    throw new LociError(
      'conflict',
      `${JSON.stringify(taken)} is a name of ${other.id} already`,
      `Add the names to ${other.id}, or choose another one.`,
    );
  }
  return {
    ...entity,
    name: known?.name ?? entity.name.trim(),
    aliases: [...aliases.values()].sort(),
  };
}

/** What a caller sees of an entity. */
export function shownEntity({ id, project, kind, name, aliases }: Entity) {
  return { id, project, kind, name, aliases };
}
