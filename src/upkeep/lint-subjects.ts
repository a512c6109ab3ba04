import type { LintSubjects } from '../domain/lint/subjects.ts';
import { isLive } from '../domain/lifecycle.ts';
import type { Memory } from '../domain/memory.ts';
import type { Edge } from '../domain/relation.ts';
import { VIEW_ALL } from '../domain/view.ts';
import { lookAtCode } from '../ports/anchors.ts';
import type { Deps } from '../ports/deps.ts';
import { confinedView, currentView } from '../ports/scope.ts';
import { selectAll } from './select-all.ts';

/** Memories whose edges are read at a time. */
const PAGE = 2000;

/** Reads what lint looks at: the live memories of the current project, and what they are related to. */
export async function lintSubjects(
  limits: Pick<LintSubjects, 'staleDays' | 'expiringDays'>,
  deps: Deps,
): Promise<LintSubjects> {
  const { engine, clock } = deps;
  const memories = new Map<string, Memory>();
  const live = { statuses: ['active', 'draft'] } as const;
  for await (const { memory, heads } of selectAll(await confinedView(deps), live, deps)) {
    // Without events of its own it is derived from concurrent edits, and goes with them.
    if (heads.length > 0) memories.set(memory.id, memory);
  }
  const edges = await edgesOf([...memories.keys()], deps);
  const others = new Set(
    edges.flatMap(({ source, target }) => [source, target]).filter((id) => !memories.has(id)),
  );
  const found = await engine.get([...others], await currentView(deps));
  const anchors = await lookAtCode([...memories.values()], deps);
  const neighbours = found.map(({ memory }) => memory).filter(({ status }) => isLive(status));
  return {
    memories,
    neighbours: new Map(neighbours.map((memory) => [memory.id, memory])),
    incoming: grouped(edges, ({ target }) => target),
    outgoing: grouped(edges, ({ source }) => source),
    anchors,
    isolated: engine.isolated,
    nowMs: clock.nowMs(),
    ...limits,
  };
}

/** From anywhere: what a memory of another project leans on is in use, though it is not named. */
async function edgesOf(ids: readonly string[], { engine }: Deps): Promise<readonly Edge[]> {
  const edges = new Map<string, Edge>();
  for (let at = 0; at < ids.length; at += PAGE) {
    for (const edge of await engine.edges(ids.slice(at, at + PAGE), VIEW_ALL)) {
      edges.set(`${edge.source} ${edge.type} ${edge.target}`, edge);
    }
  }
  return [...edges.values()];
}

function grouped(
  edges: readonly Edge[],
  keyOf: (edge: Edge) => string,
): ReadonlyMap<string, readonly Edge[]> {
  const groups = new Map<string, Edge[]>();
  for (const edge of edges) {
    const group = groups.get(keyOf(edge));
    if (group) group.push(edge);
    else groups.set(keyOf(edge), [edge]);
  }
  return groups;
}
