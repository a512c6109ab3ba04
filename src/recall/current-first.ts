import { foundIn, type Found } from './candidate.ts';

/**
 * Puts each memory that was replaced below what replaced it, where both were found. The successor
 * answers what its predecessor answers: it takes its place, and its score if that is higher.
 */
export function currentFirst(found: readonly Found[]): readonly Found[] {
  const byId = new Map(found.map((one) => [one.stored.memory.id, one]));
  const placed = new Set<string>();
  const ordered: Found[] = [];
  const place = (one: Found, score: number, chain: readonly string[]): void => {
    const { id, superseded_by } = one.stored.memory;
    // A chain that bites its own tail, as edits by hand can make one, is broken where it closes.
    if (placed.has(id) || chain.includes(id)) return;
    const successor = superseded_by === undefined ? undefined : byId.get(superseded_by);
    if (successor) place(successor, score, [...chain, id]);
    placed.add(id);
    ordered.push(score > one.score ? raised(one, score) : one);
  };
  for (const one of found) place(one, one.score, []);
  return ordered;
}

function raised(one: Found, to: number): Found {
  const { score, keyword, explain } = one;
  if (!explain) return foundIn(one, { score: to, keyword });
  const factors = { ...explain.factors, successor: to / score };
  return foundIn(one, { score: to, keyword, explain: { ...explain, factors } });
}
