import { endsAtMs } from '../../domain/memory.ts';
import type { SkippedStep } from '../../domain/decide/steps.ts';
import { parseInput } from '../../domain/parse.ts';
import type { ProposalRecord } from '../../domain/proposal.ts';
import { expireStep } from '../../domain/upkeep.ts';
import type { ReflectOptions } from '../../domain/upkeep-inputs.ts';
import { reflectOptions } from '../../domain/upkeep-options.ts';
import type { Proposed, ReflectResult } from '../../domain/upkeep-results.ts';
import type { View } from '../../domain/view.ts';
import type { Deps } from '../../ports/deps.ts';
import { confinedView } from '../../ports/scope.ts';
import { NOTHING_DONE, type CarriedOut } from '../carry-out.ts';
import { writePages } from '../pages/write-pages.ts';
import { Plan } from '../plan.ts';
import { notYetProposed, propose } from '../propose.ts';
import { idsOfRule, runPlan, runResult } from '../run-plan.ts';
import { selectAll } from '../select-all.ts';
import { comparedGroups } from './compare.ts';
import { deduplicate } from './deduplicate.ts';
import { findConflicts, isDerived } from './find-conflicts.ts';
import { noteSeen, stillSeen, type Seen } from './mark.ts';
import { promote } from './promote.ts';
import { proposeMerges } from './propose-merges.ts';

/** Conflicts that are told. */
const MOST_CONFLICTS = 1000;

/**
 * Consolidates the current project as one run: archives what is over, joins what is there twice,
 * promotes what is sure; flags conflicts, proposes merges, and brings the pages of the store up to
 * date. The second time in a row nothing is left to do, and that is known without looking.
 */
export async function reflect(options: ReflectOptions, deps: Deps): Promise<ReflectResult> {
  const { dryRun = false } = parseInput(reflectOptions, options, 'reflect');
  const view = await confinedView(deps);
  const seen = await stillSeen(view, deps);
  const found: Found = seen
    ? { seen, done: { ...NOTHING_DONE, skipped: seen.skipped }, proposed: [] }
    : await lookAtEverything(view, dryRun, deps);
  const { done, proposed } = found;
  return {
    ...runResult(done, dryRun),
    expired: idsOfRule(done, 'expire'),
    deduplicated: idsOfRule(done, 'deduplicate', 'memory.archived'),
    promoted: idsOfRule(done, 'promote', 'memory.promoted'),
    conflicts: found.seen.conflicts,
    conflicts_total: found.seen.conflicts_total,
    proposed: proposed.map(shown),
    views: await writePages(deps, dryRun),
  };
}

interface Found {
  readonly seen: Seen;
  readonly done: CarriedOut;
  readonly proposed: readonly ProposalRecord[];
}

async function lookAtEverything(view: View, dryRun: boolean, deps: Deps): Promise<Found> {
  const { engine, clock } = deps;
  const begin = await engine.head();
  const stored = [];
  for await (const one of selectAll(view, { statuses: ['active', 'draft'] }, deps))
    stored.push(one);
  const derived = stored.filter(isDerived).map(({ memory }) => memory);
  const plan = new Plan(stored.filter((one) => !isDerived(one)).map(({ memory }) => memory));
  const nowMs = clock.nowMs();
  for (const memory of plan.live()) if (endsAtMs(memory) <= nowMs) plan.take(expireStep(memory));
  await deduplicate(plan, view, deps);
  const unkept = await promote(plan, view, deps);

  const live = plan.live();
  const groups = comparedGroups(live, engine.isolated);
  const conflicts = findConflicts(live, groups, derived);
  const merges = await proposeMerges(plan, groups, view, deps);

  const done = await runPlan('reflect', plan.steps, dryRun, deps);
  const skipped: readonly SkippedStep[] = [...unkept, ...done.skipped];
  const seen: Seen = {
    conflicts: conflicts.slice(0, MOST_CONFLICTS),
    conflicts_total: conflicts.length,
    skipped,
  };
  if (dryRun) {
    const proposed = await notYetProposed(merges, view, deps);
    return { seen, done: { ...done, skipped }, proposed };
  }
  const { fresh, events } = await propose(merges, deps);
  await noteSeen(view, seen, { begin, ownEvents: done.events + events, live }, deps);
  return { seen, done: { ...done, skipped }, proposed: fresh };
}

function shown({ id, changes, reason, confidence }: ProposalRecord): Proposed {
  return { id, ids: changes.map((change) => change.id), reason, confidence };
}
