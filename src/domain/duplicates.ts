import { isTrusted, type Classification } from './lifecycle.ts';
import type { Step } from './decide/steps.ts';
import { canonicalJson } from './canonical.ts';
import type { Memory } from './memory.ts';
import { relationKey, sortRelations, withRelation, type Relation } from './relation.ts';
import { union, entityKey, unionOf } from './union.ts';

/** Which of several memories that say the same stays: the first in this order. */
export function keeperFirst(a: Memory, b: Memory): number {
  return (
    Number(b.status === 'active') - Number(a.status === 'active') ||
    Number(isTrusted(b.source)) - Number(isTrusted(a.source)) ||
    b.confidence - a.confidence ||
    Date.parse(a.created_at) - Date.parse(b.created_at) ||
    (a.id < b.id ? -1 : 1)
  );
}

const SECRECY: readonly Classification[] = ['PUBLIC', 'TEAM', 'PRIVATE', 'SECRET'];

/** The keeper with what another memory brings beside its text; confidence and source stay. */
function joined(keeper: Memory, other: Memory): Memory {
  const title = keeper.title ?? other.title;
  // What a draft would replace, it replaces only once it is accepted.
  const promised = other.status === keeper.status ? other.supersedes : undefined;
  const supersedes = keeper.supersedes ?? promised;
  const secrecy = Math.max(
    SECRECY.indexOf(keeper.classification),
    SECRECY.indexOf(other.classification),
  );
  const named = {
    // What one of them keeps back is not told by way of the other.
    classification: SECRECY[secrecy] ?? keeper.classification,
    external_ids: union(keeper.external_ids, other.external_ids),
  };
  // What an untrusted copy says beside the text is not taken, as when it is remembered.
  if (isTrusted(keeper.source) && !isTrusted(other.source)) {
    const relations = keeper.relations.filter(({ target }) => target !== other.id);
    return { ...keeper, ...named, relations };
  }
  return {
    ...keeper,
    ...named,
    ...(title === undefined ? {} : { title }),
    ...(supersedes === undefined ? {} : { supersedes }),
    tags: union(keeper.tags, other.tags),
    paths: union(keeper.paths, other.paths),
    evidence: union(keeper.evidence, other.evidence),
    entities: unionOf(keeper.entities, other.entities, entityKey),
    relations: joinedRelations(keeper, other),
  };
}

function joinedRelations(keeper: Memory, other: Memory): readonly Relation[] {
  const known = new Set(keeper.relations.map(relationKey));
  const brought = other.relations.filter(
    (relation) => relation.target !== keeper.id && !known.has(relationKey(relation)),
  );
  const own = keeper.relations.filter(({ target }) => target !== other.id);
  return sortRelations([...own, ...brought]);
}

/** Lets edges that lead to one memory lead to another. */
function redirected(memory: Memory, from: string, to: string): Memory {
  let relations: readonly Relation[] = memory.relations.filter(({ target }) => target !== from);
  for (const relation of memory.relations) {
    if (relation.target !== from || memory.id === to) continue;
    const moved = { ...relation, target: to };
    const isThere = relations.some((other) => relationKey(other) === relationKey(moved));
    if (!isThere) relations = withRelation(relations, moved);
  }
  return {
    ...memory,
    ...(memory.superseded_by === from ? { superseded_by: to } : {}),
    ...(memory.supersedes === from ? { supersedes: to } : {}),
    relations: sortRelations(relations),
  };
}

/**
 * Archives a memory whose text another one holds as well; that one takes over what it brings, and
 * the edges that lead to it.
 * @param around the memories whose edges lead to it, and the one that it superseded
 */
export function mergeStep(
  rule: string,
  keeper: Memory,
  other: Memory,
  around: readonly Memory[],
): Step {
  const reason = `says the same as ${keeper.id}`;
  const merged = joined(keeper, other);
  const { supersedes: _supersedes, ...rest } = other;
  // Foreign ids must lead to one memory only.
  const left = { ...rest, external_ids: [], relations: [] };
  const step = { rule, kind: 'memory.merged', reason } as const;
  const moved = around
    .filter(({ id }) => id !== keeper.id && id !== other.id)
    .map((memory) => ({ ...step, before: memory, after: redirected(memory, other.id, keeper.id) }));
  return {
    ...step,
    kind: 'memory.archived',
    before: other,
    after: { ...left, status: 'archived', status_reason: reason },
    with: [{ ...step, before: keeper, after: merged }, ...moved].filter(
      ({ before, after }) => canonicalJson(before) !== canonicalJson(after),
    ),
  };
}
