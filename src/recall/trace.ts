import type { Tier } from '../domain/lifecycle.ts';

/** Where a candidate was lost, and to what. */
export type Loss =
  | { readonly stage: 'below_min_score'; readonly score: number; readonly floor: number }
  | { readonly stage: 'tier_stopped'; readonly score: number; readonly at: Tier }
  | { readonly stage: 'copy'; readonly score: number; readonly of: string }
  | {
      readonly stage: 'beyond_limit';
      readonly score: number;
      readonly rank: number;
      readonly limit: number;
    }
  | {
      readonly stage: 'over_budget';
      readonly score: number;
      readonly rank: number;
      readonly tokens: number;
      readonly left: number;
    };

/** What the stages of one recall left out and why: explain and why-not only read it. */
export class Trace {
  readonly #losses = new Map<string, Loss>();

  lose(id: string, loss: Loss): void {
    this.#losses.set(id, loss);
  }

  lossOf(id: string): Loss | undefined {
    return this.#losses.get(id);
  }

  /** How many were lost at each stage, in the order of the stages. */
  counts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { stage } of this.#losses.values()) counts[stage] = (counts[stage] ?? 0) + 1;
    return counts;
  }
}
