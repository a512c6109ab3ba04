import type { Change } from '../../domain/change.ts';
import type { SkippedStep, Step, StepsTaken } from '../../domain/decide/steps.ts';
import type { Memory } from '../../domain/memory.ts';
import { stepOf, type ProposalRecord } from '../../domain/proposal.ts';
import { recordSubject } from '../../domain/record.ts';
import { activateStep, brokenPromise, promiseOf } from '../../domain/upkeep.ts';
import type { ReviewDone } from '../../domain/upkeep-results.ts';
import type { View } from '../../domain/view.ts';
import type { Deps } from '../../ports/deps.ts';
import { confinedView } from '../../ports/scope.ts';
import { carryOut } from '../carry-out.ts';
import { runResult } from '../run-plan.ts';
import { memoriesOf } from './queue.ts';
import { sortOut } from './sort-out.ts';

/** Makes drafts active, with their word kept, and does what proposals propose; as one run. */
export async function accept(
  ids: readonly string[],
  reason: string | undefined,
  deps: Deps,
): Promise<ReviewDone> {
  const view = await confinedView(deps);
  const { drafts, proposals, skipped } = await sortOut(ids, 'accept', view, deps);
  const steps: Step[] = [];
  const stepsOf = new Map<string, Step>();
  const take = (id: string, step: Step | SkippedStep): void => {
    if (!('before' in step)) skipped.push(step);
    else {
      steps.push(step);
      stepsOf.set(id, step);
    }
  };
  for (const draft of drafts) take(draft.id, await acceptedDraft(draft, reason, view, deps));
  const memories = await memoriesOf(proposals, view, deps);
  for (const proposal of proposals) take(proposal.id, acceptedProposal(proposal, memories));

  const isTaken = (id: string, { applied }: StepsTaken): boolean => {
    const step = stepsOf.get(id);
    return step !== undefined && applied.includes(step);
  };
  const besides = (taken: StepsTaken): readonly Change[] =>
    proposals
      .filter(({ id }) => isTaken(id, taken))
      .map((proposal) => settled(proposal, 'accepted', reason));
  const done = await carryOut('review', steps, deps, {}, besides);
  return {
    accepted: ids.filter((id) => isTaken(id, done)),
    refused: [],
    ...runResult({ ...done, skipped: [...skipped, ...done.skipped] }, false),
  };
}

/** The record of a proposal once somebody has decided. */
export function settled(
  proposal: ProposalRecord,
  status: 'accepted' | 'refused',
  reason: string | undefined,
): Change {
  const data = { ...proposal, status, ...(reason === undefined ? {} : { status_reason: reason }) };
  return { kind: 'proposal.recorded', subject: recordSubject('proposal', proposal.id), data };
}

async function acceptedDraft(
  draft: Memory,
  reason: string | undefined,
  view: View,
  { engine }: Pick<Deps, 'engine'>,
): Promise<Step | SkippedStep> {
  const promise = promiseOf(draft);
  const [stored] = promise === undefined ? [] : await engine.get([promise], view);
  const obstacle = brokenPromise(draft, stored?.memory);
  if (obstacle !== undefined) return { id: draft.id, rule: 'accept', reason: obstacle };
  return activateStep('accept', reason ?? 'accepted in review', draft, stored?.memory);
}

function acceptedProposal(
  proposal: ProposalRecord,
  memories: ReadonlyMap<string, Memory>,
): Step | SkippedStep {
  const step = stepOf(proposal, memories);
  if (step) return step;
  const reason = 'a memory that it would change has changed since; refuse it';
  return { id: proposal.id, rule: 'accept', reason };
}
