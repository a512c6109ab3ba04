import type { Memory } from '../memory.ts';
import { isTrusted } from '../lifecycle.ts';

/**
 * What a memory is, beside what it says: factors on its score, narrow enough that they order what
 * answers equally well and do not bury what answers better. Varied on notes, the only set with types
 * and confidences, none moves recall by more than a question or two of 219; they keep what the types
 * mean. Recency is off: no weight of it found more answers, since the newest is not the likelier one.
 */
export const MULTIPLIERS = {
  /** By type; 1 where it is not listed. */
  types: { constraint: 1.02, decision: 1.02, belief: 0.98, entity_summary: 0.98 } as Readonly<
    Record<string, number>
  >,
  /** Factor of confidence 0 and of confidence 1, a line between: unsure ranks lower, and is not silenced. */
  confidence: { least: 0.9, most: 1.02 },
  /** Said by a source that nobody vouches for. */
  untrusted: 0.9,
  /** Share of its score that age can take away, 0 to 1, and days after which half of that is gone. */
  recency: { weight: 0, halfLifeDays: 30 },
  /** Linked to an entity that the question names. */
  entity: 1.05,
} as const;

/** Spreading along edges, from the best hits to their neighbours. */
export const NEIGHBOURS = {
  /** Hits that pass on. */
  seeds: 10,
  /** Share of its score that a memory passes on. */
  boost: 0.15,
  /** What a hub passes on is divided by its degree to this power: 0 = undamped. */
  damping: 1,
} as const;

export interface Multipliers {
  readonly recency: number;
  readonly type: number;
  readonly confidence: number;
  readonly trust: number;
}

export interface Decay {
  /** 0 to 1. */
  readonly weight: number;
  readonly halfLifeDays: number;
}

const DAY_MS = 86_400_000;

/** Each factor by its name; their product multiplies the score. */
export function multipliersOf(
  memory: Pick<Memory, 'type' | 'confidence' | 'source' | 'created_at'>,
  nowMs: number,
  { weight, halfLifeDays }: Decay,
): Multipliers {
  const { least, most } = MULTIPLIERS.confidence;
  const ageDays = Math.max(0, nowMs - Date.parse(memory.created_at)) / DAY_MS;
  return {
    recency: weight === 0 ? 1 : 1 - weight + weight * 2 ** (-ageDays / halfLifeDays),
    type: MULTIPLIERS.types[memory.type] ?? 1,
    confidence: least + (most - least) * memory.confidence,
    trust: isTrusted(memory.source) ? 1 : MULTIPLIERS.untrusted,
  };
}
