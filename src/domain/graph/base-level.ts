const DAY_MS = 86_400_000;
/** Decay of a trace with its age; ACT-R's usual value. */
const DECAY = 0.5;
/** A memory of this very moment is as old as this: the logarithm has no end towards zero. */
const YOUNGEST_DAYS = 1 / 24;

/**
 * Base-level activation of ACT-R (Anderson, Lebiere 1998, The Atomic Components of Thought), in its
 * closed form for uses spread over a life: ln(n ÷ (1 − d)) − d × ln(age). Frequent and young is more.
 * @param uses that it came to be known, and each memory that cites it: from 1
 * @param ageMs since it came to be known
 */
export function baseLevel(uses: number, ageMs: number): number {
  const ageDays = Math.max(YOUNGEST_DAYS, ageMs / DAY_MS);
  return Math.log(uses / (1 - DECAY)) - DECAY * Math.log(ageDays);
}

/**
 * The share of what flows to a memory that arrives there, 0 to 1: the square root of the logistic
 * function of its base level. The root lifts what is old but cited, so that hubs of a store are not
 * silenced by their age.
 */
export function modulation(uses: number, ageMs: number): number {
  return Math.sqrt(1 / (1 + Math.exp(-baseLevel(uses, ageMs))));
}
