import type { SkippedStep } from '../../domain/decide/steps.ts';
import type { Memory } from '../../domain/memory.ts';
import type { ProposalRecord } from '../../domain/proposal.ts';
import type { View } from '../../domain/view.ts';
import type { Deps } from '../../ports/deps.ts';
import { proposalsIn } from './queue.ts';

/** What ids of the queue stand for; one that does not wait is named with the reason. */
export async function sortOut(
  ids: readonly string[],
  rule: 'accept' | 'refuse',
  view: View,
  deps: Deps,
): Promise<{ drafts: Memory[]; proposals: ProposalRecord[]; skipped: SkippedStep[] }> {
  const known = new Map((await proposalsIn(view, deps)).map((proposal) => [proposal.id, proposal]));
  const stored = await deps.engine.get([...ids], view);
  const memories = new Map(stored.map(({ memory }) => [memory.id, memory]));
  const drafts: Memory[] = [];
  const proposals: ProposalRecord[] = [];
  const skipped: SkippedStep[] = [];
  for (const id of new Set(ids)) {
    const proposal = known.get(id);
    const memory = memories.get(id);
    if (proposal?.status === 'waiting') proposals.push(proposal);
    else if (memory?.status === 'draft') drafts.push(memory);
    else skipped.push({ id, rule, reason: whyNot(proposal?.status ?? memory?.status) });
  }
  return { drafts, proposals, skipped };
}

function whyNot(status: string | undefined): string {
  return status === undefined ? 'nothing of this id waits here' : `it is ${status} already`;
}
