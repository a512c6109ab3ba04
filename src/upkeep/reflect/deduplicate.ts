import { keeperFirst, mergeStep } from '../../domain/duplicates.ts';
import { contentKeyOf } from '../../domain/identity.ts';
import type { Memory } from '../../domain/memory.ts';
import type { View } from '../../domain/view.ts';
import type { Deps } from '../../ports/deps.ts';
import type { Plan } from '../plan.ts';

/**
 * Plans that of live memories with the same text one stays. Commits see to that themselves; what gets
 * past them are files made by hand and logs that were merged.
 */
export async function deduplicate(
  plan: Plan,
  view: View,
  { engine }: Pick<Deps, 'engine'>,
): Promise<void> {
  const groups = new Map<string, Memory[]>();
  for (const memory of plan.live()) {
    const key = contentKeyOf(memory, engine.isolated);
    const group = groups.get(key);
    if (group) group.push(memory);
    else groups.set(key, [memory]);
  }
  const twins = [...groups.values()].filter((group) => group.length > 1);
  if (twins.length === 0) return;
  const around = await surroundings(twins.flat(), plan, view, engine);
  for (const group of twins) {
    const [keeper, ...others] = group.sort(keeperFirst) as [Memory, ...Memory[]];
    for (const { id } of others) {
      const [kept, other] = [plan.get(keeper.id), plan.get(id)] as [Memory, Memory];
      const neighbours = [...(around.get(id) ?? [])].flatMap((name) => plan.get(name) ?? []);
      plan.take(mergeStep('deduplicate', kept, other, neighbours));
    }
  }
}

/**
 * By id of each memory: those whose edges lead to it, those that say it would be replaced by them,
 * and those that it replaced. They become known to the plan.
 */
export async function surroundings(
  memories: readonly Memory[],
  plan: Plan,
  view: View,
  engine: Deps['engine'],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const around = new Map(memories.map(({ id }) => [id, new Set<string>()]));
  for (const { source, target } of await engine.edges([...around.keys()], view)) {
    around.get(target)?.add(source);
  }
  for (const { id, supersedes } of plan.live()) around.get(supersedes ?? '')?.add(id);
  for (const { id, supersedes } of memories) if (supersedes) around.get(id)?.add(supersedes);
  const names = new Set([...around.values()].flatMap((ids) => [...ids]));
  const unknown = [...names].filter((id) => plan.get(id) === undefined);
  const read = unknown.length === 0 ? [] : await engine.get(unknown, view);
  plan.know(read.map(({ memory }) => memory));
  return around;
}
