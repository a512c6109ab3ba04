import { modelFacts, type EmbedderChoice } from '../../domain/embedder-choice.ts';
import type { Provider } from './provider.ts';

/**
 * Deterministic vectors from the words and letter triples of a text: texts that share them are near
 * each other. No model, no meaning; for tests and only when asked for.
 */
export function fakeProvider(choice: EmbedderChoice): Provider {
  const facts = modelFacts(choice);
  const length = choice.dimensions ?? 64;
  return {
    provider: choice.provider,
    model: choice.model,
    instant: true,
    facts,
    limits: { texts: 1000, tokens: 1_000_000 },
    identify: async () => ({ dimensions: length }),
    request: async (texts) => texts.map((text) => vectorOf(text, length)),
  };
}

function vectorOf(text: string, length: number): Float32Array {
  const vector = new Float32Array(length);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) {
    add(vector, word, 1);
    for (let i = 0; i + 3 <= word.length; i++) add(vector, `#${word.slice(i, i + 3)}`, 0.3);
  }
  // Words may cancel each other out; what is left is the text itself.
  if (vector.every((number) => number === 0)) add(vector, text, 1);
  return vector;
}

function add(vector: Float32Array, feature: string, weight: number): void {
  const hash = fnv1a(feature);
  const place = (hash >>> 1) % vector.length;
  vector[place] = (vector[place] as number) + (hash & 1 ? -weight : weight);
}

/** The hash of Fowler, Noll and Vo, 32 bits. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}
