import type { Loci } from '../../src/loci.ts';
import type { Given } from './kept.ts';

/**
 * Every rule by which upkeep changes memories on its own: a store that the rule has something to say
 * of, and the verb that applies it. Whoever adds a rule adds a row, and it is held to what all are
 * held to: it can be shown, taken back, and put back again.
 */
export interface AutomaticChange {
  readonly rule: string;
  readonly store: readonly Given[];
  readonly run: (loci: Loci) => Promise<{ readonly run: string | null }>;
}

export const AUTOMATIC_CHANGES: readonly AutomaticChange[] = [
  {
    rule: 'gc: expire',
    store: [
      { id: 'FACT-OFFER', body: 'The offer stands.', valid_to: '2026-01-02T00:00:00.000Z' },
      { id: 'OPEN-INDEX', body: 'Which index?', status: 'draft', ttl_days: 0.1 },
    ],
    run: (loci) => loci.gc(),
  },
];
