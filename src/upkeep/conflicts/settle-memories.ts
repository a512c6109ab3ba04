import { canonicalJson } from '../../domain/canonical.ts';
import { RESOLVED, sidesOf } from '../../domain/conflict.ts';
import { supersededBy } from '../../domain/decide/relate.ts';
import type { Step } from '../../domain/decide/steps.ts';
import { LociError, quote } from '../../domain/errors.ts';
import { isLive } from '../../domain/lifecycle.ts';
import type { Memory } from '../../domain/memory.ts';
import { withRelation } from '../../domain/relation.ts';
import type { View } from '../../domain/view.ts';
import type { Deps } from '../../ports/deps.ts';
import type { Verdict } from './resolve.ts';

/** Settles what two memories say against each other. */
export async function settlePair(
  ids: readonly string[],
  verdict: Verdict,
  view: View,
  deps: Pick<Deps, 'engine'>,
): Promise<Step> {
  const memories = await liveOf(ids, view, deps);
  const missing = ids.filter((id) => !memories.some((memory) => memory.id === id));
  if (ids.length !== 2 || missing.length > 0) {
    throw new LociError(
      'not_found',
      `${quote(ids.join('+'))} is no conflict: ${missing.join(', ') || 'two ids'} must be live in this project`,
      'List the conflicts with: loci conflicts',
    );
  }
  return settle(memories, verdict);
}

/** Settles what somebody noted as a conflict; the note is archived. */
export async function settleNoted(
  note: Memory,
  verdict: Verdict,
  view: View,
  deps: Pick<Deps, 'engine'>,
): Promise<Step> {
  const named = await liveOf(sidesOf(note), view, deps);
  const memories = named.filter(({ type }) => type !== 'conflict');
  const { reason } = verdict;
  const archived: Step = {
    rule: 'resolve',
    kind: 'memory.archived',
    reason,
    before: note,
    after: { ...note, status: 'archived', status_reason: reason },
  };
  if (verdict.both && memories.length < 2) return archived;
  if (memories.length === 0) {
    throw new LociError(
      'conflict',
      `${note.id} is related to no memory that is current, so there is none to keep`,
      `Close it with: loci resolve ${note.id} --both`,
    );
  }
  const { with: others = [], ...step } = settle(memories, verdict);
  return { ...archived, with: [step, ...others] };
}

async function liveOf(
  ids: readonly string[],
  view: View,
  { engine }: Pick<Deps, 'engine'>,
): Promise<readonly Memory[]> {
  const stored = ids.length === 0 ? [] : await engine.get(ids, view);
  const live = stored.map(({ memory }) => memory).filter(({ status }) => isLive(status));
  return live.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function settle(memories: readonly Memory[], verdict: Verdict): Step {
  if (verdict.both) return bothHold(memories, verdict);
  const newest = [...memories].sort((a, b) => (a.created_at < b.created_at ? -1 : 1)).at(-1);
  const keep = verdict.keep ?? newest?.id;
  const kept = memories.find(({ id }) => id === keep);
  if (!kept) {
    throw new LociError(
      'invalid_input',
      `resolve: keep is ${quote(keep)}, which is not among those in conflict`,
      `Give one of ${memories.map(({ id }) => id).join(', ')}.`,
    );
  }
  if (kept.status === 'draft') {
    throw new LociError(
      'conflict',
      `${kept.id} is a draft and replaces nothing yet`,
      `Accept it first: loci review accept ${kept.id}`,
    );
  }
  return supersedesRest(kept, memories, verdict);
}

/** The one that holds replaces the others. */
function supersedesRest(kept: Memory, memories: readonly Memory[], verdict: Verdict): Step {
  const { reason, body = kept.body } = verdict;
  const others = memories.filter(({ id }) => id !== kept.id);
  let relations = kept.relations;
  for (const { id } of others) {
    relations = withRelation(relations, {
      type: 'supersedes',
      target: id,
      confidence: 1,
      origin: RESOLVED,
    });
  }
  const supersedes = kept.supersedes ?? others[0]?.id;
  const after = { ...kept, body, relations, ...(supersedes === undefined ? {} : { supersedes }) };
  return {
    rule: 'resolve',
    kind: body === kept.body ? 'memory.related' : 'memory.updated',
    reason,
    before: kept,
    after,
    with: others.map((other) => ({
      rule: 'resolve',
      kind: 'memory.superseded',
      reason,
      before: other,
      after: supersededBy(kept, other),
    })),
  };
}

/** An edge takes the place of what said that they contradict each other. */
function bothHold(memories: readonly Memory[], { reason }: Verdict): Step {
  const ids = new Set(memories.map(({ id }) => id));
  const [first, ...others] = memories.map((memory, i): Step => {
    let relations = memory.relations.filter(
      ({ type, target }) => type !== 'contradicts' || !ids.has(target),
    );
    for (const { id } of memories.slice(i + 1)) {
      const edge = { type: 'related_to', target: id, confidence: 1, origin: RESOLVED };
      relations = [...withRelation(relations, edge)];
    }
    const after = { ...memory, relations };
    return { rule: 'resolve', kind: 'memory.related', reason, before: memory, after };
  });
  const changed = others.filter(
    ({ before, after }) => canonicalJson(before.relations) !== canonicalJson(after.relations),
  );
  return { ...(first as Step), with: changed };
}
