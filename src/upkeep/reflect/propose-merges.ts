import { mayConflict, type Compared } from '../../domain/conflict.ts';
import { keeperFirst, mergeStep } from '../../domain/duplicates.ts';
import type { Memory } from '../../domain/memory.ts';
import { proposalOf, type ProposalRecord } from '../../domain/proposal.ts';
import { sameWords } from '../../domain/same-words.ts';
import { toIso } from '../../domain/time.ts';
import type { View } from '../../domain/view.ts';
import type { Deps } from '../../ports/deps.ts';
import { placeOfRecords } from '../carry-out.ts';
import type { Plan } from '../plan.ts';
import { surroundings } from './deduplicate.ts';

const CONFIDENCE = 0.9;

/** Proposals to merge memories that say the same in the same words, but not to the letter. */
export async function proposeMerges(
  plan: Plan,
  groups: readonly (readonly Compared[])[],
  view: View,
  deps: Deps,
): Promise<readonly ProposalRecord[]> {
  const alike = groups.flatMap(sameWords);
  if (alike.length === 0) return [];
  const around = await surroundings(alike.flat(), plan, view, deps.engine);
  const place = await placeOfRecords(deps);
  const at = toIso(deps.clock.nowMs());
  return alike.flatMap((group) => {
    const [keeper, ...others] = [...group].sort(keeperFirst) as [Memory, ...Memory[]];
    return others
      .filter((other) => mayConflict(keeper, other))
      .map((other) => {
        const neighbours = [...(around.get(other.id) ?? [])].flatMap((id) => plan.get(id) ?? []);
        const step = mergeStep('merge', keeper, other, neighbours);
        const reason = `${other.id} says the same as ${keeper.id}, in other letters`;
        const parts = { verb: 'reflect', rule: 'merge', reason, confidence: CONFIDENCE, at };
        return proposalOf({ ...parts, place, step });
      });
  });
}
