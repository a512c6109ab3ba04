import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff, type DiffLine } from '../../src/domain/line-diff.ts';

const shown = (lines: readonly DiffLine[]): string[] => lines.map(({ sign, text }) => sign + text);

test('a line that changed stands between those that did not', () => {
  expect(shown(lineDiff('one\ntwo\nthree', 'one\n2\nthree'))).toEqual([
    ' one',
    '-two',
    '+2',
    ' three',
  ]);
});

test('what moved is taken out once and put in once', () => {
  expect(shown(lineDiff('a\nb\nc\nd', 'b\nc\na\nd'))).toEqual(['-a', ' b', ' c', '+a', ' d']);
});

test('texts of a thousand lines that differ are shown whole', () => {
  const old = Array.from({ length: 1000 }, (_, i) => `old ${i}`).join('\n');
  expect(lineDiff(old, 'new').length).toBe(1001);
});

test('without what was put in it is the old text, without what was taken out the new one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [old, now] = [a.join('\n'), b.join('\n')];
      const lines = lineDiff(old, now);
      const without = (sign: string): string =>
        lines
          .filter((line) => line.sign !== sign)
          .map((line) => line.text)
          .join('\n');
      expect([without('+'), without('-')]).toEqual([old, now]);
    }),
  );
});
