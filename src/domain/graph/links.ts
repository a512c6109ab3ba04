import type { Step } from '../decide/steps.ts';
import type { Memory } from '../memory.ts';
import { sortRelations, type Relation } from '../relation.ts';
import { titleKey, type Names } from './names.ts';
import { looksGenerated, referencesIn } from './references.ts';

/** Origin of the edges that are read from bodies. */
export const LINK = 'link';

/** A name in a body that leads to no memory, or to several. */
interface OpenName {
  readonly name: string;
  /** Ids of the memories that bear it; [] = none does. */
  readonly candidates: readonly string[];
  /** It was meant to lead to a memory. A path may lead to any file, and is told only when ambiguous. */
  readonly isMeant: boolean;
}

export interface LinkPlan {
  /** What the links of a body lead to, by name as it is written. */
  readonly targets: ReadonlyMap<string, string>;
  readonly open: readonly OpenName[];
}

/** The memories that were linked before and that no name in the body leads to now. */
export function unclaimed(memory: Memory, { targets }: LinkPlan): readonly string[] {
  const claimed = new Set(targets.values());
  return linkedOf(memory).filter((id) => !claimed.has(id));
}

function linkedOf({ relations }: Memory): readonly string[] {
  return relations.filter(({ origin }) => origin === LINK).map(({ target }) => target);
}

/**
 * What the links and ids of a body lead to. A link is resolved once: where several memories bear its
 * name by now, it stays with the one it was resolved to; otherwise it is named, and not guessed.
 */
export function planLinks(memory: Memory, names: Names): LinkPlan {
  const { wikilinks, files, ids } = referencesIn(memory.body);
  const linked = new Set(linkedOf(memory));
  const targets = new Map<string, string>();
  const open: OpenName[] = [];
  const settle = (name: string, found: readonly string[], isMeant: boolean): void => {
    if (targets.has(name) || open.some((other) => other.name === name)) return;
    const candidates = found.filter((id) => id !== memory.id);
    if (found.length > 0 && candidates.length === 0) return;
    const kept = candidates.filter((id) => linked.has(id));
    const target =
      candidates.length === 1 ? candidates[0] : kept.length === 1 ? kept[0] : undefined;
    if (target !== undefined) targets.set(name, target);
    else open.push({ name, candidates, isMeant });
  };
  for (const name of wikilinks) settle(name, names.resolve(name), true);
  for (const name of files) settle(name, names.resolve(name), looksGenerated(name));
  for (const id of ids) {
    const found = names.byId(id);
    if (found.length > 0 || looksGenerated(id)) settle(id, found, true);
  }
  return { targets, open };
}

/**
 * The plan where names have moved since: a link stays with the memory that bore its name when it was
 * resolved, also after that one was renamed and another has taken the name.
 * @param former titles that the unclaimed targets have had
 */
export function withFormerNames(
  memory: Memory,
  plan: LinkPlan,
  former: ReadonlyMap<string, readonly string[]>,
): LinkPlan {
  const linked = new Set(linkedOf(memory));
  const owners = new Map<string, string>();
  for (const [id, titles] of former) for (const title of titles) owners.set(titleKey(title), id);
  const owner = (name: string): string | undefined =>
    owners.get(titleKey(name)) ?? owners.get(titleKey(name.slice(name.lastIndexOf('/') + 1)));
  const targets = new Map(plan.targets);
  for (const [name, target] of targets) {
    if (!linked.has(target)) targets.set(name, owner(name) ?? target);
  }
  const open = plan.open.filter(({ name }) => {
    const id = owner(name);
    if (id !== undefined) targets.set(name, id);
    return id === undefined;
  });
  return { targets, open };
}

/** The edges that a plan adds and takes away. */
export interface LinkChange {
  readonly added: readonly Relation[];
  readonly removed: readonly Relation[];
}

/**
 * Edges of links that are new in the body, and of those that are gone from it. A memory that is related
 * already, in whatever way, is not related a second time.
 */
export function changeOf(memory: Memory, { targets }: LinkPlan): LinkChange {
  const wanted = new Set(targets.values());
  const related = new Set(memory.relations.map(({ target }) => target));
  return {
    added: [...wanted]
      .filter((target) => !related.has(target))
      .map((target) => ({ type: 'related_to', target, confidence: 1, origin: LINK })),
    removed: memory.relations.filter(
      ({ origin, target }) => origin === LINK && !wanted.has(target),
    ),
  };
}

/** The step that makes a change of edges; undefined when there is none. */
export function linkStep(
  rule: string,
  memory: Memory,
  { added, removed }: LinkChange,
): Step | undefined {
  if (added.length === 0 && removed.length === 0) return undefined;
  const kept = memory.relations.filter((relation) => !removed.includes(relation));
  const parts = [
    added.length > 0 ? `names ${list(added)}` : '',
    removed.length > 0 ? `no longer names ${list(removed)}` : '',
  ];
  return {
    rule,
    kind: 'memory.related',
    reason: parts.filter((part) => part !== '').join('; '),
    before: memory,
    after: { ...memory, relations: sortRelations([...kept, ...added]) },
  };
}

function list(relations: readonly Relation[]): string {
  return relations.map(({ target }) => target).join(', ');
}
