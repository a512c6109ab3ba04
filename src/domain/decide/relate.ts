import type { CommitState, Decision } from '../change.ts';
import { LociError } from '../errors.ts';
import { isLive, isTrusted, lowerSource } from '../lifecycle.ts';
import type { Memory } from '../memory.ts';
import {
  canonicalRelationType,
  DERIVED_FROM,
  NEAR_DUPLICATE,
  withRelation,
  type Edge,
} from '../relation.ts';
import type { View } from '../view.ts';
import type { RelationDraft } from './draft.ts';
import { Working } from './working.ts';

interface RelateContext {
  readonly view: View;
  readonly isolated: boolean;
  readonly now: string;
}

/** Adds one edge; both ends must be there. `supersedes` is the same act as remembering a successor. */
export function decideRelate(
  state: CommitState,
  request: { source: string; type: string; target: string; confidence: number },
  context: RelateContext,
): Decision<readonly Edge[]> {
  const working = new Working(state, context.isolated);
  const source = working.require(request.source, context.view);
  applyRelations(working, source.id, [request], context);
  const after = working.get(source.id) as Memory;
  const type = canonicalRelationType(request.type);
  const target = working.require(request.target, context.view).id;
  const edges = after.relations
    .filter((relation) => relation.type === type && relation.target === target)
    .map((relation) => ({ source: source.id, ...relation }));
  return { changes: working.changes, result: edges };
}

/** @returns whether anything changed */
export function applyRelations(
  working: Working,
  sourceId: string,
  drafts: readonly RelationDraft[],
  context: RelateContext,
): boolean {
  let changed = false;
  for (const draft of drafts) {
    const source = working.get(sourceId) as Memory;
    const target = working.require(draft.target, context.view, source);
    const type = canonicalRelationType(draft.type);
    if (target.id === sourceId) {
      throw new LociError(
        'invalid_input',
        `${sourceId} cannot be related to itself`,
        'Give two different memories.',
      );
    }
    if (type === 'supersedes') {
      changed = supersede(working, sourceId, target.id, context) || changed;
      continue;
    }
    changed =
      putRelation(working, source, type, target.id, draft.confidence, context.now) || changed;
    if (type === DERIVED_FROM) lowerTrust(working, sourceId, target.source, context.now);
  }
  return changed;
}

/**
 * Lets one memory replace another: the old one is kept as history and no longer recalled as
 * current. A draft only says what it would replace: it does so when it becomes active.
 * @returns whether anything changed
 * @throws LociError conflict when another memory has replaced it already
 */
export function supersede(
  working: Working,
  successorId: string,
  oldRef: string,
  context: RelateContext,
): boolean {
  const successor = working.get(successorId) as Memory;
  const old = working.require(oldRef, context.view, successor);
  if (old.id === successorId) {
    throw new LociError('invalid_input', `${old.id} cannot supersede itself`);
  }
  if (successor.superseded_by === old.id) {
    throw new LociError(
      'conflict',
      `${successorId} was itself superseded by ${old.id}`,
      'Remember its text anew with --supersedes and the id of the successor.',
    );
  }
  if (!isLive(successor.status)) {
    throw new LociError(
      'conflict',
      `${successorId} is ${successor.status}, and what is not current replaces nothing`,
      'Restore it first, or remember its text anew with --supersedes.',
    );
  }
  if (old.superseded_by === successorId) return false;
  if (old.superseded_by !== undefined) {
    const successorOfOld = working.find(old.superseded_by, context.view);
    throw new LociError(
      'conflict',
      successorOfOld
        ? `${old.id} is already superseded by ${successorOfOld.id}`
        : `${old.id} is already superseded, by a memory that is not seen from here`,
      successorOfOld ? `Supersede ${successorOfOld.id} instead.` : 'Remember the text on its own.',
    );
  }
  const linked = { ...successor, supersedes: successor.supersedes ?? old.id };
  if (successor.status === 'draft') {
    if (successor.supersedes !== undefined) return false;
    const data = { ...linked, updated_at: context.now };
    working.put({ kind: 'memory.related', subject: successorId, data });
    return true;
  }
  putRelation(working, linked, 'supersedes', old.id, 1, context.now);
  working.put({
    kind: 'memory.superseded',
    subject: old.id,
    data: { ...supersededBy(successor, old), updated_at: context.now },
    reason: `superseded by ${successorId}`,
  });
  return true;
}

/** A memory once another one has replaced it. */
export function supersededBy(successor: Memory, old: Memory): Memory {
  return {
    ...old,
    // What was rejected stays so: its text must not come back as history either.
    status: old.status === 'rejected' ? 'rejected' : 'superseded',
    superseded_by: successor.id,
    superseded_at: successor.created_at,
  };
}

/** Lets a draft that has become active replace what it said it would. */
export function keepWord(working: Working, id: string, context: RelateContext): void {
  const { status, supersedes, relations } = working.get(id) as Memory;
  if (status !== 'active' || supersedes === undefined) return;
  const done = relations.some(({ type, target }) => type === 'supersedes' && target === supersedes);
  if (!done) supersede(working, id, supersedes, context);
}

/** What was made from a source that is trusted less is not trusted more, and waits for a person. */
function lowerTrust(working: Working, id: string, source: string, now: string): void {
  const memory = working.get(id) as Memory;
  const lower = lowerSource(memory.source, source);
  if (lower === memory.source) return;
  const status = memory.status === 'active' && !isTrusted(lower) ? 'draft' : memory.status;
  const data = { ...memory, source: lower, status, updated_at: now };
  working.put({
    kind: 'memory.related',
    subject: id,
    data,
    reason: `made from what ${source} said`,
  });
}

/** Notes that a memory is much like another one, unless they are related already. */
export function linkAlike(
  working: Working,
  sourceId: string,
  { memory, score }: { readonly memory: Memory; readonly score: number },
  now: string,
): void {
  const source = working.get(sourceId) as Memory;
  if (source.relations.some(({ target }) => target === memory.id)) return;
  const confidence = Math.round(score * 100) / 100;
  putRelation(working, source, 'related_to', memory.id, confidence, now, NEAR_DUPLICATE);
}

function putRelation(
  working: Working,
  source: Memory,
  type: string,
  target: string,
  confidence: number,
  now: string,
  origin = 'stated',
): boolean {
  const present = source.relations.find((r) => r.type === type && r.target === target);
  if (present?.confidence === confidence) return false;
  const relations = withRelation(source.relations, { type, target, confidence, origin });
  const data = { ...source, relations, updated_at: now };
  working.put({ kind: 'memory.related', subject: source.id, data });
  return true;
}
