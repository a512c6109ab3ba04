import { isMemoryEvent } from '../domain/event.ts';
import { Names, titleOf } from '../domain/graph/names.ts';
import type { View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import { selectAll } from '../ports/select-all.ts';

/** The names of all that a view sees. */
export async function readNames(view: View, deps: Pick<Deps, 'engine'>): Promise<Names> {
  const names = new Names();
  for await (const { memory } of selectAll(view, {}, deps)) names.add(memory);
  return names;
}

/** The titles that each of these memories has ever had. */
export async function formerTitles(
  ids: readonly string[],
  { engine }: Pick<Deps, 'engine'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const titles = new Map<string, readonly string[]>();
  for (const id of ids) {
    const events = (await engine.history(id)).filter(isMemoryEvent);
    const had = events.flatMap(({ data }) => titleOf(data) ?? []);
    titles.set(id, [...new Set(had)]);
  }
  return titles;
}
