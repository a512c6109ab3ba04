import type { Step } from '../../domain/decide/steps.ts';
import type { Memory } from '../../domain/memory.ts';
import type { ReviewDone } from '../../domain/upkeep-results.ts';
import type { Deps } from '../../ports/deps.ts';
import { confinedView } from '../../ports/scope.ts';
import { carryOut } from '../carry-out.ts';
import { runResult } from '../run-plan.ts';
import { settled } from './accept.ts';
import { sortOut } from './sort-out.ts';

/** Rejects drafts, as one run, and closes proposals: they are not made again. */
export async function refuse(
  ids: readonly string[],
  reason: string | undefined,
  deps: Deps,
): Promise<ReviewDone> {
  const view = await confinedView(deps);
  const { drafts, proposals, skipped } = await sortOut(ids, 'refuse', view, deps);
  const steps = drafts.map((draft) => refusedDraft(draft, reason ?? 'refused in review'));
  const done = await carryOut('review', steps, deps);
  if (proposals.length > 0) {
    const request = { ids: [], contentKeys: [], actor: deps.scope.actor };
    const changes = proposals.map((proposal) => settled(proposal, 'refused', reason));
    await deps.engine.commit(request, () => ({ changes, result: undefined }));
  }
  const gone = new Set([
    ...done.applied.map(({ before }) => before.id),
    ...proposals.map(({ id }) => id),
  ]);
  return {
    accepted: [],
    refused: ids.filter((id) => gone.has(id)),
    ...runResult({ ...done, skipped: [...skipped, ...done.skipped] }, false),
  };
}

function refusedDraft(draft: Memory, reason: string): Step {
  return {
    rule: 'refuse',
    kind: 'memory.rejected',
    reason,
    before: draft,
    after: { ...draft, status: 'rejected', status_reason: reason },
  };
}
