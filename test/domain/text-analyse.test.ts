import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../src/domain/text/analyse.ts';

const terms = (text: string): string[] => analyse(text).map((token) => token.term);

describe('words', () => {
  test('are stemmed, without case, accents and stop words', () => {
    expect(terms('The invoices were EXPORTED nightly')).toEqual(['invoic', 'export', 'nightli']);
    expect(terms('Straße, naïve CAFÉ, Łódź, œuvre')).toEqual([
      'strass',
      'naiv',
      'cafe',
      'lodz',
      'oeuvr',
    ]);
  });

  test('contractions, possessives and elisions', () => {
    expect(terms("Don't use Ann's laptop, it isn't ours")).toEqual(['us', 'ann', 'laptop']);
    expect(terms('don’t deploy')).toEqual(['deploi']);
    expect(terms("l'usine dell'azienda O'Brien")).toEqual(['usin', 'azienda', 'brien']);
  });

  test('stop words in capitals are names, unless all is in capitals', () => {
    expect(terms('ask the IT team in the US')).toEqual(['ask', 'IT', 'team', 'US']);
    expect(terms('ASK THE IT TEAM')).toEqual(['ask', 'team']);
    expect(terms('we met in May')).toEqual(['met', 'mai']);
    expect(terms('May we meet')).toEqual(['meet']);
  });

  test('a text of nothing but stop words keeps them', () => {
    expect(terms('AND')).toEqual(['AND']);
    expect(terms('to be or not to be')).toEqual(['TO', 'BE', 'OR', 'NOT', 'TO', 'BE']);
  });

  test('numbers', () => {
    expect(terms('1,200 rows, 007, 3pm, the 2nd')).toEqual([
      '1200',
      'row',
      '7',
      '3pm',
      '3',
      'pm',
      '2nd',
      '2',
    ]);
    expect(terms('1,2,3')).toEqual(['1', '2', '3']);
  });

  test('emoji are words, other symbols are not', () => {
    expect(terms('🚀 launch (100%) ✅')).toEqual(['🚀', 'launch', '100', '✅']);
    expect(terms('% ( * [] {} ~~ ... --')).toEqual([]);
  });

  test('adjacent over stop words, not over sentence marks', () => {
    expect(analyse('Head of sales. Berlin')).toEqual([
      { term: 'head', adjacent: false },
      { term: 'sale', adjacent: true },
      { term: 'berlin', adjacent: false },
    ]);
  });
});

describe('identifiers', () => {
  test.each([
    ['src/main.py', ['=src/main.py', '=main.py', 'src', 'main', 'py']],
    ['C:\\agent\\data', ['=c:\\agent\\data', 'c', 'agent', 'data']],
    ['CLAUDE.md', ['=claude.md', 'claud', 'md']],
    ['ADR-042', ['=adr-042', 'adr', '42']],
    ['E11000', ['e11000']],
    ['a1b2c3d', ['a1b2c3d']],
    ['snake_case', ['=snake_case', 'snake', 'case']],
    ['createUser', ['createus', 'creat', 'user']],
    ['grammar::fa', ['=grammar::fa', 'grammar', 'fa']],
    ['session-recall', ['=session-recall', 'session', 'recal']],
    ['10 GB/s', ['10', '=gb/s', 'gb', 's']],
    ['#934', ['=#934', '934']],
    ['@scope/my-pkg', ['=@scope/my-pkg', '=my-pkg', 'scope', 'pkg']],
    ['v1.9', ['=v1.9', '=1.9']],
    ['1.10.2', ['=1.10.2', '=1.10', '10']],
    ['sha256', ['sha256', 'sha', '256']],
    ['.env', ['=.env', 'env']],
    ['C#', ['=c#', 'c']],
    ['C++', ['=c++', 'c']],
    ['2026-03-15', ['=2026-03-15', '2026', '15']],
  ])('%s', (text, expected) => {
    expect(terms(text)).toEqual(expected);
    expect(terms(`("${text}"),`)).toEqual(expected);
  });

  test('punctuation of a sentence is no part of a name', () => {
    expect(terms('see src/main.py.')).toEqual([
      'see',
      '=src/main.py',
      '=main.py',
      'src',
      'main',
      'py',
    ]);
    expect(terms('use --no-verify!')).toEqual(['us', '=no-verify', 'verifi']);
  });
});

describe('scripts without spaces', () => {
  test('pairs, and single characters of Han and Hangul', () => {
    expect(terms('紅葉狩り')).toEqual(['紅葉', '紅', '葉狩', '葉', '狩り', '狩']);
    expect(terms('배포일정을')).toEqual([
      '배포',
      '배',
      '포일',
      '포',
      '일정',
      '일',
      '정을',
      '정',
      '을',
    ]);
    expect(terms('ฐานข้อมูล')).toEqual(['ฐา', 'าน', 'นข้', 'ข้อ', 'อมู', 'มูล']);
    expect(terms('猫')).toEqual(['猫']);
  });

  test('Latin words and numbers inside are found', () => {
    expect(terms('第3步重跑sync-job后')).toEqual([
      '第',
      '3',
      '步重',
      '步',
      '重跑',
      '重',
      '跑',
      '=sync-job',
      'sync',
      'job',
      '后',
    ]);
  });

  test('full-width and half-width forms agree', () => {
    expect(terms('ＡＰＩ ｶﾞｲﾄﾞ')).toEqual(terms('api ガイド'));
  });
});

describe('any text', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom(..."aZé9-_./\\:@#+'’,. \n한字あทพ้́\u0000\u200d\ud800😀"),
      maxLength: 60,
    }),
  );

  test('never fails, and never gives an empty term', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { term } of analyse(text)) expect(term).not.toBe('');
      }),
      { numRuns: 2000 },
    );
  });

  test('composed and decomposed forms give the same tokens', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(analyse(text.normalize('NFD'))).toEqual(analyse(text.normalize('NFC')));
      }),
      { numRuns: 2000 },
    );
  });

  test('takes time in proportion to length', () => {
    const hostile = ['-', 'a-', "a'", 'aB', '/', '1.', 'a', '字', '1,', 'é', '.a', '@'];
    for (const unit of hostile) {
      const start = performance.now();
      analyse(`a${unit.repeat(100_000)}a`);
      expect(performance.now() - start).toBeLessThan(3000);
    }
  });
});
