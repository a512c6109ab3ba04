import { canonicalJson } from '../canonical.ts';
import type { CommitState, Decision } from '../change.ts';
import { asLociError, LociError } from '../errors.ts';
import { drawerOf } from '../identity.ts';
import { isLive } from '../lifecycle.ts';
import type { EntityLink, Memory } from '../memory.ts';
import type { Receipt } from '../results.ts';
import { sees, type View } from '../view.ts';
import type { Draft } from './draft.ts';
import { applyRelations, supersede } from './relate.ts';
import { applyUpdate } from './update.ts';
import { rejectionOf, Working } from './working.ts';

export interface RememberContext {
  /** What the writer of a draft sees. */
  readonly viewOf: (draft: Pick<Draft, 'project' | 'agent'>) => View;
  readonly isolated: boolean;
  readonly now: string;
  /** A longer id for the rare case that the one chosen is taken. */
  readonly otherId: (draft: Draft) => string;
}

/**
 * Decides a batch, item by item, each seeing the ones before it. An item that cannot be stored is
 * refused with its reason and leaves nothing behind; the others stand.
 */
export function decideRemember(
  state: CommitState,
  drafts: readonly Draft[],
  context: RememberContext,
): Decision<readonly Receipt[]> {
  const working = new Working(state, context.isolated);
  const receipts = drafts.map((draft): Receipt => {
    working.begin();
    try {
      const receipt = decideOne(working, draft, context);
      return draft.line > 0 ? { ...receipt, line: draft.line } : receipt;
    } catch (thrown) {
      working.rollBack();
      const error = asLociError(thrown);
      if (draft.line === 0 || error.code === 'internal') throw error;
      return { id: '', outcome: 'refused', reason: explain(error), line: draft.line };
    }
  });
  return { changes: working.changes, result: receipts };
}

function explain(error: LociError): string {
  return error.hint ? `${error.message} (${error.hint})` : error.message;
}

function decideOne(working: Working, draft: Draft, context: RememberContext): Receipt {
  const inside = { ...context, view: context.viewOf(draft) };
  const known = knownMemory(working, draft, inside.view, context.isolated);
  if (known) {
    const outcome = applyUpdate(working, known, draft, inside);
    return { id: known.id, outcome };
  }
  const created = newMemory(draft, context, working);
  const holders = working.holders(working.key(created));
  const twin = holders.find((memory) => isLive(memory.status));
  if (twin && isLive(created.status)) return merge(working, twin, created, draft, inside);
  const rejected = working.rejectedTwin(created);
  if (rejected) return { id: '', outcome: 'refused', reason: rejectionOf(rejected) };
  working.put({ kind: 'memory.stored', subject: created.id, data: created });
  let outcome: Receipt['outcome'] = 'stored';
  if (draft.supersedes !== undefined) {
    supersede(working, created.id, draft.supersedes, inside);
    if (created.status !== 'draft') outcome = 'superseded';
  }
  applyRelations(working, created.id, draft.relations, inside);
  return { id: created.id, outcome };
}

/** A known id, or the foreign id of a memory in the same project and drawer, means that memory. */
function knownMemory(
  working: Working,
  draft: Draft,
  view: View,
  isolated: boolean,
): Memory | undefined {
  const { ref, externalId } = draft;
  const own = ref === undefined ? undefined : (working.get(ref) ?? working.get(ref.toUpperCase()));
  if (own && sees(view, own)) return working.require(own.id, view);
  const near = (memory: Memory): boolean =>
    memory.project === draft.project && drawerOf(memory, isolated) === drawerOf(draft, isolated);
  for (const foreign of [ref, externalId]) {
    const found = foreign === undefined ? undefined : working.externals(foreign).find(near);
    if (found) return found;
  }
  return undefined;
}

function newMemory(draft: Draft, context: RememberContext, working: Working): Memory {
  const { given, defaults } = draft;
  if (given.body === undefined || given.body.trim() === '') {
    throw new LociError('invalid_input', 'body is empty', 'Give the text to remember.');
  }
  const id = working.get(draft.newId) ? context.otherId(draft) : draft.newId;
  return {
    id,
    ...defaults,
    tags: [],
    paths: [],
    evidence: [],
    entities: [],
    ...given,
    body: given.body,
    relations: [],
    external_ids: externalIdsOf(draft, id),
    project: draft.project,
    ...(draft.agent === undefined ? {} : { agent: draft.agent }),
    updated_at: given.created_at ?? defaults.created_at,
  };
}

/**
 * An id that a memory bears which the writer does not see is as good as unknown to it: the new memory
 * gets another one and is found by that all the same.
 */
function externalIdsOf({ ref, externalId, newId }: Draft, id: string): readonly string[] {
  const taken = ref === newId && id !== newId ? [newId] : [];
  return externalId === undefined ? taken : [...taken, externalId];
}

/** The same text again: what it brings beside the text is added to the memory that is there. */
function merge(
  working: Working,
  twin: Memory,
  created: Memory,
  draft: Draft,
  inside: { view: View; isolated: boolean; now: string },
): Receipt {
  const merged: Memory = {
    ...twin,
    ...(twin.title === undefined && created.title !== undefined ? { title: created.title } : {}),
    status: twin.status === 'draft' ? created.status : twin.status,
    // Said again is not said with more confidence, unless it is said so.
    confidence: Math.max(twin.confidence, draft.given.confidence ?? 0),
    tags: union(twin.tags, created.tags),
    paths: union(twin.paths, created.paths),
    evidence: union(twin.evidence, created.evidence),
    external_ids: union(twin.external_ids, created.external_ids),
    entities: unionOf(twin.entities, created.entities, entityKey),
  };
  const before = working.changes.length;
  if (canonicalJson(merged) !== canonicalJson(twin)) {
    const data = { ...merged, updated_at: inside.now };
    working.put({ kind: 'memory.merged', subject: twin.id, data, reason: 'the same text again' });
  }
  const { supersedes } = draft;
  const replaced = supersedes !== undefined && supersede(working, twin.id, supersedes, inside);
  applyRelations(working, twin.id, draft.relations, inside);
  if (replaced) return { id: twin.id, outcome: 'superseded' };
  return { id: twin.id, outcome: working.changes.length > before ? 'merged' : 'unchanged' };
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return unionOf(a, b, (item) => item);
}

function unionOf<T>(a: readonly T[], b: readonly T[], key: (item: T) => string): readonly T[] {
  const known = new Set(a.map(key));
  return [...a, ...b.filter((item) => !known.has(key(item)))];
}

function entityKey(entity: EntityLink): string {
  return `${entity.kind} ${entity.name.toLowerCase()}`;
}
