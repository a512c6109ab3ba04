import { describe, expect, test } from 'vitest';
import type { MemoryInput } from '../../src/domain/inputs.ts';
import type { LintResult } from '../../src/domain/results.ts';
import type { Loci } from '../../src/loci.ts';
import { onEveryStore } from '../recall/stores.ts';

/** Days before today, as a time. */
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

const fact = (id: string, days: number, more: Partial<MemoryInput> = {}): MemoryInput => ({
  id,
  body: `What ${id} says.`,
  createdAt: daysAgo(days),
  ...more,
});

/** Ids that each check names. */
function found({ findings }: Pick<LintResult, 'findings'>): Record<string, string[]> {
  const named: Record<string, string[]> = {};
  for (const { check, ids } of findings) (named[check] ??= []).push(ids.join(' '));
  return named;
}

async function statuses(loci: Loci, ...ids: string[]): Promise<(string | undefined)[]> {
  const { memories } = await loci.get({ ids });
  return ids.map((id) => memories.find((memory) => memory.id === id)?.status);
}

const OLD = fact('FACT-PORT-OLD', 60, { body: 'The server listens on port 8080.' });
const NEW = fact('FACT-PORT-NEW', 20, { body: 'Requests arrive at 9090 by now.' });
const CONTRADICTS = { relations: [{ type: 'contradicts', target: 'FACT-PORT-OLD' }] };

/** A memory that contradicts the old port. */
const later = (id: string, days: number, more: Partial<MemoryInput> = {}): MemoryInput =>
  fact(id, days, {
    relations: [{ type: 'contradicts', target: 'FACT-PORT-OLD', confidence: 0.97 }],
    ...more,
  });

const against = (...targets: string[]): Partial<MemoryInput> => ({
  relations: targets.map((target) => ({ type: 'contradicts', target })),
});

onEveryStore((openWith) => {
  describe('[E5] lint', () => {
    test('finds nothing in an empty store, and nothing wrong with what is new', async () => {
      const loci = await openWith();
      expect(await loci.lint()).toEqual({
        findings: [],
        fixed: [],
        run: null,
        dry_run: false,
        changes: [],
        skipped: [],
        warnings: [],
      });
      await loci.remember([fact('FACT-NEW-ONE', 1), fact('FACT-NEW-TWO', 2)]);
      expect((await loci.lint()).findings).toEqual([]);
    });

    test('contradictions: two live memories, one finding a pair', async () => {
      const loci = await openWith(OLD, { ...NEW, ...CONTRADICTS });
      await loci.relate({ source: OLD.id ?? '', type: 'contradicts', target: 'FACT-PORT-NEW' });
      expect((await loci.lint({ check: 'contradictions' })).findings).toEqual([
        {
          check: 'contradictions',
          severity: 'warning',
          confidence: 1,
          ids: ['FACT-PORT-NEW', 'FACT-PORT-OLD'],
          message: 'FACT-PORT-NEW contradicts FACT-PORT-OLD, and both count as current',
          fix: 'loci relate FACT-PORT-NEW supersedes FACT-PORT-OLD',
        },
      ]);
      await loci.archive({ id: 'FACT-PORT-OLD' });
      expect((await loci.lint({ check: 'contradictions' })).findings).toEqual([]);
    });

    test('superseded_unflagged: as sure as the time between them and the edge allow', async () => {
      const loci = await openWith(
        OLD,
        later('FACT-WEEKS-LATER', 20),
        later('FACT-DAYS-LATER', 57),
        later('FACT-HOURS-LATER', 59.7),
        later('FACT-SAME-TALK', 60),
        later('FACT-DOUBTED-EDGE', 20, {
          relations: [{ type: 'contradicts', target: 'FACT-PORT-OLD', confidence: 0.4 }],
        }),
        later('FACT-FROM-NOBODY', 20, { source: 'page' }),
        later('FACT-A-GUESS', 20, { observed: 'inferred' }),
        later('FACT-UNSURE', 20, { confidence: 0.3 }),
      );
      const { findings } = await loci.lint({ check: 'superseded_unflagged' });
      expect(findings.map(({ ids: [id], confidence }) => [id, confidence])).toEqual([
        ['FACT-A-GUESS', 0.6],
        ['FACT-DAYS-LATER', 0.9],
        ['FACT-DOUBTED-EDGE', 0.4],
        ['FACT-FROM-NOBODY', 0.6],
        ['FACT-HOURS-LATER', 0.8],
        ['FACT-UNSURE', 0.6],
        ['FACT-WEEKS-LATER', 0.95],
      ]);
    });

    test('stale: old, nothing points to it, not a preference', async () => {
      const loci = await openWith(
        fact('FACT-STALE', 120),
        fact('FACT-POINTED-AT', 120),
        fact('FACT-POINTS', 120, { relations: [{ type: 'supports', target: 'FACT-POINTED-AT' }] }),
        fact('PREF-OLD-AND-GOOD', 400, { type: 'preference' }),
        fact('FACT-YOUNGER', 80),
        fact('FACT-DRAFT', 120, { status: 'draft' }),
        fact('FACT-ENDS-LATER', 120, { ttlDays: 200 }),
      );
      const { findings } = await loci.lint({ check: 'stale' });
      expect(findings.map(({ ids: [id], confidence }) => [id, confidence])).toEqual([
        ['FACT-DRAFT', 0.8],
        ['FACT-ENDS-LATER', 0.6],
        ['FACT-POINTS', 0.7],
        ['FACT-STALE', 0.95],
      ]);
      const younger = await loci.lint({ check: 'stale', staleDays: 70 });
      expect(found(younger).stale).toContain('FACT-YOUNGER');
      await loci.update({ id: 'FACT-STALE', confidence: 0.9 });
      const touched = (await loci.lint({ check: 'stale', fix: true })).findings.at(-1);
      expect(touched).toMatchObject({ ids: ['FACT-STALE'], confidence: 0.7 });
    });

    test('orphans: related to nothing for a month, in any tier', async () => {
      const loci = await openWith(
        fact('FACT-ALONE', 40),
        fact('PREF-ALONE', 40, { type: 'preference' }),
        fact('FACT-NEWER', 20),
        fact('FACT-LEFT', 40),
        fact('FACT-RIGHT', 40, { relations: [{ type: 'extends', target: 'FACT-LEFT' }] }),
      );
      expect(found(await loci.lint()).orphans).toEqual(['FACT-ALONE', 'PREF-ALONE']);
    });

    test('unclassified_pairs: two common tags and no edge', async () => {
      const loci = await openWith(
        fact('FACT-TWO-TAGS', 1, { tags: ['lock', 'winter'] }),
        fact('FACT-SAME-TAGS', 1, { tags: ['winter', 'lock', 'ice'] }),
        fact('FACT-ONE-TAG', 1, { tags: ['lock', 'summer'] }),
        fact('FACT-RELATED', 1, {
          tags: ['lock', 'winter'],
          relations: [
            { type: 'extends', target: 'FACT-TWO-TAGS' },
            { type: 'extends', target: 'FACT-SAME-TAGS' },
          ],
        }),
      );
      const { findings } = await loci.lint({ check: 'unclassified_pairs' });
      expect(findings).toEqual([
        {
          check: 'unclassified_pairs',
          severity: 'info',
          confidence: 0.67,
          ids: ['FACT-SAME-TAGS', 'FACT-TWO-TAGS'],
          message: 'FACT-SAME-TAGS and FACT-TWO-TAGS share lock, winter and are not related',
          fix: 'loci relate FACT-SAME-TAGS related_to FACT-TWO-TAGS',
        },
      ]);
    });

    test('near_duplicates: nearly the same words, another claim marked', async () => {
      const text =
        'Deployments of the harbour service happen every Tuesday morning after the review';
      const loci = await openWith(
        fact('FACT-FIRST', 3, { body: `${text}.` }),
        fact('FACT-AGAIN', 2),
        fact('FACT-NUMBER-1', 3, {
          body: 'The pool of the harbour service database holds 20 open connections for each worker.',
        }),
        fact('FACT-NUMBER-2', 2, {
          body: 'The pool of the harbour service database holds 50 open connections for each worker.',
        }),
      );
      // Remembering would have linked them.
      await loci.update({ id: 'FACT-AGAIN', body: `${text} meeting.` });
      const { findings } = await loci.lint({ check: 'near_duplicates' });
      expect(findings.map(({ ids, confidence }) => [ids, confidence])).toEqual([
        [['FACT-AGAIN', 'FACT-FIRST'], 0.89],
        [['FACT-NUMBER-2', 'FACT-NUMBER-1'], 0.5],
      ]);
      await loci.relate({ source: 'FACT-AGAIN', type: 'extends', target: 'FACT-FIRST' });
      const { findings: rest } = await loci.lint({ check: 'near_duplicates' });
      expect(rest.map(({ ids }) => ids[0])).toEqual(['FACT-NUMBER-2']);
    });

    test('confidence_drift: what it says and how it stands differ', async () => {
      const leans = { relations: [{ type: 'depends_on', target: 'FACT-LEANED-ON' }] };
      const loci = await openWith(
        fact('FACT-LEANED-ON', 5, { confidence: 0.3 }),
        fact('FACT-LEANS-1', 1, leans),
        fact('FACT-LEANS-2', 1, leans),
        fact('FACT-LEANS-3', 1, leans),
        fact('FACT-SURE', 5, { confidence: 0.95 }),
        fact('FACT-AGAINST', 5, { relations: [{ type: 'contradicts', target: 'FACT-SURE' }] }),
        fact('BELI-OLD', 100, { type: 'belief' }),
      );
      expect(found(await loci.lint({ check: 'confidence_drift' })).confidence_drift).toEqual([
        'BELI-OLD',
        'FACT-LEANED-ON',
        'FACT-SURE',
      ]);
    });

    test('ttl_warnings: over, or soon', async () => {
      const loci = await openWith(
        fact('FACT-OVER', 10, { ttlDays: 3 }),
        fact('FACT-SOON', 10, { ttlDays: 12.5 }),
        fact('FACT-LATER', 10, { ttlDays: 60 }),
      );
      const { findings } = await loci.lint({ check: 'ttl_warnings' });
      expect(findings.map(({ ids: [id], severity, fix }) => [id, severity, fix])).toEqual([
        ['FACT-OVER', 'warning', 'loci gc'],
        ['FACT-SOON', 'info', 'loci update FACT-SOON --ttl-days 103'],
      ]);
      const wider = await loci.lint({ check: 'ttl_warnings', expiringDays: 55 });
      expect(found(wider).ttl_warnings).toContain('FACT-LATER');
    });

    test('looks at its own project, and at what that is related to', async () => {
      const loci = await openWith(
        fact('FACT-GLOBAL', 200, { project: 'global' }),
        fact('FACT-OTHER', 200, { project: 'other' }),
        fact('FACT-OWN', 20, { relations: [{ type: 'contradicts', target: 'FACT-GLOBAL' }] }),
      );
      expect(found(await loci.lint())).toEqual({
        contradictions: ['FACT-OWN FACT-GLOBAL'],
        superseded_unflagged: ['FACT-OWN FACT-GLOBAL'],
      });
      // What another project leans on is in use, though it is not named.
      const { findings } = await loci.scoped({ project: 'global' }).lint();
      expect(findings).toEqual([]);
    });
  });

  describe('[E5] lint --fix', () => {
    test('archives what is stale, as a run', async () => {
      const loci = await openWith(
        fact('FACT-STALE', 120),
        fact('FACT-DRAFT', 120, { status: 'draft' }),
      );
      const result = await loci.lint({ fix: true });
      expect(result.fixed.map(({ check, ids }) => [check, ids])).toEqual([
        ['stale', ['FACT-STALE']],
      ]);
      expect(found(result).stale).toEqual(['FACT-DRAFT']);
      expect(result.run).toMatch(/^[0-9A-Z]{26}$/);
      expect(result.changes.map(({ id, rule }) => [id, rule])).toEqual([['FACT-STALE', 'stale']]);
      expect(await statuses(loci, 'FACT-STALE', 'FACT-DRAFT')).toEqual(['archived', 'draft']);
      const again = await loci.lint({ fix: true });
      expect([again.run, again.fixed]).toEqual([null, []]);
    });

    test('turns a contradiction that time has settled into a succession', async () => {
      const loci = await openWith(OLD, { ...NEW, ...CONTRADICTS });
      const { fixed, findings } = await loci.lint({ fix: true, check: 'superseded_unflagged' });
      expect(fixed.map(({ ids }) => ids)).toEqual([['FACT-PORT-NEW', 'FACT-PORT-OLD']]);
      expect(findings).toEqual([]);
      const { memories } = await loci.get({ ids: ['FACT-PORT-OLD', 'FACT-PORT-NEW'] });
      expect(memories[0]).toMatchObject({
        status: 'superseded',
        superseded_by: 'FACT-PORT-NEW',
        superseded_at: memories[1]?.created_at,
      });
      expect(memories[1]).toMatchObject({ status: 'active', supersedes: 'FACT-PORT-OLD' });
      expect(memories[1]?.relations).toEqual([
        { type: 'supersedes', target: 'FACT-PORT-OLD', confidence: 0.95, origin: 'lint' },
      ]);
      expect((await loci.verify()).problems).toEqual([]);
    });

    test('settles a whole chain at once, each by the next', async () => {
      const loci = await openWith(
        fact('FACT-ONE', 300),
        fact('FACT-TWO', 200, against('FACT-ONE')),
        fact('FACT-THREE', 10, against('FACT-ONE', 'FACT-TWO')),
      );
      const { fixed, run } = await loci.lint({ fix: true });
      expect(fixed.map(({ check, ids }) => [check, ...ids])).toEqual([
        ['superseded_unflagged', 'FACT-TWO', 'FACT-ONE'],
        ['superseded_unflagged', 'FACT-THREE', 'FACT-TWO'],
      ]);
      const { memories } = await loci.get({ ids: ['FACT-ONE', 'FACT-TWO', 'FACT-THREE'] });
      expect(memories.map(({ superseded_by }) => superseded_by)).toEqual([
        'FACT-TWO',
        'FACT-THREE',
        undefined,
      ]);
      expect(run).not.toBeNull();
      expect(found(await loci.lint())).toEqual({});
    });

    test('leaves alone what is not sure, and every other check', async () => {
      const loci = await openWith(
        OLD,
        { ...NEW, ...CONTRADICTS, source: 'page' },
        fact('FACT-OVER', 10, { ttlDays: 3 }),
      );
      const before = await loci.verify();
      const { fixed, run, findings } = await loci.lint({ fix: true });
      expect({ fixed, run }).toEqual({ fixed: [], run: null });
      expect(findings.length).toBeGreaterThan(2);
      expect(await loci.verify()).toEqual(before);
    });

    test('never changes another project, not even the global one', async () => {
      const loci = await openWith(
        fact('FACT-GLOBAL', 200, { project: 'global' }),
        fact('FACT-OWN', 20, { relations: [{ type: 'contradicts', target: 'FACT-GLOBAL' }] }),
        fact('FACT-STALE-ELSEWHERE', 200, { project: 'other' }),
      );
      const { fixed, findings } = await loci.lint({ fix: true });
      expect(fixed).toEqual([]);
      expect(findings.map(({ check }) => check)).toContain('superseded_unflagged');
      expect(await statuses(loci, 'FACT-GLOBAL')).toEqual(['active']);
      const other = loci.scoped({ project: 'other' });
      expect(await statuses(other, 'FACT-STALE-ELSEWHERE')).toEqual(['active']);
    });

    test('a dry run shows the difference and changes nothing', async () => {
      const loci = await openWith(fact('FACT-STALE', 120), OLD, { ...NEW, ...CONTRADICTS });
      const before = await loci.verify();
      const { run, dry_run, fixed, changes } = await loci.lint({ fix: true, dryRun: true });
      expect({ run, dry_run }).toEqual({ run: null, dry_run: true });
      expect(fixed.map(({ check }) => check).sort()).toEqual(['stale', 'superseded_unflagged']);
      expect(changes.map(({ id }) => id).sort()).toEqual([
        'FACT-PORT-NEW',
        'FACT-PORT-OLD',
        'FACT-STALE',
      ]);
      expect(await loci.verify()).toEqual(before);
    });
  });
});
