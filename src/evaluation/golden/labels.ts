import type { EvalQuery } from '../../domain/eval-set.ts';
import { endsAtMs } from '../../domain/memory.ts';
import type { GotMemory } from '../../domain/results.ts';
import type { Loci } from '../../loci.ts';

/** The memories that a query names, as they are in the store today. */
export interface Labels {
  /** The store's id by the query's. What was replaced since stands for what replaced it. */
  readonly storedIds: ReadonlyMap<string, string>;
  /** What replaced a memory in the end, by its id. */
  readonly successors: ReadonlyMap<string, string>;
  /** Why recall leaves a memory out, by the query's id, where something about it says so. */
  readonly obstacles: ReadonlyMap<string, string>;
  /** What the keeper of the queries should know. */
  readonly notes: readonly string[];
}

/**
 * Looks up the memories that a query names. A decision that was replaced is no loss, so the one that
 * holds now is wanted in its place; but not when the query asks for an earlier time. Forbidden ones
 * stay what they are.
 */
export async function findLabels(query: EvalQuery, loci: Loci, nowMs: number): Promise<Labels> {
  const { project, agent, asOf } = query;
  const asker = loci.scoped({ project, agent });
  const find = async (id: string, allProjects = false): Promise<GotMemory | undefined> =>
    (await asker.get({ ids: [id], allProjects })).memories[0];

  const storedIds = new Map<string, string>();
  const successors = new Map<string, string>();
  const obstacles = new Map<string, string>();
  const notes: string[] = [];
  const wanted = [...Object.keys(query.relevant), ...(query.equivalent ?? []).flat()];
  for (const label of new Set(wanted)) {
    const named = await find(label);
    if (!named) {
      const elsewhere = await find(label, true);
      const obstacle = elsewhere ? `out of view, in ${elsewhere.project}` : 'not in the store';
      obstacles.set(label, obstacle);
      notes.push(`${label} is ${obstacle}`);
      continue;
    }
    const chain = asOf === undefined ? await successorsOf(named, find) : [named];
    const current = chain.at(-1) ?? named;
    storedIds.set(label, current.id);
    if (current.id !== named.id) {
      for (const { id } of chain) successors.set(id, current.id);
      notes.push(`${label} was replaced by ${current.id}, which is wanted in its place`);
    }
    const obstacle = obstacleTo(current, nowMs);
    if (obstacle !== undefined) obstacles.set(label, obstacle);
  }
  for (const label of query.forbidden ?? []) {
    const named = await find(label, true);
    if (named) storedIds.set(label, named.id);
    else notes.push(`${label} is not in the store`);
  }
  return { storedIds, successors, obstacles, notes };
}

/** A memory and what replaced it, the one that holds now last. */
async function successorsOf(
  memory: GotMemory,
  find: (id: string) => Promise<GotMemory | undefined>,
): Promise<readonly GotMemory[]> {
  const chain = [memory];
  for (let next: GotMemory | undefined = memory; next?.superseded_by !== undefined;) {
    next = await find(next.superseded_by);
    if (!next || chain.some(({ id }) => id === next?.id)) break;
    chain.push(next);
  }
  return chain;
}

function obstacleTo(memory: GotMemory, nowMs: number): string | undefined {
  const { status, status_reason } = memory;
  if (status !== 'active') return status_reason ? `${status}: ${status_reason}` : status;
  const ends = endsAtMs(memory);
  return ends <= nowMs ? `expired on ${new Date(ends).toISOString().slice(0, 10)}` : undefined;
}
