import { describe, expect, test } from 'vitest';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { memoryOf, put } from '../memories.ts';
import { ask, idsFor } from './keyword.ts';

const SCRIPTS: readonly [id: string, body: string, questions: readonly string[]][] = [
  ['FACT-JA', '週末は京都で紅葉狩りを楽しんだ', ['紅葉狩り', '京都', '週末']],
  ['FACT-KO', '회의에서 배포일정을 정했다', ['배포일정', '회의']],
  ['FACT-ZH', '用户偏好深色主题和紧凑布局', ['深色', '主题', '深色 OR 主题']],
  ['FACT-MIX', '第3步重跑sync-job后清空缓存', ['sync', 'job', 'sync-job', '缓存']],
  ['FACT-TH', 'ภาษาไทยไม่มีช่องว่างระหว่างคำ', ['ภาษาไทย', 'ช่องว่าง']],
  [
    'FACT-DE',
    'Die Straße nach Zürich ist gesperrt',
    ['zurich', 'ZÜRICH', 'Zu\u0308rich', 'strasse'],
  ],
  ['FACT-RU', 'Сборка падает на Ёлке', ['сборка', 'елке']],
];

const IDENTIFIERS: readonly [id: string, body: string, questions: readonly string[]][] = [
  ['FACT-ADR', 'ADR-042 picks SQLite for the index', ['ADR-042', 'adr-042 index', 'adr042']],
  ['FACT-ADR-OTHER', 'ADR-043 picks Postgres', ['ADR-043']],
  ['FACT-PATH', 'See src/main.py for the loop', ['src/main.py', 'main.py']],
  ['FACT-WINDOWS', 'Data lies in C:\\agent\\data', ['C:\\agent\\data']],
  ['FACT-FILE', 'Read CLAUDE.md first', ['CLAUDE.md']],
  ['FACT-UNIT', 'The link carries 10 GB/s', ['10 GB/s']],
  ['FACT-SCOPE', 'grammar::fa is the module', ['grammar::fa']],
  ['FACT-ERROR', 'Error E11000 on upsert', ['E11000']],
  ['FACT-COMMIT', 'Fixed in a1b2c3d', ['a1b2c3d']],
  ['FACT-RELEASE-1', 'Release v1.1 notes, small fixes', ['v1.1']],
  ['FACT-RELEASE-9', 'Release v1.9 notes, small fixes', ['v1.9']],
  ['FACT-RELEASE-10', 'Release v1.10 notes, small fixes', ['v1.10']],
];

const SYNTAX = [
  '-042',
  'picks -SQLite',
  "don't use",
  '"unbalanced',
  '(',
  '*',
  'AND',
  'foo OR',
  'NEAR(',
  'a^b',
  '{x}',
  'title:',
  '%',
  '🚀',
  "'; DROP TABLE memories; --",
  '\\',
  '\0',
  '\ud800',
  'a '.repeat(5000),
  '('.repeat(5000),
];

/** A word of its own for each. */
const TREES =
  'alder birch cedar dogwood elm fir ginkgo hazel ivy juniper katsura larch maple nutmeg oak pine quince rowan spruce teak'.split(
    ' ',
  );

export function questionContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  test('[C13] finds words of any script inside sentences', async () => {
    const engine = await bench().open();
    await put(engine, ...SCRIPTS.map(([id, body]) => memoryOf({ id, body })));
    for (const [id, , questions] of SCRIPTS) {
      for (const question of questions) {
        const ids = await idsFor(engine, question);
        expect({ question, ids }).toEqual({ question, ids: expect.arrayContaining([id]) });
      }
    }
  });

  test('[C13] finds identifiers, paths, versions and error codes first', async () => {
    const engine = await bench().open();
    await put(engine, ...IDENTIFIERS.map(([id, body]) => memoryOf({ id, body })));
    for (const [id, , questions] of IDENTIFIERS) {
      for (const question of questions) {
        expect([question, (await idsFor(engine, question))[0]]).toEqual([question, id]);
      }
    }
  });

  describe('[C14] no character of a question is syntax', () => {
    test('each is answered, and finds the memory that says it', async () => {
      const engine = await bench().open();
      const says = SYNTAX.map((_, i) => `FACT-SAYS-${i}`);
      await put(engine, ...says.map((id, i) => memoryOf({ id, body: `Plant a ${TREES[i]}` })));
      for (const [i, question] of SYNTAX.entries()) {
        const asked = question.slice(0, 40);
        await ask(engine, question);
        const [first] = await idsFor(engine, `${question} ${TREES[i]}`);
        expect([asked, first]).toEqual([asked, says[i]]);
      }
    });

    test('blanks and nothing ask for nothing', async () => {
      const engine = await bench().open();
      await put(engine, memoryOf({ id: 'FACT-ONE' }));
      for (const question of ['', '   ', '\n\t']) {
        const { hits, matched, documentFrequency } = await ask(engine, question);
        expect({ hits, matched, documentFrequency }).toEqual({
          hits: [],
          matched: 0,
          documentFrequency: [],
        });
      }
    });
  });
}
