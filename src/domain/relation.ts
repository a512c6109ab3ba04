/** A typed edge, kept with the memory it starts from. */
export interface Relation {
  /**
   * supports, contradicts, supersedes, evolved_into, depends_on, related_to, extends, caused_by, derived_from;
   * any other word is kept and shown.
   */
  readonly type: string;
  /** Id of the memory it points to. */
  readonly target: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** Where it comes from: stated, near_duplicate, link, classified … */
  readonly origin: string;
}

/** Origin of the edge between two memories that say much the same: it tells nothing of their subject. */
export const NEAR_DUPLICATE = 'near_duplicate';

/** The edge from what was made out of other memories to each of them; it carries their trust. */
export const DERIVED_FROM = 'derived_from';

/** An edge with both ends, as `relations` lists it. */
export interface Edge extends Relation {
  readonly source: string;
}

/** `related` is read as related_to; unknown types stay as they are. */
export function canonicalRelationType(type: string): string {
  const plain = type
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return plain === 'related' ? 'related_to' : plain;
}

/** Order of edges in a listing: by source, type and target, code unit by code unit. */
export function compareEdges(a: Edge, b: Edge): number {
  if (a.source !== b.source) return a.source < b.source ? -1 : 1;
  if (a.type !== b.type) return a.type < b.type ? -1 : 1;
  return a.target === b.target ? 0 : a.target < b.target ? -1 : 1;
}

export function relationKey(relation: Pick<Relation, 'type' | 'target'>): string {
  return `${relation.type} ${relation.target}`;
}

/** Adds or replaces an edge in a set; the order is that of type and target. */
export function withRelation(set: readonly Relation[], relation: Relation): readonly Relation[] {
  const key = relationKey(relation);
  return sortRelations([...set.filter((other) => relationKey(other) !== key), relation]);
}

export function sortRelations(set: readonly Relation[]): readonly Relation[] {
  return [...set].sort((a, b) => (relationKey(a) < relationKey(b) ? -1 : 1));
}
