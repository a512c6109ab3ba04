import { describe, expect, test } from 'vitest';
import { fuse, type Evidence, type VectorChannel } from '../../src/domain/ranking/fuse.ts';
import { DEFAULT_WEIGHTS } from '../../src/domain/ranking/settings.ts';

const { keyword, fusion } = DEFAULT_WEIGHTS;
const WEIGHTS = { keyword, fusion: { ...fusion, weaker: 0.25 } };
/** So many that what is ordinary beforehand weighs nothing, and deviations can be read off. */
const compared = 1e12;
const WORDS: VectorChannel = { weight: 0.2, mean: 0.25, deviation: 0.125, compared };
const SENTENCES: VectorChannel = { weight: 0.5, mean: 0.5, deviation: 0.25, compared };

function memory(id: string, ...cosines: (number | undefined)[]): Evidence {
  return { id, raw: 0, length: 30, cosines, speaks: false, asksBack: false };
}

/** What each embedder adds to each memory, by its id. */
function meaning(channels: readonly VectorChannel[], ...memories: Evidence[]) {
  const fused = fuse(memories, 1, channels, WEIGHTS);
  return Object.fromEntries(
    fused.map(({ id, meaning: parts }) => [id, parts.map((part) => Number(part.toFixed(6)))]),
  );
}

describe('what several embedders say of a memory', () => {
  test('[C1] one alone counts whole', () => {
    expect(meaning([WORDS], memory('a', 0.5), memory('b', 0.125))).toEqual({
      a: [0.4],
      b: [-0.2],
    });
  });

  test('[C1] the strongest counts whole and the weaker one in part, memory by memory', () => {
    const channels = [WORDS, SENTENCES];
    expect(meaning(channels, memory('a', 0.5, 0.75), memory('b', 0.625, 0.5))).toEqual({
      a: [0.1, 0.5],
      b: [0.6, 0],
    });
  });

  test('[C1] a memory that an embedder has not read yet is judged by the other', () => {
    const channels = [WORDS, SENTENCES];
    expect(meaning(channels, memory('a', 0.5, undefined))).toEqual({ a: [0.4, 0] });
  });
});
