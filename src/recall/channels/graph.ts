import type { Weights } from '../../domain/ranking/settings.ts';
import type { Edge } from '../../domain/relation.ts';
import { passes } from '../../domain/view.ts';
import type { Engine } from '../../ports/engine.ts';
import type { Found, Question, Source } from '../candidate.ts';

/** What a memory gains from a neighbour that answers. */
export interface Neighbour {
  readonly source: Source;
  /** 0 to 1: its share of the neighbour's score. */
  readonly boost: number;
  /** The neighbour. */
  readonly from: string;
}

/**
 * One hop along the edges of the best hits: each passes on a share of its score, divided among its
 * edges, so that a hub lifts none of its many neighbours by much. A memory takes the greatest share
 * that it is offered. Neighbours that no other channel found join, if the filter lets them through.
 */
export async function graphChannel(
  found: readonly Found[],
  { view, filter, weights }: Pick<Question, 'view' | 'filter' | 'weights'>,
  engine: Engine,
): Promise<ReadonlyMap<string, Neighbour>> {
  const { neighbours: spread } = weights;
  const seeds = found.slice(0, spread.seeds);
  if (seeds.length === 0) return new Map();
  const edges = await engine.edges(
    seeds.map(({ id }) => id),
    view,
  );
  if (edges.length === 0) return new Map();
  const offers = offersOf(seeds, edges, spread);
  const known = new Map<string, Source>(found.map((one) => [one.id, one]));
  const strangers = [...offers.keys()].filter((id) => !known.has(id));
  for (const stored of strangers.length > 0 ? await engine.get(strangers, view) : []) {
    const { id } = stored.memory;
    if (passes(filter, stored.memory)) known.set(id, { id, stored });
  }
  const neighbours = new Map<string, Neighbour>();
  for (const [id, offer] of offers) {
    const source = known.get(id);
    if (source) neighbours.set(id, { source, ...offer });
  }
  return neighbours;
}

function offersOf(
  seeds: readonly Found[],
  edges: readonly Edge[],
  { boost: most, damping }: Weights['neighbours'],
): ReadonlyMap<string, { boost: number; from: string }> {
  const offers = new Map<string, { boost: number; from: string }>();
  for (const { id, score } of seeds) {
    const own = edges.filter(({ source, target }) => source === id || target === id);
    const shared = own.length ** damping;
    for (const { source, target, confidence } of own) {
      const other = source === id ? target : source;
      const boost = (most * score * confidence) / shared;
      if (boost > (offers.get(other)?.boost ?? 0)) offers.set(other, { boost, from: id });
    }
  }
  return offers;
}
