import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from 'vitest';
import { analyse } from '../../src/domain/text/analyse.ts';
import { o200kTokens } from '../../src/models/tokens/o200k.ts';

const TEXTS = 200;
const CHARACTERS = 100_000;
const MOST_BYTES = (TEXTS * CHARACTERS) / 5;

let collect: () => void;
const tokens = o200kTokens();

beforeAll(async () => {
  setFlagsFromString('--expose-gc');
  collect = runInNewContext('gc') as () => void;
  await tokens.prepare();
});

const letters = (i: number): string => [...String(i)].map((n) => 'abcdefghij'[Number(n)]).join('');

function textOf(i: number): string {
  const filler = `${i} lorem ipsum dolor `.repeat(CHARACTERS / 20);
  return `authentication${letters(i)} ${filler}`.normalize();
}

/** Bytes that stay when texts with a long word of their own have been looked at. */
function heldBytes(look: (text: string) => unknown): number {
  look(textOf(TEXTS));
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < TEXTS; i++) look(textOf(i));
  collect();
  return process.memoryUsage().heapUsed - before;
}

describe('a word that is kept', () => {
  test('does not keep its text, when a text is split into terms', () => {
    expect(heldBytes(analyse)).toBeLessThan(MOST_BYTES);
  });

  test('does not keep its text, when tokens are counted', () => {
    expect(heldBytes(tokens.count)).toBeLessThan(MOST_BYTES);
  });
});
