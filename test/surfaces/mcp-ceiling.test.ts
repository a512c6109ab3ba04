import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { fullness, USUAL } from '../../src/surfaces/mcp/ceiling.ts';
import { shorten } from '../../src/surfaces/mcp/shorten.ts';
import { estimateTokens } from '../../src/surfaces/mcp/tokens.ts';

const source = readFileSync(new URL('../../src/surfaces/mcp/page.ts', import.meta.url), 'utf8');
const digests = Array.from({ length: 200 }, (_, i) => createHash('sha256').update(String(i)));
const hex = digests.map((digest) => digest.digest('hex')).join('\n');
const ids = Array.from({ length: 200 }, (_, i) => `FACT-2026-03-09-THE-USER-LIKES-TEA-${i}K2M`);

const TEXTS: Record<string, string> = {
  prose: 'The invoice export runs nightly at the billing service, which is restarted. '.repeat(40),
  code: source,
  'code in JSON': JSON.stringify({ body: source }),
  hex,
  base64: Buffer.from(hex, 'hex').toString('base64') + Buffer.from(hex).toString('base64'),
  ids: JSON.stringify(ids),
  Chinese: '用户偏好深色主题和紧凑布局，部署在周五之前完成。'.repeat(40),
  Japanese: '週末は京都で紅葉狩りを楽しんだ。サーバーの設定を変更しました。'.repeat(40),
  German: 'Die Rechnungsstellung läuft nachts über den Abrechnungsdienst. '.repeat(40),
  Russian: 'Пользователь предпочитает тёмную тему и компактное расположение. '.repeat(40),
  emoji: '🚀🎉😀👩‍💻🔥'.repeat(100),
};

describe('an estimate of tokens', () => {
  test.each(Object.entries(TEXTS))('is hardly ever too low: %s', (_, text) => {
    expect(estimateTokens(text) / encode(text).length).toBeGreaterThan(0.91);
  });

  test.each(['prose', 'code', 'code in JSON', 'ids'])('is close where it matters: %s', (name) => {
    const text = TEXTS[name] ?? '';
    expect(estimateTokens(text) / encode(text).length).toBeLessThan(1.3);
  });
});

describe('fullness', () => {
  test('counts what is said twice twice', () => {
    const text = 'word '.repeat(4_000);
    expect(fullness(text, {}, USUAL)).toBeLessThan(1);
    expect(fullness(text, { text }, USUAL)).toBeGreaterThan(1);
  });

  test('stops at bytes, however few tokens they are', () => {
    expect(fullness(' '.repeat(90_000), {}, USUAL)).toBeGreaterThan(1);
  });
});

describe('shortening', () => {
  test('cuts the longest texts first, between characters, and marks the bodies', () => {
    const result = {
      memories: [
        { id: 'A', body: '🚀'.repeat(1_000) },
        { id: 'B', body: 'short' },
      ],
    };
    const { result: cut } = shorten(result, 4.001)!;
    const [first, second] = (cut as typeof result).memories;
    expect(first).toMatchObject({ id: 'A', truncated: true });
    expect(first?.body).toBe('🚀'.repeat(224));
    expect(second).toEqual({ id: 'B', body: 'short' });
    expect(result.memories[0]).not.toHaveProperty('truncated');
  });

  test('then the longest lists, with their numbers', () => {
    const items = Array.from({ length: 100 }, (_, i) => i);
    const { result, notes } = shorten({ items }, 2)!;
    expect(result).toEqual({ items: items.slice(0, 45) });
    expect(notes).toEqual(['"items" shows 45 of 100']);
  });

  test('leaves ids and cursors whole', () => {
    const long = 'x'.repeat(1_000);
    expect(shorten({ id: long, next_cursor: long }, 3)).toBeUndefined();
  });
});
