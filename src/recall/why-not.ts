import type { StoredMemory } from '../domain/memory.ts';
import type { WhyNot } from '../domain/results.ts';
import { passes, type Filter, type View } from '../domain/view.ts';
import type { Engine } from '../ports/engine.ts';
import type { Found } from './find.ts';

/** What each stage of a recall let through, as far as it is needed to explain an absence. */
export interface Stages {
  readonly view: View;
  readonly filter: Filter;
  /** Scored, best first. */
  readonly found: readonly Found[];
  readonly floor: number;
  /** Above the floor. */
  readonly strong: readonly Found[];
  /** After the early stop between tiers. */
  readonly inTiers: readonly Found[];
  readonly stoppedAt?: string | undefined;
  readonly copies: ReadonlyMap<string, string>;
  readonly ranked: readonly Found[];
  readonly limit: number | undefined;
  readonly shown: readonly string[];
}

/** Says at which stage a memory was lost. What the caller may not see is unknown to it. */
export async function whyNot(id: string, stages: Stages, engine: Engine): Promise<WhyNot> {
  const [stored] = await engine.get([id], stages.view);
  if (!stored) return { id, stage: 'unknown', message: `No memory ${id} is visible here.` };
  const { memory } = stored;
  const own = memory.id;
  const rank = stages.shown.indexOf(own);
  if (rank >= 0) return { id: own, stage: 'returned', message: `It is number ${rank + 1}.` };
  const refused = refusals(stored, stages.filter);
  if (refused.length > 0) {
    return { id: own, stage: 'filtered', message: `Left out by ${refused.join(', ')}.` };
  }
  const scored = stages.found.find((one) => one.stored.memory.id === own);
  if (!scored) {
    const message = 'No word of it matches, and others are nearer in meaning.';
    return { id: own, stage: 'not_matched', message };
  }
  const score = round(scored.score);
  const has = (list: readonly Found[]): boolean => list.some((one) => one.stored.memory.id === own);
  if (!has(stages.strong)) {
    const message = `Its score of ${score} is below min_score ${stages.floor}.`;
    return { id: own, stage: 'below_min_score', message, score };
  }
  if (!has(stages.inTiers)) {
    const message = `The search stopped at tier ${stages.stoppedAt}, which answers for sure; its own is ${memory.tier}. Ask without the early stop.`;
    return { id: own, stage: 'tier_stopped', message, score };
  }
  const copyOf = stages.copies.get(own);
  if (copyOf !== undefined) {
    return { id: own, stage: 'copy', message: `${copyOf} says the same.`, score };
  }
  const place = stages.ranked.findIndex((one) => one.stored.memory.id === own) + 1;
  if (stages.limit !== undefined && place > stages.limit) {
    const message = `It is number ${place}, and the limit is ${stages.limit}.`;
    return { id: own, stage: 'beyond_limit', message, score };
  }
  const message = `It is number ${place}, and does not fit into what the budget has left.`;
  return { id: own, stage: 'over_budget', message, score };
}

/** The criteria that do not let a memory through. */
function refusals({ memory }: StoredMemory, filter: Filter): string[] {
  return Object.entries(filter)
    .filter(([name, value]) => !passes({ [name]: value }, memory))
    .map(([name]) => LABELS[name]?.(memory) ?? name);
}

const LABELS: Readonly<Record<string, (memory: StoredMemory['memory']) => string>> = {
  statuses: ({ status }) => `status (it is ${status})`,
  types: ({ type }) => `type (it is ${type})`,
  notTypes: ({ type }) => `type (it is ${type})`,
  tiers: ({ tier }) => `tier (it is ${tier})`,
  tags: ({ tags }) => `tags (it has ${tags.join(', ') || 'none'})`,
  paths: () => 'paths',
  sources: ({ source }) => `source (it is ${source})`,
  entity: () => 'entity',
  minConfidence: ({ confidence }) => `min_confidence (it has ${confidence})`,
  sinceMs: ({ created_at }) => `since (it is of ${created_at})`,
  untilMs: ({ created_at }) => `until (it is of ${created_at})`,
  validAtMs: () => 'validity (it does not hold now)',
  asOfMs: () => 'as_of (it did not hold then)',
};

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
