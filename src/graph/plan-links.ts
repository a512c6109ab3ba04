import type { Step } from '../domain/decide/steps.ts';
import {
  changeOf,
  LINK,
  linkStep,
  planLinks,
  unclaimed,
  withFormerNames,
  type LinkPlan,
} from '../domain/graph/links.ts';
import type { Names } from '../domain/graph/names.ts';
import { referencesIn } from '../domain/graph/references.ts';
import { relatedInFront } from '../domain/markdown/legacy-links.ts';
import type { Memory, StoredMemory } from '../domain/memory.ts';
import type { Relation } from '../domain/relation.ts';
import type { Deps } from '../ports/deps.ts';
import { confinedView, currentView } from '../ports/scope.ts';
import { selectAll } from '../ports/select-all.ts';
import { formerTitles, readNames } from './read-names.ts';

/** What is to be done to one memory, and what in it leads nowhere. */
export interface PlannedLinks {
  readonly memory: Memory;
  readonly added: readonly Relation[];
  readonly removed: readonly Relation[];
  readonly open: LinkPlan['open'];
  readonly step: Step | undefined;
}

/**
 * Compares the links in the bodies of the caller's project with the edges that are there. They may lead
 * to whatever the caller sees. Two passes, so that no more than the names are held.
 */
export async function* planRelink(deps: Deps): AsyncIterable<PlannedLinks> {
  const names = await readNames(await currentView(deps), deps);
  for await (const { memory } of ownMemories(deps)) {
    let plan = planLinks(memory, names);
    const lost = unclaimed(memory, plan);
    if (lost.length > 0) plan = withFormerNames(memory, plan, await formerTitles(lost, deps));
    const change = changeOf(memory, plan);
    yield { memory, ...change, open: plan.open, step: linkStep('relink', memory, change) };
  }
}

/** Edges that front matter of S2 names, and ids in bodies. Nothing is taken away. */
export async function* planMigration(deps: Deps): AsyncIterable<PlannedLinks> {
  const names = await readNames(await currentView(deps), deps);
  for await (const stored of ownMemories(deps)) {
    const { memory } = stored;
    const { added, open } = migration(stored, names);
    const change = { added, removed: [] };
    yield { memory, ...change, open, step: linkStep('migrate-relations', memory, change) };
  }
}

/** Origin of edges that stood in the front matter of another system. */
const MIGRATED = 'migrated';

function migration(
  { memory, front }: StoredMemory,
  names: Names,
): { added: Relation[]; open: LinkPlan['open'] } {
  const related = new Set([memory.id, ...memory.relations.map(({ target }) => target)]);
  const added: Relation[] = [];
  const open: LinkPlan['open'][number][] = [];
  const relate = (target: string, origin: string): void => {
    if (related.has(target)) return;
    related.add(target);
    added.push({ type: 'related_to', target, confidence: 1, origin });
  };
  for (const name of front === undefined ? [] : relatedInFront(front)) {
    const found = names.resolve(name);
    const [target] = found;
    if (target !== undefined && found.length === 1) relate(target, MIGRATED);
    else open.push({ name, candidates: found, isMeant: true });
  }
  const { ids } = referencesIn(memory.body);
  for (const id of ids) for (const target of names.byId(id)) relate(target, LINK);
  return { added, open };
}

/** What is current in the caller's project: history keeps the edges that it had. */
async function* ownMemories(deps: Deps): AsyncIterable<StoredMemory> {
  const filter = { statuses: ['active', 'draft'] } as const;
  yield* selectAll(await confinedView(deps), filter, deps);
}
