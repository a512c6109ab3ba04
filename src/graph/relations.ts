import { LociError, quote } from '../domain/errors.ts';
import type { RelationsOptions } from '../domain/graph/inputs.ts';
import { relationsOptions } from '../domain/graph/options.ts';
import type { RelationsResult } from '../domain/graph/results.ts';
import { parseInput } from '../domain/parse.ts';
import { canonicalRelationType, compareEdges, relationKey, type Edge } from '../domain/relation.ts';
import type { View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import type { Engine } from '../ports/engine.ts';
import { currentView } from '../ports/scope.ts';

/** Memories whose edges are followed: more is no neighbourhood, and nobody reads it. */
const MOST = 1000;

/**
 * Edges from and to a memory, and as far beyond as was asked. Edges are followed either way, and
 * each memory once, so that cycles end.
 */
export async function relations(options: RelationsOptions, deps: Deps): Promise<RelationsResult> {
  const { id, depth, type } = parseInput(relationsOptions, options, 'relations');
  const view = await currentView(deps);
  const [found] = await deps.engine.get([id], view);
  if (!found) {
    throw new LociError('not_found', `there is no memory ${quote(id)}`, 'Look its id up.');
  }
  const types = type && new Set(type.map(canonicalRelationType));
  const walk = await walkFrom(found.memory.id, depth ?? 1, { view, types }, deps.engine);
  const edges = [...walk.edges.values()].sort(compareEdges);
  if (depth === undefined) return { relations: edges };
  const reached = [...walk.distances].map(([other, distance]) => ({ id: other, distance }));
  return { relations: edges, reached, ...(walk.truncated ? { truncated: true } : {}) };
}

interface Walk {
  readonly edges: Map<string, Edge>;
  readonly distances: Map<string, number>;
  truncated: boolean;
}

/** Breadth first, a round a step. */
async function walkFrom(
  start: string,
  depth: number,
  { view, types }: { view: View; types: ReadonlySet<string> | undefined },
  engine: Engine,
): Promise<Walk> {
  const walk: Walk = { edges: new Map(), distances: new Map([[start, 0]]), truncated: false };
  let frontier = [start];
  for (let distance = 1; distance <= depth && frontier.length > 0; distance++) {
    const next: string[] = [];
    for (const edge of await engine.edges(frontier, view)) {
      if (types && !types.has(edge.type)) continue;
      walk.edges.set(`${edge.source} ${relationKey(edge)}`, edge);
      for (const id of [edge.source, edge.target]) {
        if (walk.distances.has(id)) continue;
        if (walk.distances.size >= MOST) {
          walk.truncated = true;
          continue;
        }
        walk.distances.set(id, distance);
        next.push(id);
      }
    }
    frontier = next;
  }
  return walk;
}
