import { canonicalJson } from './canonical.ts';
import { compareEvents, isMemoryEvent, type LogEvent, type MemoryEvent } from './event.ts';
import { sha256 } from './hash.ts';
import { base32 } from './identity.ts';
import { headline, type Memory, type StoredMemory } from './memory.ts';
import { relationKey, sortRelations, type Relation } from './relation.ts';

/** The state of one subject: what is current, and the conflict that concurrent edits left. */
export interface Evolved {
  readonly stored: StoredMemory;
  /** Derived from the heads, never an event of its own, so that every replica sees the same one. */
  readonly conflict?: Memory;
}

/**
 * The next state when an event follows what is there. Undefined when it does not (its writer had
 * not seen all heads): then the subject has to be folded from all its events.
 */
export function evolve(current: StoredMemory | undefined, event: MemoryEvent): Evolved | undefined {
  const heads = current?.heads ?? [];
  if (!heads.every((head) => event.base.includes(head))) return undefined;
  if (heads.length === 0 && event.base.length > 0) return undefined;
  return {
    stored: {
      memory: event.data,
      version: (current?.version ?? 0) + 1,
      heads: [event.id],
      ...carriedBy(event),
    },
  };
}

/**
 * Folds all events of one subject. One head: its snapshot. Several: fields that only one side
 * changed since their common ancestor merge; where both changed one, the later event (by clock,
 * replica, sequence) leads and a conflict appears.
 */
export function foldSubject(events: readonly MemoryEvent[]): Evolved | undefined {
  const ordered = [...events].sort(compareEvents);
  const heads = headsAmong(ordered);
  const leader = heads.at(-1);
  if (!leader) return undefined;
  const made = new Set(ordered.flatMap(({ id, folds = [] }) => [id, ...folds]));
  const state = { version: made.size, heads: heads.map((head) => head.id) };
  if (heads.length === 1) {
    return { stored: { memory: leader.data, ...state, ...carriedBy(leader) } };
  }
  const ancestor = commonAncestor(heads, ordered);
  const { memory, disputed } = mergeHeads(heads, ancestor?.data);
  const { front } = carriedBy(leader);
  const stored = { memory, ...state, ...(front === undefined ? {} : { front }) };
  return disputed.length === 0 ? { stored } : { stored, conflict: conflictOf(heads, disputed) };
}

/** The events of one subject that no other of them has seen, in the order they are given. */
export function headsAmong<E extends LogEvent>(events: readonly E[]): E[] {
  const seen = new Set(events.flatMap(seenBy));
  return events.filter((event) => !seen.has(event.id));
}

/** Events that the writer of one had seen, as far as it names them. */
function seenBy({ base, folds = [] }: LogEvent): readonly string[] {
  return folds.length === 0 ? base : [...base, ...folds];
}

function carriedBy({ tokens, front }: MemoryEvent): { tokens?: number; front?: string } {
  return {
    ...(tokens === undefined ? {} : { tokens }),
    ...(front === undefined ? {} : { front }),
  };
}

/** Current memories by the definition: each subject folded from all its events. */
export function* foldAll(events: readonly LogEvent[]): Iterable<Memory> {
  const subjects = new Map<string, MemoryEvent[]>();
  for (const event of events.filter(isMemoryEvent)) {
    const history = subjects.get(event.subject);
    if (history) history.push(event);
    else subjects.set(event.subject, [event]);
  }
  for (const history of subjects.values()) {
    const evolved = foldSubject(history);
    if (!evolved) continue;
    yield evolved.stored.memory;
    if (evolved.conflict) yield evolved.conflict;
  }
}

/** The latest event that every head descends from. */
function commonAncestor(
  heads: readonly MemoryEvent[],
  events: readonly MemoryEvent[],
): MemoryEvent | undefined {
  const byId = new Map(events.map((event) => [event.id, event]));
  let shared: Set<string> | undefined;
  for (const head of heads) {
    const seen = new Set<string>();
    const queue = [...seenBy(head)];
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const event = byId.get(id);
      if (event) queue.push(...seenBy(event));
    }
    shared = shared ? new Set([...shared].filter((id) => seen.has(id))) : seen;
  }
  return events.findLast((event) => shared?.has(event.id));
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields that only mean something together. */
const GROUPS: readonly (readonly string[])[] = [
  ['status', 'status_reason', 'superseded_by', 'superseded_at'],
];
const SET_FIELDS = ['tags', 'paths', 'evidence', 'external_ids'] as const;
const NEVER_DISPUTED = new Set(['updated_at']);

function mergeHeads(
  heads: readonly MemoryEvent[],
  ancestor: Memory | undefined,
): { memory: Memory; disputed: string[] } {
  const base: Fields = { ...ancestor };
  const sides = heads.map((head): Fields => ({ ...head.data }));
  const merged: Record<string, unknown> = { ...sides.at(-1) };
  const disputed: string[] = [];
  for (const group of fieldGroups(sides)) {
    const first = group[0] ?? '';
    if ((SET_FIELDS as readonly string[]).includes(first)) {
      merged[first] = mergeSets(
        base[first],
        sides.map((side) => side[first]),
      );
      continue;
    }
    if (first === 'relations') continue;
    const before = canonicalJson(pick(base, group));
    const changed = sides.filter((side) => canonicalJson(pick(side, group)) !== before);
    const distinct = new Set(changed.map((side) => canonicalJson(pick(side, group))));
    const chosen = changed.at(-1) ?? sides.at(-1) ?? {};
    for (const key of group) merged[key] = chosen[key];
    if (distinct.size > 1 && !NEVER_DISPUTED.has(first)) disputed.push(first);
  }
  merged['relations'] = mergeRelations(ancestor?.relations ?? [], heads);
  for (const key of Object.keys(merged)) if (merged[key] === undefined) delete merged[key];
  return { memory: merged as unknown as Memory, disputed };
}

function fieldGroups(sides: readonly Fields[]): (readonly string[])[] {
  const grouped = new Set(GROUPS.flat());
  const keys = new Set(sides.flatMap((side) => Object.keys(side)));
  return [
    ...GROUPS,
    ...[...keys]
      .filter((key) => !grouped.has(key))
      .sort()
      .map((key) => [key]),
  ];
}

function pick(fields: Fields, keys: readonly string[]): unknown[] {
  return keys.map((key) => fields[key] ?? null);
}

/** Three-way merge of sets: what any side added is in, what any side removed is out. */
function mergeSets(base: unknown, sides: readonly unknown[]): unknown[] {
  const before = new Set((base as string[] | undefined) ?? []);
  const lists = sides.map((side) => (side as string[] | undefined) ?? []);
  const all = new Set([...before, ...lists.flat()]);
  return [...all].filter((item) => !before.has(item) || lists.every((list) => list.includes(item)));
}

function mergeRelations(
  base: readonly Relation[],
  heads: readonly MemoryEvent[],
): readonly Relation[] {
  const before = new Set(base.map(relationKey));
  const merged = new Map<string, Relation>();
  for (const head of heads) {
    for (const relation of head.data.relations) merged.set(relationKey(relation), relation);
  }
  for (const key of before) {
    const kept = heads.every((head) => head.data.relations.some((r) => relationKey(r) === key));
    if (!kept) merged.delete(key);
  }
  return sortRelations([...merged.values()]);
}

function conflictOf(heads: readonly MemoryEvent[], disputed: readonly string[]): Memory {
  const leader = heads.at(-1) as MemoryEvent;
  const { id, project, agent, tier } = leader.data;
  const hash = sha256(
    heads
      .map((head) => head.id)
      .sort()
      .join(' '),
  );
  const versions = heads.map((head) => {
    const shown = disputed.filter((field) => field !== 'body' && field !== 'status');
    const fields = shown.map((field) => {
      return `${field}: ${canonicalJson((head.data as unknown as Fields)[field] ?? null)}`;
    });
    const lines = [`status: ${head.data.status}`, ...fields, '', head.data.body];
    return `## ${head.at} by ${head.actor} (${head.id})\n\n${lines.join('\n')}`;
  });
  return {
    id: `CONF-${leader.at.slice(0, 10)}-${base32(Buffer.from(hash, 'hex'), 12)}`,
    type: 'conflict',
    tier,
    status: 'active',
    title: `Concurrent edits of ${headline(leader.data)}`,
    body: `${id} was changed in two places at once (${disputed.join(', ')}).\n\n${versions.join('\n\n')}`,
    tags: [],
    paths: [],
    project,
    ...(agent === undefined ? {} : { agent }),
    confidence: 1,
    classification: leader.data.classification,
    source: 'agent',
    observed: 'observed',
    external_ids: [],
    evidence: [],
    entities: [],
    relations: [{ type: 'related_to', target: id, confidence: 1, origin: 'derived' }],
    created_at: leader.at,
    updated_at: leader.at,
  };
}
