import { isTold } from '../../domain/pages/entry.ts';
import type { Listing, PageSource } from '../../domain/pages/render.ts';
import type { Memory } from '../../domain/memory.ts';
import type { Filter, View } from '../../domain/view.ts';
import type { Deps } from '../../ports/deps.ts';

/** Memories that a page lists at most, over all projects. */
const MOST_LISTED = 500;
/** Memories read at a time. */
const READ = 500;

type Order = 'created_at' | 'updated_at';

/** What the pages tell of what a view sees. */
export async function pageSource(
  view: View,
  deps: Pick<Deps, 'engine' | 'clock'>,
): Promise<PageSource> {
  const current = { statuses: ['active'], validAtMs: deps.clock.nowMs() } as const;
  const ofType = (type: string): Promise<Listing> =>
    listing(view, { ...current, types: [type] }, 'created_at', deps);
  const { total, byStatus, byType, byProject } = await deps.engine.stats(view);
  const tags = await toldTags(view, current, deps);
  return {
    decisions: await ofType('decision'),
    constraints: await ofType('constraint'),
    questions: await ofType('open_question'),
    episodes: await ofType('episode'),
    conflicts: await ofType('conflict'),
    // What was rejected as wrong is not told again.
    changes: await listing(
      view,
      { notTypes: ['episode'], statuses: ['active', 'superseded', 'archived'] },
      'updated_at',
      deps,
    ),
    counts: { total, by_status: byStatus, by_type: byType, by_project: byProject, tags },
  };
}

/** How many memories that may be told bear each tag. */
async function toldTags(
  view: View,
  filter: Filter,
  deps: Pick<Deps, 'engine'>,
): Promise<Record<string, number>> {
  const tags: Record<string, number> = Object.create(null) as Record<string, number>;
  for await (const memory of newest(view, filter, 'created_at', deps)) {
    if (!isTold(memory)) continue;
    for (const tag of memory.tags) tags[tag] = (tags[tag] ?? 0) + 1;
  }
  return tags;
}

/** The newest that may be told; what is private is passed over. */
async function listing(
  view: View,
  filter: Filter,
  sort: Order,
  deps: Pick<Deps, 'engine'>,
): Promise<Listing> {
  const memories: Memory[] = [];
  for await (const memory of newest(view, filter, sort, deps)) {
    if (!isTold(memory)) continue;
    if (memories.length === MOST_LISTED) return { memories, more: true };
    memories.push(memory);
  }
  return { memories, more: false };
}

async function* newest(
  view: View,
  filter: Filter,
  sort: Order,
  { engine }: Pick<Deps, 'engine'>,
): AsyncIterable<Memory> {
  const order = { sort, descending: true, limit: READ } as const;
  let after: { value: string; id: string } | undefined;
  for (;;) {
    const { rows } = await engine.select({ view, filter, ...order, ...(after && { after }) });
    for (const { memory } of rows) yield memory;
    const last = rows.at(-1)?.memory;
    if (!last || rows.length < READ) return;
    after = { value: last[sort], id: last.id };
  }
}
