import type { KeywordWeights } from './settings.ts';
import { KEYWORD } from './weights.ts';

/** A scored document of one query. */
export interface Candidate {
  /** Raw score. */
  raw: number;
  /** `IndexEntry.length`. */
  length: number;
  /** Undefined: it belongs to none. */
  session?: string | undefined;
}

/**
 * Raw scores with the session prior, in the order given: a memory gains a share of the best other
 * hit of its session, since talk about a subject stays together. A long memory speaks for itself
 * and gains less, as minLength ÷ length. Nothing sinks; sort again afterwards, ties by id.
 * @param candidates the best {@link KEYWORD.sessionCandidates} documents, in any order
 */
export function sessionPrior(
  candidates: readonly Candidate[],
  { minLength, session: share }: Pick<KeywordWeights, 'minLength' | 'session'> = KEYWORD,
): number[] {
  const best = new Map<string, { first: number; second: number }>();
  for (const { session, raw } of candidates) {
    if (session === undefined) continue;
    const two = best.get(session);
    if (two === undefined) best.set(session, { first: raw, second: 0 });
    else if (raw > two.first) best.set(session, { first: raw, second: two.first });
    else if (raw > two.second) two.second = raw;
  }
  return candidates.map(({ session, raw, length }) => {
    const two = session === undefined ? undefined : best.get(session);
    if (two === undefined) return raw;
    const other = raw === two.first ? two.second : two.first;
    const short = minLength / Math.max(minLength, length);
    return raw + share * other * short;
  });
}
