import { citesField, joinCites } from '../anchors/next.ts';
import { canonicalJson } from '../canonical.ts';
import type { CommitState, Decision } from '../change.ts';
import { asLociError, LociError } from '../errors.ts';
import { unquoted } from '../hygiene/recalled-text.ts';
import { drawerOf } from '../identity.ts';
import { isLive, isTrusted } from '../lifecycle.ts';
import type { Memory } from '../memory.ts';
import type { Receipt } from '../results.ts';
import { entityKey, union, unionOf } from '../union.ts';
import { sees, type View } from '../view.ts';
import type { Draft } from './draft.ts';
import { nearDuplicate } from './near-duplicate.ts';
import { applyRelations, keepWord, linkAlike, supersede } from './relate.ts';
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
      const { line, redacted } = draft;
      return {
        ...decideOne(working, draft, context),
        ...(line > 0 ? { line } : {}),
        ...(redacted.length > 0 ? { redacted } : {}),
      };
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

interface Inside {
  readonly view: View;
  readonly isolated: boolean;
  readonly now: string;
}

function decideOne(working: Working, draft: Draft, context: RememberContext): Receipt {
  const inside = { ...context, view: context.viewOf(draft) };
  const known = knownMemory(working, draft, inside.view, context.isolated);
  if (known) {
    const request = { ...draft, by: draft.defaults.source };
    const outcome = applyUpdate(working, known, request, inside);
    return { id: known.id, outcome };
  }
  if (draft.ref !== undefined && working.isPurged(draft.ref)) {
    throw new LociError(
      'conflict',
      `the id ${draft.ref} was that of a memory that was purged`,
      'Leave the id out; a new one is made.',
    );
  }
  const created = newMemory(draft, context, working);
  const holders = working.holders(working.key(created));
  const twin = holders.find((memory) => isLive(memory.status));
  if (twin && isLive(created.status)) return merge(working, twin, created, draft, inside);
  const rejected = working.rejectedTwin(created);
  if (rejected) return { id: '', outcome: 'refused', reason: rejectionOf(rejected) };
  const cited =
    isLive(created.status) && draft.ref === undefined ? citedBy(working, created) : undefined;
  if (cited) {
    const reason = `it is the text of ${cited.id}, quoted`;
    return { id: cited.id, outcome: 'unchanged', reason };
  }
  const near = isLive(created.status)
    ? nearDuplicate(working, created, draft, Date.parse(context.now))
    : undefined;
  if (near?.likeness === 'same') return takeIn(working, near.memory, created, draft, inside);
  working.put({ kind: 'memory.stored', subject: created.id, data: created });
  let outcome: Receipt['outcome'] = 'stored';
  if (draft.supersedes !== undefined) {
    supersede(working, created.id, draft.supersedes, inside);
    if (created.status !== 'draft') outcome = 'superseded';
  }
  applyRelations(working, created.id, draft.relations, inside);
  if (!near) return { id: created.id, outcome };
  linkAlike(working, created.id, near, inside.now);
  return { id: created.id, outcome, similar: [{ id: near.memory.id, relation: 'related_to' }] };
}

/** The living memory whose text a new one only puts in quotes, or cites with its id. */
function citedBy(working: Working, created: Memory): Memory | undefined {
  const body = unquoted(created.body);
  if (body === undefined) return undefined;
  const holders = working.holders(working.key({ ...created, body }));
  return holders.find((memory) => isLive(memory.status));
}

/** The same claim, written down in another way: it is joined to the memory that is there. */
function takeIn(
  working: Working,
  memory: Memory,
  created: Memory,
  draft: Draft,
  inside: Inside,
): Receipt {
  const { id } = merge(working, memory, created, draft, inside);
  const reason = `it says the same as ${id}, written a little differently`;
  return { id, outcome: 'merged', reason, similar: [{ id, relation: 'same' }] };
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
    ...citesField(draft.cites?.cites),
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

/**
 * The same text again: what it brings beside the text is added to the memory that is there. Trust does
 * not grow by it: an untrusted copy adds nothing to a trusted memory, and where a trusted source says
 * what an untrusted one had said, only what the trusted one says beside the text stays.
 */
function merge(
  working: Working,
  twin: Memory,
  created: Memory,
  draft: Draft,
  inside: Inside,
): Receipt {
  if (isTrusted(twin.source) && !isTrusted(created.source)) {
    const isNew = putMerged(working, twin, withExternalIds(twin, created), inside.now);
    const reason = `${created.source} is not trusted: what it says beside the text was not taken`;
    return { id: twin.id, outcome: isNew ? 'merged' : 'unchanged', reason };
  }
  const isVouched =
    !isTrusted(twin.source) && isTrusted(created.source) && created.status === 'active';
  const merged = isVouched ? vouchedFor(twin, created) : united(twin, created, draft);
  const before = working.changes.length;
  putMerged(working, twin, merged, inside.now);
  if (twin.status === 'draft') keepWord(working, twin.id, inside);
  const { supersedes } = draft;
  const replaced = supersedes !== undefined && supersede(working, twin.id, supersedes, inside);
  applyRelations(working, twin.id, draft.relations, inside);
  if (replaced) return { id: twin.id, outcome: 'superseded' };
  return { id: twin.id, outcome: working.changes.length > before ? 'merged' : 'unchanged' };
}

/** @returns whether anything changed */
function putMerged(working: Working, twin: Memory, merged: Memory, now: string): boolean {
  if (canonicalJson(merged) === canonicalJson(twin)) return false;
  const data = { ...merged, updated_at: now };
  working.put({ kind: 'memory.merged', subject: twin.id, data, reason: 'the same text again' });
  return true;
}

function united(twin: Memory, created: Memory, draft: Draft): Memory {
  return {
    ...withExternalIds(twin, created),
    ...(twin.title === undefined && created.title !== undefined ? { title: created.title } : {}),
    status: twin.status === 'draft' ? created.status : twin.status,
    // Said again is not said with more confidence, unless it is said so.
    confidence: Math.max(twin.confidence, draft.given.confidence ?? 0),
    tags: union(twin.tags, created.tags),
    paths: union(twin.paths, created.paths),
    evidence: union(twin.evidence, created.evidence),
    entities: unionOf(twin.entities, created.entities, entityKey),
    ...citesField(joinCites(twin.cites ?? [], created.cites ?? [])),
  };
}

function withExternalIds(twin: Memory, created: Memory): Memory {
  return { ...twin, external_ids: union(twin.external_ids, created.external_ids) };
}

/** The memory as the trusted source has it, with the age, the ids and the evidence that were known. */
function vouchedFor(twin: Memory, created: Memory): Memory {
  const { id, project, agent, created_at, external_ids, evidence } = twin;
  return {
    ...created,
    id,
    project,
    ...(agent === undefined ? {} : { agent }),
    created_at,
    external_ids: union(external_ids, created.external_ids),
    evidence: union(evidence, created.evidence),
  };
}
