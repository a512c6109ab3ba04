import type { Memory } from '../memory.ts';
import { isTrusted } from '../lifecycle.ts';
import { DEFAULT_WEIGHTS, type Weights } from './settings.ts';

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
  { types, confidence, trust }: Pick<Weights, 'types' | 'confidence' | 'trust'> = DEFAULT_WEIGHTS,
): Multipliers {
  const { least, most } = confidence;
  const ageDays = Math.max(0, nowMs - Date.parse(memory.created_at)) / DAY_MS;
  return {
    recency: weight === 0 ? 1 : 1 - weight + weight * 2 ** (-ageDays / halfLifeDays),
    type: types[memory.type] ?? 1,
    confidence: least + (most - least) * memory.confidence,
    trust: isTrusted(memory.source) ? 1 : trust.untrusted,
  };
}
