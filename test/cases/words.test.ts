// Questions that tools of this kind have failed, on every kind of store, with words alone and with the
// embedder that is on by default.
import { expect, test } from 'vitest';
import type { Loci } from '../../src/loci.ts';
import { onEveryStore } from '../recall/stores.ts';

const UNRELATED = [
  'Go to the harbour on Mondays to check the mooring lines',
  'The sails were taken to the loft to be mended',
  'Talk to Rita about the winter berth',
  'The new engine runs on diesel',
  'It is best to paint the hull in May',
  'Keep the logbook in the chart table',
  'The anchor weighs twelve kilograms',
  'Two life jackets hang in the forward cabin',
];

const PANEL = [
  'src/main.py',
  'CLAUDE.md',
  '10 GB/s',
  "don't use",
  'C:\\agent\\data',
  'grammar::fa',
  '"unbalanced',
  'foo OR',
  'NEAR(',
  'a^b',
  '{x}',
  'title:',
];
const HARMLESS = ['(', '*', 'AND', '%', '🚀', '-042', 'picks -SQLite', 'a '.repeat(5_000)];

async function asked(loci: Loci, query: string): Promise<readonly string[]> {
  return (await loci.recall({ query })).results.map(({ body }) => body);
}

const stored = (...bodies: readonly string[]): { body: string }[] =>
  bodies.map((body) => ({ body }));

onEveryStore((openWith) => {
  test('case Q1: [C14] an identifier with a hyphen is a word, and no operator', async () => {
    const loci = await openWith(
      ...stored('ADR-042 picks SQLite for the index', 'ADR-043 picks Postgres', ...UNRELATED),
    );
    expect((await asked(loci, 'ADR-042'))[0]).toContain('ADR-042');
    expect((await asked(loci, 'ADR-043'))[0]).toContain('ADR-043');
    expect((await asked(loci, 'adr-042 index'))[0]).toContain('ADR-042');
  });

  test('case Q2: [C14] no question fails, and what it names literally is found', async () => {
    const loci = await openWith(...stored(...PANEL.map((text, i) => `Note ${i} tells of ${text}`)));
    for (const literal of PANEL) expect((await asked(loci, literal))[0]).toContain(literal);
    for (const query of HARMLESS) await expect(asked(loci, query)).resolves.toBeDefined();
    for (const blank of ['', '   ']) {
      const { results } = await loci
        .recall({ query: blank, limit: 50 })
        .catch(() => ({ results: [] }));
      expect(results.length).toBeLessThan(PANEL.length);
    }
  });

  test('case Q3: [C3] a sentence finds by its content words, and junk is no match', async () => {
    const invoice = 'Invoice export runs nightly at the billing service';
    const spanish = 'La exportación de facturas corre cada noche en el servicio de cobros';
    const loci = await openWith(...stored(invoice, spanish, ...UNRELATED));
    expect((await asked(loci, 'why is the invoice export not running tonight'))[0]).toBe(invoice);
    expect((await asked(loci, '¿te acuerdas de lo que hablamos de facturas?'))[0]).toBe(spanish);
    const { results, coverage } = await loci.recall({ query: 'ship zarquon to prod safely' });
    expect(results.every(({ score }) => score < 0.4)).toBe(true);
    expect(coverage.strength).not.toBe('strong');
    expect(coverage.unmatched).toContain('zarquon');
  });

  test('case Q6: [C13] among near twins the exact identifier is on top', async () => {
    const releases = Array.from({ length: 10 }, (_, i) => `Release v1.${i + 1} notes, small fixes`);
    const loci = await openWith(
      ...stored(...releases, 'Error E11000 on upsert', 'Fixed in a1b2c3d'),
    );
    for (const i of [1, 9, 10]) {
      expect((await asked(loci, `v1.${i}`))[0]).toBe(`Release v1.${i} notes, small fixes`);
    }
    expect((await asked(loci, 'E11000'))[0]).toBe('Error E11000 on upsert');
    expect((await asked(loci, 'a1b2c3d'))[0]).toBe('Fixed in a1b2c3d');
  });

  test('case U1: [C13] a word inside a sentence without spaces is found', async () => {
    const kyoto = '週末は京都で紅葉狩りを楽しんだ';
    const meeting = '회의에서 배포일정을 정했다';
    const theme = '用户偏好深色主题和紧凑布局';
    const rerun = '第3步重跑sync-job后清空缓存';
    const loci = await openWith(...stored(kyoto, meeting, theme, rerun, ...UNRELATED));
    const expected: readonly (readonly [string, string])[] = [
      ['紅葉狩り', kyoto],
      ['京都', kyoto],
      ['배포일정', meeting],
      ['深色', theme],
      ['主题', theme],
      ['深色 OR 主题', theme],
      ['sync', rerun],
      ['job', rerun],
      ['缓存', rerun],
    ];
    for (const [query, body] of expected)
      expect([query, (await asked(loci, query))[0]]).toEqual([query, body]);
  });

  test('case U6: a NUL costs a character and is told, the escape as text stays', async () => {
    const loci = await openWith();
    const { results, warnings } = await loci.remember([
      { body: 'A plain note about the rudder' },
      { body: 'before \0 after zebra' },
      { body: 'The log prints \\u0000 between records' },
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'stored']);
    expect(warnings.filter((warning) => warning.startsWith('line 2:'))).toHaveLength(1);
    expect(await asked(loci, 'zebra')).toEqual(['before  after zebra']);
    expect((await asked(loci, 'log prints between records'))[0]).toContain('\\u0000');
  });
});
