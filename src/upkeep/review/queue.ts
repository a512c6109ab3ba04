import { isTrusted } from '../../domain/lifecycle.ts';
import { headline, type Memory } from '../../domain/memory.ts';
import { stepOf, type ProposalRecord } from '../../domain/proposal.ts';
import { SURE } from '../../domain/upkeep.ts';
import type { Waiting } from '../../domain/upkeep-results.ts';
import type { View } from '../../domain/view.ts';
import type { Deps } from '../../ports/deps.ts';
import { confinedView } from '../../ports/scope.ts';
import { isDerived } from '../reflect/find-conflicts.ts';
import { selectAll } from '../select-all.ts';

/** Everything that waits, oldest first. */
export async function waiting(deps: Deps): Promise<readonly Waiting[]> {
  const view = await confinedView(deps);
  const drafts: Waiting[] = [];
  for await (const stored of selectAll(view, { statuses: ['draft'] }, deps)) {
    if (!isDerived(stored)) drafts.push(waitingDraft(stored.memory));
  }
  const proposals = (await proposalsIn(view, deps)).filter(({ status }) => status === 'waiting');
  const memories = await memoriesOf(proposals, view, deps);
  const all = [...drafts, ...proposals.map((proposal) => waitingProposal(proposal, memories))];
  return all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.id < b.id ? -1 : 1));
}

export async function proposalsIn(
  view: View,
  { engine }: Pick<Deps, 'engine'>,
): Promise<readonly ProposalRecord[]> {
  return (await engine.records('proposal', view)) as readonly ProposalRecord[];
}

/** The memories that proposals would change, as they are now. */
export async function memoriesOf(
  proposals: readonly ProposalRecord[],
  view: View,
  { engine }: Pick<Deps, 'engine'>,
): Promise<ReadonlyMap<string, Memory>> {
  const ids = proposals.flatMap(({ changes }) => changes.map(({ id }) => id));
  const stored = ids.length === 0 ? [] : await engine.get([...new Set(ids)], view);
  return new Map(stored.map(({ memory }) => [memory.id, memory]));
}

function waitingDraft(memory: Memory): Waiting {
  const { id, source, confidence, created_at } = memory;
  return {
    id,
    kind: 'draft',
    why: whyDraft(memory),
    source,
    confidence,
    at: created_at,
    title: headline(memory),
  };
}

function whyDraft({ source, confidence }: Memory): string {
  if (!isTrusted(source)) return `it comes from ${source}, which is not trusted`;
  if (confidence < SURE) return `its confidence of ${confidence} is below ${SURE}`;
  return 'the next reflect accepts it, if it can';
}

function waitingProposal(proposal: ProposalRecord, memories: ReadonlyMap<string, Memory>): Waiting {
  const { id, reason, verb, rule, confidence, at, changes } = proposal;
  return {
    id,
    kind: 'proposal',
    why: reason,
    source: `${verb}: ${rule}`,
    confidence,
    at,
    title: null,
    changes: changes.map((change) => ({ id: change.id, fields: change.fields })),
    ...(stepOf(proposal, memories) ? {} : { stale: true }),
  };
}
