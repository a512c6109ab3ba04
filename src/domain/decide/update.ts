import { citesField, nextCites, type CitesGiven } from '../anchors/next.ts';
import { canonicalJson } from '../canonical.ts';
import type { CommitState, Decision } from '../change.ts';
import { LociError } from '../errors.ts';
import { isTrusted, typeRow } from '../lifecycle.ts';
import type { Memory } from '../memory.ts';
import type { ChangeResult, Outcome } from '../results.ts';
import type { View } from '../view.ts';
import type { Draft, Fields, RelationDraft } from './draft.ts';
import { refuseRevival } from './change-status.ts';
import { applyRelations, keepWord, supersede } from './relate.ts';
import { Working } from './working.ts';

export interface UpdateContext {
  readonly view: View;
  readonly isolated: boolean;
  readonly now: string;
}

export interface UpdateRequest {
  readonly id: string;
  readonly given: Fields;
  /** Source of what is given where it names none. */
  readonly by?: string;
  readonly supersedes?: string;
  readonly externalId?: string;
  readonly relations: readonly RelationDraft[];
  readonly cites?: CitesGiven;
  readonly expectVersion?: number;
  readonly reason?: string;
}

/** Changes the fields that were given; everything else stays. */
export function decideUpdate(
  state: CommitState,
  request: UpdateRequest,
  context: UpdateContext,
): Decision<ChangeResult> {
  const working = new Working(state, context.isolated);
  const memory = working.require(request.id, context.view);
  const version = working.stored(memory.id)?.version ?? 1;
  if (request.expectVersion !== undefined && request.expectVersion !== version) {
    throw new LociError(
      'conflict',
      `${memory.id} is at version ${version}, not ${request.expectVersion}`,
      'Get it again, look at what changed, and repeat the update on the new version.',
    );
  }
  const outcome = applyUpdate(working, memory, request, context, request.reason);
  const events = working.changes.filter((change) => change.subject === memory.id).length;
  return {
    changes: working.changes,
    result: { id: memory.id, version: version + events, outcome },
  };
}

/** Puts the change of a known memory on the list, if there is one. */
export function applyUpdate(
  working: Working,
  memory: Memory,
  request: Pick<Draft, 'given' | 'supersedes' | 'externalId' | 'relations' | 'cites'> & {
    by?: string;
  },
  context: UpdateContext,
  reason?: string,
): Outcome {
  const { externalId, cites, by } = request;
  const given = withLowerTrust(memory, withTierOfType(memory, request.given), by);
  const known = externalId === undefined || memory.external_ids.includes(externalId);
  const { cites: _, ...kept } = memory;
  const { body } = given;
  const next: Memory = {
    ...kept,
    ...given,
    ...citesField(
      nextCites(memory, {
        ...(body === undefined ? {} : { body }),
        ...(cites === undefined ? {} : { given: cites }),
      }),
    ),
    evidence: [...new Set([...memory.evidence, ...(given.evidence ?? [])])],
    external_ids: known ? memory.external_ids : [...memory.external_ids, externalId],
  };
  let outcome: Outcome = 'unchanged';
  if (canonicalJson(next) !== canonicalJson(memory)) {
    if (next.status !== memory.status) refuseRevival(working, memory, next.status, context.view);
    if (next.body !== memory.body || next.status !== memory.status)
      working.requireFreeContent(next);
    if (working.key(next) !== working.key(memory)) working.requireUnrejected(next);
    const data = { ...next, updated_at: context.now };
    working.put({
      kind: 'memory.updated',
      subject: memory.id,
      data,
      ...(reason ? { reason } : {}),
    });
    if (memory.status === 'draft') keepWord(working, memory.id, context);
    outcome = 'updated';
  }
  if (request.supersedes !== undefined) {
    if (supersede(working, memory.id, request.supersedes, context)) outcome = 'superseded';
  }
  const related = applyRelations(working, memory.id, request.relations, context);
  return related && outcome === 'unchanged' ? 'updated' : outcome;
}

/**
 * A trusted memory whose text an untrusted source rewrites is from that source, and no longer vouched
 * for: it waits as a draft, unless whoever changes it says what its status is.
 */
function withLowerTrust(memory: Memory, given: Fields, by: string = memory.source): Fields {
  const source = given.source ?? by;
  const { body = memory.body, title = memory.title } = given;
  const isSameText = body === memory.body && title === memory.title;
  if (isSameText || isTrusted(source) || !isTrusted(memory.source)) return given;
  const status = given.status ?? (memory.status === 'active' ? 'draft' : memory.status);
  return { ...given, source, status };
}

/** A memory that becomes another type moves to that type's tier, unless it was put elsewhere. */
function withTierOfType(memory: Memory, given: Fields): Fields {
  if (given.type === undefined || given.tier !== undefined) return given;
  if (memory.tier !== typeRow(memory.type).tier) return given;
  return { ...given, tier: typeRow(given.type).tier };
}
