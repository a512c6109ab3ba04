import { claimsOf } from '../../domain/claims.ts';
import { isCompared, type Compared } from '../../domain/conflict.ts';
import { drawerOf } from '../../domain/identity.ts';
import type { Memory } from '../../domain/memory.ts';

/** The memories whose claims are compared with each other, group by group: texts never cross drawers. */
export function comparedGroups(
  live: readonly Memory[],
  isolated: boolean,
): readonly (readonly Compared[])[] {
  const groups = new Map<string, Compared[]>();
  for (const memory of live) {
    if (!isCompared(memory)) continue;
    const compared = { memory, claims: claimsOf(memory.body) };
    const drawer = JSON.stringify([memory.project, drawerOf(memory, isolated)]);
    const group = groups.get(drawer);
    if (group) group.push(compared);
    else groups.set(drawer, [compared]);
  }
  return [...groups.values()];
}
