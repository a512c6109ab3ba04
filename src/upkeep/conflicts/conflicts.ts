import type { Conflict } from '../../domain/conflict.ts';
import { isMemoryEvent } from '../../domain/event.ts';
import type { Memory } from '../../domain/memory.ts';
import { parseInput } from '../../domain/parse.ts';
import type { ConflictsOptions } from '../../domain/upkeep-inputs.ts';
import { conflictsOptions } from '../../domain/upkeep-options.ts';
import type { ConflictShown, ConflictSide, ConflictsResult } from '../../domain/upkeep-results.ts';
import type { View } from '../../domain/view.ts';
import type { Deps } from '../../ports/deps.ts';
import { confinedView } from '../../ports/scope.ts';
import { comparedGroups } from '../reflect/compare.ts';
import { findConflicts, isDerived } from '../reflect/find-conflicts.ts';
import { stillSeen } from '../reflect/mark.ts';
import { selectAll } from '../select-all.ts';

const LISTED = 20;

/** What does not agree in the current project, with both sides. Changes nothing. */
export async function conflicts(options: ConflictsOptions, deps: Deps): Promise<ConflictsResult> {
  const { limit = LISTED } = parseInput(conflictsOptions, options, 'conflicts');
  const view = await confinedView(deps);
  const seen = await stillSeen(view, deps);
  const all = seen?.conflicts ?? (await conflictsIn(view, deps));
  const total = seen?.conflicts_total ?? all.length;
  const shown: ConflictShown[] = [];
  for (const conflict of all.slice(0, limit)) {
    shown.push({ ...conflict, sides: await sidesOf(conflict, view, deps) });
  }
  return { conflicts: shown, total };
}

async function conflictsIn(view: View, deps: Deps): Promise<readonly Conflict[]> {
  const live: Memory[] = [];
  const derived: Memory[] = [];
  for await (const stored of selectAll(view, { statuses: ['active', 'draft'] }, deps)) {
    (isDerived(stored) ? derived : live).push(stored.memory);
  }
  return findConflicts(live, comparedGroups(live, deps.engine.isolated), derived);
}

async function sidesOf(
  { kind, ids }: Conflict,
  view: View,
  { engine }: Deps,
): Promise<readonly ConflictSide[]> {
  const stored = await engine.get(ids, view);
  if (kind !== 'edits') {
    const sides = stored.map(({ memory }) => sideOf(memory.id, memory.updated_at, null, memory));
    return sides.sort((a, b) => (a.ref < b.ref ? -1 : 1));
  }
  const heads = stored.flatMap((one) => one.heads);
  const events = await Promise.all(heads.map((head) => engine.eventsNamed(head)));
  return events
    .flat()
    .filter(isMemoryEvent)
    .map(({ id, at, actor, data }) => sideOf(id, at, actor, data));
}

function sideOf(
  ref: string,
  at: string,
  actor: string | null,
  { title = null, body }: Omit<Memory, 'title'> & { readonly title?: string | null },
): ConflictSide {
  return { ref, at, actor, title, body };
}
