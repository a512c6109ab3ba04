import { assert, nat, property, string } from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, test } from 'vitest';
import { o200kTokens } from '../../src/models/tokens/o200k.ts';

const tokens = o200kTokens();
const AS_TEXT = { disallowedSpecial: new Set<string>() };

beforeAll(() => tokens.prepare());

describe('[C9] counting tokens', () => {
  test('agrees with the tokeniser, whatever the text', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 900 }), (text) => {
        expect(tokens.count(text)).toBe(countTokens(text, AS_TEXT));
      }),
    );
    const prose = 'Décision: use `bun` 1.3.14, 会议决定使用数据库。 <|endoftext|>\n'.repeat(2000);
    expect(tokens.count(prose)).toBe(countTokens(prose, AS_TEXT));
  });

  test.each([
    ['letters', 'x'.repeat(300_000)],
    ['other letters', 'abcdefghij'.repeat(30_000)],
    ['Chinese without a mark', '会议决定使用数据库'.repeat(30_000)],
    ['emoji', '🚀'.repeat(100_000)],
    ['blanks', ' '.repeat(300_000)],
    ['line ends', '\n'.repeat(300_000)],
    ['marks', '=-_#'.repeat(75_000)],
    ['combining marks', 'e\u0301'.repeat(150_000)],
  ])('a long run of %s takes seconds at most, counted and cut', (_, text) => {
    const startedAt = performance.now();
    const count = tokens.count(text);
    expect(count).toBeGreaterThan(0);
    const cut = tokens.cut(text, 100);
    expect(text.startsWith(cut)).toBe(true);
    expect(tokens.count(cut)).toBeLessThanOrEqual(100);
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });

  test('taken in pieces a run counts nearly the same', () => {
    for (const text of ['x'.repeat(3000), 'supercalifragilistic'.repeat(150), '🚀'.repeat(1500)]) {
      const cuts = Math.ceil(text.length / 500);
      expect(Math.abs(tokens.count(text) - countTokens(text, AS_TEXT))).toBeLessThanOrEqual(cuts);
    }
  });

  test('a text is cut where its tokens say, never inside a character', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 3000 }), nat(50), (text, limit) => {
        const cut = tokens.cut(text, limit);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut).not.toMatch(/[\ud800-\udbff]$/);
        expect(tokens.count(cut)).toBeLessThanOrEqual(limit);
        expect(cut === text || tokens.count(text) > limit).toBe(true);
      }),
    );
  });
});
