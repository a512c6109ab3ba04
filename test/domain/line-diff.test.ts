import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffLines, type DiffLine } from '../../src/domain/line-diff.ts';

const SIGNS = { same: ' ', removed: '-', added: '+' };

function shown(before: string, after: string): string {
  return diffLines(before, after)
    .map(({ kind, text }) => SIGNS[kind] + text)
    .join('|');
}

function side(lines: readonly DiffLine[], without: DiffLine['kind']): string {
  return lines
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join('\n');
}

describe('a comparison line by line', () => {
  test.for([
    ['', '', ' '],
    ['a', 'a', ' a'],
    ['a', 'b', '-a|+b'],
    ['a\nb\nc', 'a\nx\nc', ' a|-b|+x| c'],
    ['a\nb\nc', 'a\nc', ' a|-b| c'],
    ['a\nc', 'a\nb\nc', ' a|+b| c'],
    ['a\nb\nc\nd', 'b\nx\nd\ne', '-a| b|-c|+x| d|+e'],
    ['a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc', '-a|-b| c|+b| a| b|-b| a|+c'],
  ])('%j to %j', ([before = '', after = '', expected]) => {
    expect(shown(before, after)).toBe(expected);
  });

  test('both texts can be read from it, and it is no longer than it has to be', () => {
    const text = array(constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) =>
      lines.join('\n'),
    );
    assert(
      property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        expect(side(lines, 'added')).toBe(before);
        expect(side(lines, 'removed')).toBe(after);
        const same = lines.filter(({ kind }) => kind === 'same').length;
        expect(same).toBe(longestCommon(before.split('\n'), after.split('\n')));
      }),
      { numRuns: 500 },
    );
  });

  test('texts that have nothing in common are not compared for long', () => {
    const [before = '', after = ''] = ['a', 'b'].map((word) =>
      Array.from({ length: 20_000 }, (_, i) => `${word} ${i}`).join('\n'),
    );
    const startMs = performance.now();
    expect(diffLines(before, after)).toHaveLength(40_000);
    expect(performance.now() - startMs).toBeLessThan(5000);
  });
});

/** The slow, plain way. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => Array<number>(b.length + 1).fill(0));
  for (const [i, one] of a.entries()) {
    for (const [j, other] of b.entries()) {
      const better = Math.max(table[i]?.[j + 1] ?? 0, table[i + 1]?.[j] ?? 0);
      (table[i + 1] as number[])[j + 1] = one === other ? (table[i]?.[j] ?? 0) + 1 : better;
    }
  }
  return table[a.length]?.[b.length] ?? 0;
}
