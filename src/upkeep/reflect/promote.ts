import type { SkippedStep } from '../../domain/decide/steps.ts';
import { brokenPromise, isPromotable, promiseOf, promoteStep } from '../../domain/upkeep.ts';
import type { View } from '../../domain/view.ts';
import type { Deps } from '../../ports/deps.ts';
import type { Plan } from '../plan.ts';

/**
 * Plans that sure drafts become active and sure beliefs facts. A draft that says what it replaces
 * does so; one that cannot keep its word any more is left to a person.
 */
export async function promote(
  plan: Plan,
  view: View,
  { engine }: Pick<Deps, 'engine'>,
): Promise<readonly SkippedStep[]> {
  const promotable = plan.live().filter(isPromotable);
  const promised = promotable.flatMap((memory) => promiseOf(memory) ?? []);
  const unknown = promised.filter((id) => plan.get(id) === undefined);
  if (unknown.length > 0) {
    plan.know((await engine.get(unknown, view)).map(({ memory }) => memory));
  }
  const skipped: SkippedStep[] = [];
  for (const memory of promotable) {
    const promise = promiseOf(memory);
    const old = promise === undefined ? undefined : plan.get(promise);
    const obstacle = brokenPromise(memory, old);
    if (obstacle === undefined) plan.take(promoteStep(memory, old));
    else skipped.push({ id: memory.id, rule: 'promote', reason: obstacle });
  }
  return skipped;
}
