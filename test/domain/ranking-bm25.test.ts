import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  calibrate,
  finishScore,
  planQuery,
  scoreEntry,
  seenBit,
  termMarks,
  termScore,
  type ScorePlan,
} from '../../src/domain/ranking/bm25.ts';
import { entryOf, type IndexEntry } from '../../src/domain/ranking/entry.ts';
import { sessionPrior } from '../../src/domain/ranking/session.ts';
import { parseQuery, type ParsedQuery } from '../../src/domain/text/query.ts';

const entryFor = (body: string, title?: string): IndexEntry =>
  entryOf({ body, title, tags: [], created_at: '2025-01-02T03:04:05Z' }, undefined);

function prepare(text: string, entries: IndexEntry[]): { query: ParsedQuery; plan: ScorePlan } {
  const query = parseQuery(text);
  const df = query.terms.map(({ term }) => entries.filter((entry) => entry.terms.has(term)).length);
  const totalLength = entries.reduce((sum, entry) => sum + entry.length, 0);
  return { query, plan: planQuery(query, df, { documents: entries.length, totalLength }) };
}

/** Bodies found, best first, with scores from 0 to 1. */
function search(text: string, bodies: string[]): { body: string; score: number }[] {
  const entries = bodies.map((body) => entryFor(body));
  const { query, plan } = prepare(text, entries);
  return bodies
    .flatMap((body, i) => {
      const raw = scoreEntry(plan, query, entries[i]!);
      return raw === undefined ? [] : [{ body, score: calibrate(plan, raw) }];
    })
    .sort((a, b) => b.score - a.score);
}

const first = (text: string, bodies: string[]): string | undefined => search(text, bodies)[0]?.body;

const NOTES = [
  'Invoice export runs nightly at the billing service',
  'The team lunch moved to Thursday',
  'Ask the owner before you talk to a vendor',
  'Give the printer a new cable to fix the paper jam',
  'Bikes belong to the cellar',
  'Answers to auditors go out on Friday',
  'La factura de la imprenta se paga en marzo',
  'Coffee beans come from a small roaster',
];

describe('score of one term', () => {
  test('is BM25 with k1 2, b 0.9 over weighted fields', () => {
    const plan = planQuery(parseQuery('zebra'), [1], { documents: 9, totalLength: 360 });
    // information ln(1 + 8.5 / 1.5); mean 40; body 1: tf 1, norm 2 × (0.1 + 0.9 × 20 / 40)
    expect(termScore(plan, 0, 1, 20)).toBeCloseTo((Math.log(1 + 8.5 / 1.5) * 3) / 2.1, 12);
    // shorter than the floor of 20 words counts as 20
    expect(termScore(plan, 0, 1, 3)).toBe(termScore(plan, 0, 1, 20));
    expect(termScore(plan, 0, 1, 80)).toBeLessThan(termScore(plan, 0, 1, 40));
    // context once: tf 0.3, norm 2 at mean length
    expect(termScore(plan, 0, 1 << 12, 40)).toBeCloseTo((Math.log(1 + 8.5 / 1.5) * 0.9) / 2.3, 12);
  });

  test('an empty view weighs without failing', () => {
    const plan = planQuery(parseQuery('zebra'), [0], { documents: 0, totalLength: 0 });
    expect(Number.isFinite(termScore(plan, 0, 1, 20))).toBe(true);
  });
});

describe('ranking', () => {
  test('a plain question finds the note by its content words', () => {
    expect(first('why is the invoice export not running tonight', NOTES)).toBe(NOTES[0]);
    expect(search('ship to prod safely', NOTES)).toEqual([]);
    expect(first('¿te acuerdas de lo que hablamos de facturas?', NOTES)).toBe(NOTES[6]);
  });

  test('the exact identifier stands above its twins', () => {
    const notes = Array.from({ length: 10 }, (_, i) => `Release v1.${i + 1} notes, small fixes`);
    notes.push('Error E11000 on upsert', 'Fixed in a1b2c3d');
    notes.push('ADR-042 picks SQLite for the index', 'ADR-043 picks Postgres for the index');
    expect(first('v1.9', notes)).toBe('Release v1.9 notes, small fixes');
    expect(first('release notes of v1.1 with small fixes', notes)).toBe(
      'Release v1.1 notes, small fixes',
    );
    expect(first('E11000', notes)).toBe('Error E11000 on upsert');
    expect(first('a1b2c3d', notes)).toBe('Fixed in a1b2c3d');
    expect(first('ADR-042', notes)).toBe('ADR-042 picks SQLite for the index');
    expect(first('adr-043 index', notes)).toBe('ADR-043 picks Postgres for the index');
    expect(first('-042', notes)).toBe('ADR-042 picks SQLite for the index');
  });

  test('it is not outvoted by the other words of the question', () => {
    const notes = [
      'E11000 seen again',
      'Upserting invoices in the billing service fails with a duplicate error',
      ...NOTES.slice(1),
    ];
    expect(first('E11000 error while upserting invoices in the billing service', notes)).toBe(
      'E11000 seen again',
    );
  });

  test('words inside a sentence without spaces', () => {
    const notes = [
      '週末は京都で紅葉狩りを楽しんだ',
      '회의에서 배포일정을 정했다',
      '用户偏好深色主题和紧凑布局',
      '第3步重跑sync-job后清空缓存',
    ];
    expect(first('紅葉狩り', notes)).toBe(notes[0]);
    expect(first('배포일정', notes)).toBe(notes[1]);
    for (const text of ['深色', '主题', '深色 OR 主题', '偏好深', '布']) {
      expect(first(text, notes)).toBe(notes[2]);
    }
    for (const text of ['sync', 'job', 'sync-job', '清空']) {
      expect(first(text, notes)).toBe(notes[3]);
    }
  });

  test.each([
    'src/main.py',
    'CLAUDE.md',
    '10 GB/s',
    "don't use",
    'C:\\agent\\data',
    'grammar::fa',
    '"unbalanced',
    'AND',
    'foo OR',
    'NEAR(',
    'a^b',
    '{x}',
    'title:',
    '🚀',
    'session-recall',
  ])('literal text is found: %s', (literal) => {
    const note = `Somebody wrote ${literal} here`;
    expect(first(literal, [...NOTES, note])).toBe(note);
  });

  test('an adjacent pair ranks above the same words apart', () => {
    expect(
      first('dark mode', ['mode of the dark', 'dark blue mode', 'the dark mode', 'x y z']),
    ).toBe('the dark mode');
  });

  test('what is said in the title is the subject', () => {
    const entries = [entryFor('deploy on Friday', 'Rules'), entryFor('rules on Friday', 'Deploy')];
    const { query, plan } = prepare('how to deploy', entries);
    const [inBody, inTitle] = entries.map((entry) => scoreEntry(plan, query, entry)!);
    expect(inTitle! / inBody!).toBeCloseTo(1.3, 12);
  });
});

describe('score from 0 to 1', () => {
  test('a full match is high, one weak word of a long question low', () => {
    const [hit] = search('invoice export nightly billing service', NOTES);
    expect(hit!.score).toBeGreaterThan(0.7);
    const many = [...NOTES, ...NOTES.map((note) => `${note} again at the office`)];
    const weak = search('which office keeps spare radiators behind rusty garage doors', many);
    expect(weak).toHaveLength(8);
    for (const { score } of weak) expect(score).toBeLessThan(0.15);
  });

  test('grows with the raw score and stays below 1', () => {
    const { plan } = prepare(
      'invoice export',
      NOTES.map((note) => entryFor(note)),
    );
    const scores = [0, 0.1, 1, 2, 5, 10, 50].map((raw) => calibrate(plan, raw));
    expect(scores[0]).toBe(0);
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
    expect(scores.at(-1)).toBeLessThanOrEqual(1);
  });
});

test('term at a time and document at a time give the same bits', () => {
  const word = fc.constantFrom(
    'index',
    'sqlite',
    'E11000',
    'dark',
    'mode',
    'src/a.ts',
    'v1.2',
    '深色',
  );
  const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(text, fc.array(text, { minLength: 1, maxLength: 8 }), (asked, bodies) => {
      const entries = bodies.map((body, i) => entryFor(body, i % 2 ? 'dark sqlite' : undefined));
      const { query, plan } = prepare(asked, entries);
      const sums = new Float64Array(entries.length);
      const marks = new Int32Array(entries.length);
      const seen = new Int32Array(entries.length);
      query.terms.forEach(({ term }, i) => {
        entries.forEach((entry, d) => {
          const posting = entry.terms.get(term);
          if (!posting) return;
          sums[d]! += termScore(plan, i, posting.counts, entry.length);
          marks[d]! |= termMarks(plan, i, posting.counts, posting.next);
          seen[d]! |= seenBit(i);
        });
      });
      entries.forEach((entry, d) => {
        const raw = seen[d] === 0 ? undefined : finishScore(plan, sums[d]!, marks[d]!, seen[d]!);
        expect(scoreEntry(plan, query, entry)).toBe(raw);
      });
    }),
  );
});

describe('sessionPrior', () => {
  test('adds a fifth of the best other hit of the session; less to long memories', () => {
    expect(
      sessionPrior([
        { raw: 10, length: 12, session: 'a' },
        { raw: 8, length: 40, session: 'a' },
        { raw: 6, length: 20, session: 'a' },
        { raw: 9, length: 12, session: 'b' },
        { raw: 7, length: 12 },
      ]),
    ).toEqual([11.6, 9, 8, 9, 7]);
  });
});
