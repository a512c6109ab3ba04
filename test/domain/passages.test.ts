import { describe, expect, test } from 'vitest';
import { passagesOf } from '../../src/domain/embedding.ts';

const passages = (body: string, title = '') => passagesOf({ title, body });

describe('[D5] passages of a memory', () => {
  test('a short one is its own, under its title', () => {
    expect(passages('We deploy on Fridays.')).toEqual(['We deploy on Fridays.']);
    expect(passages('We deploy on Fridays.', 'Deploys')).toEqual([
      'Deploys\nWe deploy on Fridays.',
    ]);
    expect(passages('')).toEqual(['']);
  });

  test('a long one is split at sentences', () => {
    const sentence = `${'word '.repeat(29)}end.`;
    const all = passages(`${sentence} ${sentence} ${sentence} ${sentence} The tail.`);
    expect(all.map((passage) => passage.split(' ').length)).toEqual([60, 62]);
    expect(all.at(-1)).toMatch(/The tail\.$/);
  });

  test.each([
    ['no sentence ends', 'word '.repeat(1000), 480],
    ['20 KB of Chinese', '我们的服务部署在法兰克福并且每天备份'.repeat(400), 170],
    ['Chinese sentences', '我们在周五部署。请勿改动配置！'.repeat(300), 170],
    ['Thai', 'ภาษาไทยไม่มีช่องว่างระหว่างคำ'.repeat(200), 170],
    ['one word of 20,000 letters', 'x'.repeat(20_000), 1000],
    ['emoji', '🚀'.repeat(5000), 1000],
  ])('case E6: %s: nothing is lost, and no passage is long', (_, text, longest) => {
    const all = passages(`${text.trim()} qx-tail-7731`);
    expect(all.length).toBeGreaterThan(1);
    expect(Math.max(...all.map(({ length }) => length))).toBeLessThanOrEqual(longest);
    expect(all.join('').replace(/\s/g, '')).toBe(`${text}qx-tail-7731`.replace(/\s/g, ''));
    expect(all.join('')).not.toMatch(/\p{Surrogate}/u);
  });
});
