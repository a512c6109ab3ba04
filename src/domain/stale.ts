import type { Step } from './decide/steps.ts';
import type { Tier } from './lifecycle.ts';
import type { Memory } from './memory.ts';

/** Days after its last change at which a memory of a tier is stale; null = never. */
export const STALE_AFTER_DAYS: Readonly<Record<Tier, number | null>> = {
  preferences: null,
  'project-context': 180,
  conversations: 90,
};

/** Archives a memory that nobody has touched for as long as its tier allows. */
export function staleStep(memory: Memory): Step {
  const days = STALE_AFTER_DAYS[memory.tier];
  const reason = `${memory.tier}: not changed for ${days} days`;
  return {
    rule: 'stale',
    kind: 'memory.archived',
    reason,
    before: memory,
    after: { ...memory, status: 'archived', status_reason: reason },
  };
}
