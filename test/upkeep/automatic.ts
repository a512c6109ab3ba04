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

const OLD = '2025-01-01T00:00:00.000Z';

export const AUTOMATIC_CHANGES: readonly AutomaticChange[] = [
  {
    rule: 'gc: expire',
    store: [
      { id: 'FACT-OFFER', body: 'The offer stands.', valid_to: '2026-01-02T00:00:00.000Z' },
      { id: 'OPEN-INDEX', body: 'Which index?', status: 'draft', ttl_days: 0.1 },
    ],
    run: (loci) => loci.gc(),
  },
  {
    rule: 'meditate: stale',
    store: [
      {
        id: 'FACT-STALE',
        created_at: OLD,
        updated_at: OLD,
      },
    ],
    run: (loci) => loci.meditate(),
  },
  {
    rule: 'reflect: expire',
    store: [{ id: 'FACT-OFFER', body: 'The offer stands.', valid_to: '2026-01-02T00:00:00.000Z' }],
    run: (loci) => loci.reflect(),
  },
  {
    rule: 'reflect: deduplicate',
    store: [
      { id: 'FACT-FIRST', body: 'One text.', tags: ['a'] },
      { id: 'FACT-THIRD', body: 'One text. ' },
      {
        id: 'FACT-SECOND',
        body: 'One text.\n',
        tags: ['b'],
        supersedes: 'FACT-OLD',
        relations: [{ type: 'supersedes', target: 'FACT-OLD', confidence: 1, origin: 'stated' }],
      },
      { id: 'FACT-OLD', status: 'superseded', superseded_by: 'FACT-SECOND' },
      {
        id: 'FACT-OTHER',
        relations: [{ type: 'supports', target: 'FACT-SECOND', confidence: 1, origin: 'stated' }],
      },
    ],
    run: (loci) => loci.reflect(),
  },
  {
    rule: 'reflect: promote',
    store: [
      { id: 'BELI-SURE', type: 'belief', confidence: 0.95 },
      { id: 'DECI-OLD', type: 'decision' },
      { id: 'DECI-NEW', type: 'decision', status: 'draft', confidence: 1, supersedes: 'DECI-OLD' },
    ],
    run: (loci) => loci.reflect(),
  },
  {
    rule: 'reflect: all of them on one memory',
    store: [
      { id: 'BELI-ONE', type: 'belief', status: 'draft', body: 'One text.', confidence: 1 },
      { id: 'BELI-TWO', type: 'belief', status: 'draft', body: 'One text.', tags: ['b'] },
    ],
    run: (loci) => loci.reflect(),
  },
  {
    rule: 'lint --fix: stale',
    store: [{ id: 'FACT-STALE', created_at: OLD, updated_at: OLD }],
    run: (loci) => loci.lint({ fix: true }),
  },
  {
    rule: 'lint --fix: superseded_unflagged',
    store: [
      { id: 'FACT-OLD-PORT', body: 'The API listens on port 8080.', created_at: OLD },
      {
        id: 'FACT-NEW-PORT',
        body: 'The API listens on port 9090.',
        created_at: '2026-03-01T00:00:00.000Z',
        relations: [
          { type: 'contradicts', target: 'FACT-OLD-PORT', confidence: 1, origin: 'stated' },
        ],
      },
    ],
    run: (loci) => loci.lint({ fix: true, check: 'superseded_unflagged' }),
  },
  {
    rule: 'relink',
    store: [
      { id: 'FACT-ROADMAP', title: 'Roadmap', body: 'What comes next.' },
      { id: 'FACT-LINKS', body: 'It stands in [[Roadmap]].' },
      {
        id: 'FACT-LINKED',
        body: 'It stood in the roadmap.',
        relations: [{ type: 'related_to', target: 'FACT-ROADMAP', confidence: 1, origin: 'link' }],
      },
    ],
    run: (loci) => loci.relink({ apply: true }),
  },
  {
    rule: 'migrate-relations',
    store: [
      { id: 'FACT-2026-01-02-ROADMAP-AB12', body: 'What comes next.' },
      { id: 'FACT-NAMES', body: 'As FACT-2026-01-02-ROADMAP-AB12 says.' },
    ],
    run: (loci) => loci.migrateRelations({ apply: true }),
  },
];
