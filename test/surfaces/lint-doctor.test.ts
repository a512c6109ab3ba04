import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DoctorResult, LintResult } from '../../src/domain/results.ts';
import { loci, lociJson, tempFolder } from './run-cli.ts';

const folder = tempFolder();
const at = ['-d', join(folder, 'vault'), '-p', 'demo'];

describe('[E5] loci lint', () => {
  test('exits 0 with nothing to look at, 1 with findings, 0 when all of them were settled', () => {
    expect(loci(['lint', ...at])).toMatchObject({ code: 0, out: 'Nothing to look at.\n' });
    loci(['remember', 'Old.', '--id', 'FACT-STALE', '--created-at', '2020-01-01', ...at]);
    const found = lociJson<LintResult>(['lint', '--check', 'stale', ...at]);
    expect(found.code).toBe(1);
    expect(found.json.findings).toEqual([
      {
        check: 'stale',
        severity: 'warning',
        confidence: 0.95,
        ids: ['FACT-STALE'],
        message: expect.stringMatching(/^FACT-STALE is \d+ days old, and nothing points to it$/),
        fix: 'loci archive FACT-STALE',
      },
    ]);
    const dry = loci(['lint', '--check', 'stale', '--fix', '--dry-run', ...at]);
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.out).toMatch(/^stale {2}FACT-STALE {2}stale: untouched since 2020-01-01/m);
    expect(dry.out).toMatch(/^1 change would be made; nothing was written$/m);
    const fixed = lociJson<LintResult>(['lint', '--check', 'stale', '--fix', ...at]);
    expect(fixed.code).toBe(0);
    expect(fixed.json).toMatchObject({ findings: [], fixed: [{ ids: ['FACT-STALE'] }] });
    const got = lociJson<{ memories: { status: string }[] }>(['get', 'FACT-STALE', ...at]);
    expect(got.json.memories[0]?.status).toBe('archived');
  });

  test('shows findings by check, each with the command that settles it', () => {
    loci(['remember', 'Lone.', '--id', 'FACT-ALONE', '--created-at', '2020-01-01', ...at]);
    const { code, out } = loci(['lint', '--stale-days', '9999', ...at]);
    expect(code).toBe(1);
    expect(out).toContain(
      'orphans\n  info FACT-ALONE is related to no other memory (0.50)\n' +
        '    loci relate FACT-ALONE related_to OTHER\n\n1 finding of 1 check\n',
    );
  });

  test('refuses a check that it does not have', () => {
    expect(lociJson(['lint', '--check', 'colour', ...at]).code).toBe(2);
  });
});

describe('[E6] loci doctor', () => {
  test('exits 0 for a sound store and shows what it looked at', () => {
    const { code, out } = loci(['doctor', ...at]);
    expect(code).toBe(0);
    expect(out).toMatch(/^ok +driver +(better-sqlite3|node:sqlite) \d/m);
    expect(out).toMatch(/^ok +embedder +builtin:words, \d+ dimensions, /m);
  });

  test('exits 1 with findings, each with what mends it', () => {
    loci(['remember', 'See [[PROC-LOST]].', '--id', 'FACT-LINKS', ...at]);
    const { code, json } = lociJson<DoctorResult>(['doctor', ...at]);
    expect(code).toBe(1);
    expect(json).toMatchObject({
      fixed: [],
      findings: [{ check: 'links', ids: ['FACT-LINKS'], fix: 'loci update FACT-LINKS -' }],
    });
    expect(loci(['doctor', ...at]).out).toContain('links\n  warning FACT-LINKS links to PROC-LOST');
  });

  test('says why a store cannot be opened, instead of failing', () => {
    const { code, json } = lociJson<DoctorResult>(['doctor', '--store', 'mysql://nowhere']);
    expect(code).toBe(1);
    expect(json.findings).toMatchObject([{ check: 'store', severity: 'error', confidence: 1 }]);
    expect(json.findings[0]?.message).toContain('mysql');
    expect(json.examined).toEqual([{ check: 'store', ok: false, message: 'it cannot be opened' }]);
  });

  test('[N2] names an embedder that cannot be', () => {
    const env = { LOCI_EMBEDDER: 'nonsense' };
    const { code, json } = lociJson<DoctorResult>(['doctor', ...at], { env });
    expect(code).toBe(1);
    expect(json.findings[0]?.message).toContain('nonsense');
    expect(json.findings[0]?.fix).toEqual(expect.any(String));
  });
});
