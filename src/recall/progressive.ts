import { TIERS, type Tier } from '../domain/lifecycle.ts';
import type { Memory } from '../domain/memory.ts';
import { entryOf } from '../domain/ranking/entry.ts';
import { calibrated } from '../domain/ranking/fuse.ts';
import type { ParsedQuery } from '../domain/text/query.ts';
import type { Found } from './find.ts';

/** Hits that are looked at for one that is sure. */
const LOOKED_AT = 5;

/**
 * Tier by tier: as soon as a hit answers for sure, the tiers behind its own are left out. Sure is one
 * whose words alone reach the threshold, and that holds every word of the question: a stop on less
 * cost two points of recall on notes.
 */
export function progressive(
  found: readonly Found[],
  query: ParsedQuery,
  threshold: number,
): { readonly kept: readonly Found[]; readonly stoppedAt?: Tier } {
  const sure = found
    .filter(({ score, keyword = 0 }) => score >= threshold && calibrated(keyword) >= threshold)
    .slice(0, LOOKED_AT)
    .map(({ stored }) => stored.memory)
    .filter((memory) => holdsAll(memory, query));
  if (sure.length === 0) return { kept: found };
  const first = Math.min(...sure.map(({ tier }) => TIERS.indexOf(tier)));
  if (first === TIERS.length - 1) return { kept: found };
  const kept = found.filter(({ stored }) => TIERS.indexOf(stored.memory.tier) <= first);
  return { kept, stoppedAt: TIERS[first] as Tier };
}

function holdsAll(memory: Memory, query: ParsedQuery): boolean {
  const { terms } = entryOf(memory, undefined);
  return query.terms.every(({ term, kind }) => kind === 'part' || terms.has(term));
}
