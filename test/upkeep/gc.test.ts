import { expect, test } from 'vitest';
import { onEveryStore } from '../recall/stores.ts';

const OFFER = { id: 'FACT-OFFER', body: 'The offer stands.', validTo: '2026-01-02' };
const QUESTION = {
  id: 'OPEN-INDEX',
  type: 'open_question',
  body: 'Which index do we build?',
  createdAt: '2026-01-01',
} as const;
const PORT = { id: 'FACT-PORT', body: 'The server listens on 8080.', createdAt: '2026-01-01' };

onEveryStore((openWith) => {
  test('[A3] what has outlived its time is archived as one run, nothing else', async () => {
    const loci = await openWith(OFFER, QUESTION, PORT);
    const result = await loci.gc();
    expect(result.expired).toEqual(['FACT-OFFER', 'OPEN-INDEX']);
    expect(result.dry_run).toBe(false);
    expect(result.skipped).toEqual([]);
    const { memories } = await loci.get({ ids: ['FACT-OFFER', 'OPEN-INDEX', 'FACT-PORT'] });
    expect(memories.map(({ id, status }) => [id, status])).toEqual([
      ['FACT-OFFER', 'archived'],
      ['OPEN-INDEX', 'archived'],
      ['FACT-PORT', 'active'],
    ]);
    expect(memories[1]?.status_reason).toBe('its time was over on 2026-04-01T00:00:00.000Z');
  });

  test('a dry run shows the difference and changes nothing', async () => {
    const loci = await openWith(OFFER);
    const before = await loci.verify();
    expect(await loci.gc({ dryRun: true })).toEqual({
      run: null,
      dry_run: true,
      expired: ['FACT-OFFER'],
      changes: [
        {
          id: 'FACT-OFFER',
          rule: 'expire',
          reason: 'its time was over on 2026-01-02T00:00:00.000Z',
          fields: [
            { field: 'status', before: 'active', after: 'archived' },
            {
              field: 'status_reason',
              before: null,
              after: 'its time was over on 2026-01-02T00:00:00.000Z',
            },
          ],
        },
      ],
      skipped: [],
    });
    expect(await loci.verify()).toEqual(before);
  });

  test('the second time there is nothing to do', async () => {
    const loci = await openWith(OFFER);
    expect((await loci.gc()).run).toMatch(/^[0-9A-Z]{26}$/);
    const { run, expired, changes } = await loci.gc();
    expect({ run, expired, changes }).toEqual({ run: null, expired: [], changes: [] });
  });

  test('another project is left alone, the global one too', async () => {
    const loci = await openWith({ ...OFFER, project: 'global' });
    expect((await loci.gc()).expired).toEqual([]);
    expect((await loci.scoped({ project: 'global' }).gc()).expired).toEqual(['FACT-OFFER']);
  });
});
