import { expect, test } from 'vitest';
import { hashOf, onEveryEngine, statusesOf, type Given } from './kept.ts';

const day = (iso: string): Pick<Given, 'created_at' | 'updated_at'> => ({
  created_at: '2024-01-01T00:00:00.000Z',
  updated_at: `${iso}T12:00:00.000Z`,
});

// The clock stands at 2026-03-10: 90 days before it is 2025-12-10, 180 days 2025-09-11.
const STORE: readonly Given[] = [
  { id: 'FACT-STALE', ...day('2025-09-11') },
  { id: 'FACT-FRESH', ...day('2025-09-12') },
  { id: 'EPIS-STALE', type: 'episode', tier: 'conversations', ...day('2025-12-10') },
  { id: 'EPIS-FRESH', type: 'episode', tier: 'conversations', ...day('2025-12-11') },
  { id: 'PREF-OLD', type: 'preference', tier: 'preferences', ...day('2020-01-01') },
  { id: 'FACT-DRAFT', status: 'draft', ...day('2025-01-01') },
  { id: 'FACT-GLOBAL', project: 'global', ...day('2025-01-01') },
];
const ALIKE: readonly Given[] = [
  {
    id: 'FACT-A',
    body: 'The nightly backup of the ledger database goes to the cold bucket in Frankfurt.',
  },
  {
    id: 'FACT-B',
    body: 'The nightly backup of the ledger database goes to the cold bucket in frankfurt!',
  },
  {
    id: 'FACT-C',
    body: 'The nightly backup of the ledger database never goes to the cold bucket in Frankfurt.',
  },
  {
    id: 'FACT-D',
    body: 'The nightly backup of the ledger database 2 goes to the cold bucket in Frankfurt.',
  },
  { id: 'FACT-E', body: 'Lunch is at noon.' },
];

onEveryEngine((keep) => {
  test('[E4] [A3] what is stale by the age of its tier since its last change is archived', async () => {
    const kept = await keep(...STORE);
    const { archived, duplicates, run } = await kept.loci.meditate();
    expect(archived).toEqual(['EPIS-STALE', 'FACT-DRAFT', 'FACT-STALE']);
    expect(duplicates).toEqual([]);
    expect(run).toMatch(/^[0-9A-Z]{26}$/);
    const ids = STORE.map(({ id }) => id);
    const statuses = Object.entries(await statusesOf(kept, ...ids));
    const left = statuses.filter(([, status]) => status === 'active').map(([id]) => id);
    expect(left.sort()).toEqual(['EPIS-FRESH', 'FACT-FRESH', 'FACT-GLOBAL', 'PREF-OLD']);
    const { memories } = await kept.loci.get({ ids: ['FACT-STALE'] });
    expect(memories[0]?.status_reason).toBe('project-context: not changed for 180 days');
  });

  test('[E4] duplicates are reported and left as they are', async () => {
    const kept = await keep(...ALIKE);
    const before = await hashOf(kept);
    const { archived, duplicates } = await kept.loci.meditate();
    expect(archived).toEqual([]);
    expect(duplicates).toEqual([{ ids: ['FACT-A', 'FACT-B'], likeness: 1 }]);
    expect(await hashOf(kept)).toBe(before);
  });

  test('[E4] either half alone, and a dry run', async () => {
    const kept = await keep(...STORE, ...ALIKE);
    const before = await kept.engine.verify();
    expect(await kept.loci.meditate({ mode: 'duplicates' })).toMatchObject({
      archived: [],
      duplicates: [{ ids: ['FACT-A', 'FACT-B'] }],
    });
    const dry = await kept.loci.meditate({ dryRun: true });
    expect(dry).toMatchObject({ run: null, dry_run: true });
    expect(dry.archived.length).toBe(3);
    expect(await kept.engine.verify()).toEqual(before);
    expect(await kept.loci.meditate({ mode: 'stale' })).toMatchObject({ duplicates: [] });
    expect((await kept.loci.meditate()).archived).toEqual([]);
  });

  test('[E4] with lint, which looks first; the answer is as before but for its findings', async () => {
    const kept = await keep(...STORE);
    const { findings } = await kept.loci.lint({ dryRun: true });
    expect(findings.length).toBeGreaterThan(0);
    const { lint_findings: linted, ...rest } = await kept.loci.meditate({
      includeLint: true,
      dryRun: true,
    });
    expect(linted).toEqual(findings);
    expect(rest).toEqual(await kept.loci.meditate({ dryRun: true }));
    expect(Object.keys(rest)).not.toContain('lint_findings');
  });

  test('[A3] nothing grows stale in reflect and gc', async () => {
    const { loci } = await keep(...STORE);
    expect((await loci.reflect()).changes).toEqual([]);
    expect((await loci.gc()).changes).toEqual([]);
  });
});
