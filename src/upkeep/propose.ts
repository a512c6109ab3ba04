import type { Change } from '../domain/change.ts';
import type { ProposalRecord } from '../domain/proposal.ts';
import { recordSubject } from '../domain/record.ts';
import type { View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';

/**
 * Puts proposals into the review queue, those that were not there before.
 * @returns those that are new, and how many events that made
 */
export async function propose(
  proposals: readonly ProposalRecord[],
  { engine, scope }: Pick<Deps, 'engine' | 'scope'>,
): Promise<{ fresh: readonly ProposalRecord[]; events: number }> {
  if (proposals.length === 0) return { fresh: [], events: 0 };
  const request = {
    ids: [],
    contentKeys: [],
    actor: scope.actor,
    records: proposals.map(subjectOf),
  };
  const { result, events } = await engine.commit(request, (state) => {
    const fresh = proposals.filter((proposal) => state.record(subjectOf(proposal)) === undefined);
    const changes = fresh.map((data): Change => {
      return { kind: 'proposal.recorded', subject: subjectOf(data), data };
    });
    return { changes, result: fresh };
  });
  return { fresh: result, events: events.length };
}

/** Those of the proposals that are not in the queue, and were never refused or accepted. */
export async function notYetProposed(
  proposals: readonly ProposalRecord[],
  view: View,
  { engine }: Pick<Deps, 'engine'>,
): Promise<readonly ProposalRecord[]> {
  if (proposals.length === 0) return [];
  const known = new Set((await engine.records('proposal', view)).map(({ id }) => id));
  return proposals.filter(({ id }) => !known.has(id));
}

function subjectOf({ id }: ProposalRecord): string {
  return recordSubject('proposal', id);
}
