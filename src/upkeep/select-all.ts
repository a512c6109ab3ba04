import type { StoredMemory } from '../domain/memory.ts';
import type { Filter, View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';

/** Memories read at a time. */
const PAGE = 2000;

/** Everything that a filter lets through, in order of id, read page by page. */
export async function* selectAll(
  view: View,
  filter: Filter,
  { engine }: Pick<Deps, 'engine'>,
): AsyncIterable<StoredMemory> {
  let after: { value: string; id: string } | undefined;
  for (;;) {
    const { rows } = await engine.select({
      view,
      filter,
      sort: 'id',
      descending: false,
      limit: PAGE,
      ...(after ? { after } : {}),
    });
    yield* rows;
    const last = rows.at(-1)?.memory.id;
    if (last === undefined || rows.length < PAGE) return;
    after = { value: last, id: last };
  }
}
