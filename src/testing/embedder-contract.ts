import { describe, expect, test, type TestContext } from 'vitest';
import type { Embedder } from '../ports/embedder.ts';

export interface EmbedderHarness {
  /** A new embedder; two of them are of the same model. */
  make(): Embedder | Promise<Embedder>;
  /** Why it cannot be tried here. */
  readonly skip?: string | undefined;
}

/** Texts that come from people, files and accidents. */
const WILD = [
  '',
  '   ',
  '\n',
  '🚀',
  '\ud800',
  'a\0b',
  '(',
  '深色主题',
  'ภาษาไทย',
  'x'.repeat(20_000),
];

/** What every embedder must do: an implementation is done when this passes. */
export function embedderContract(name: string, harness: EmbedderHarness): void {
  const make = async (context: TestContext): Promise<Embedder> => {
    if (harness.skip !== undefined) context.skip(harness.skip);
    const embedder = await harness.make();
    context.onTestFinished(() => embedder.close());
    return embedder;
  };
  describe(`embedder: ${name}`, () => {
    test('describes its model, the same each time and from each instance', async (context) => {
      const [one, two] = [await make(context), await make(context)];
      const model = await one.describe();
      expect(model.revision).not.toBe('');
      expect({ revision: undefined, ...model }).toEqual({
        provider: one.provider,
        model: expect.stringMatching(/./),
        revision: model.revision,
        dimensions: expect.any(Number),
        queryPrefix: expect.any(String),
        documentPrefix: expect.any(String),
      });
      expect(model.dimensions).toBeGreaterThan(1);
      expect(await one.describe()).toEqual(model);
      expect(await two.describe()).toEqual(model);
    });

    test('[D1] gives one vector of unit length a text, in order', async (context) => {
      const embedder = await make(context);
      const { dimensions } = await embedder.describe();
      const texts = ['We deploy on Fridays', 'The cat sleeps', 'We deploy on Fridays'];
      for (const kind of ['document', 'query'] as const) {
        const vectors = await embedder.embed(texts, kind);
        expect(vectors.map(({ length }) => length)).toEqual([dimensions, dimensions, dimensions]);
        for (const vector of vectors) expect(norm(vector)).toBeCloseTo(1, 4);
        expect(cosine(vectors[0], vectors[2])).toBeCloseTo(1, 4);
        expect(cosine(vectors[0], vectors[1])).toBeLessThan(0.999);
      }
    });

    test('a text has the same vector alone, among many, and tomorrow', async (context) => {
      const [one, two] = [await make(context), await make(context)];
      const texts = Array.from(
        { length: 70 },
        (_, i) => `Note ${i}: service ${i % 7} uses port ${i}`,
      );
      const together = await one.embed(texts, 'document');
      expect(together).toHaveLength(70);
      for (const at of [0, 33, 69]) {
        const [alone] = await two.embed([texts[at] as string], 'document');
        expect(cosine(alone, together[at])).toBeGreaterThan(0.999);
      }
    });

    test('takes any text of any length', async (context) => {
      const embedder = await make(context);
      for (const kind of ['document', 'query'] as const) {
        const vectors = await embedder.embed(WILD, kind);
        expect(vectors.map((vector) => Math.round(norm(vector) * 1000))).toEqual(
          WILD.map(() => 1000),
        );
      }
    });

    test('no texts are no vectors', async (context) => {
      expect(await (await make(context)).embed([], 'document')).toEqual([]);
    });

    test('answers several callers at once, each its own', async (context) => {
      const embedder = await make(context);
      const texts = ['apples', 'bridges', 'clouds', 'drums'];
      const together = await embedder.embed(texts, 'document');
      const each = await Promise.all(texts.map((text) => embedder.embed([text], 'document')));
      each.forEach(([vector], i) => expect(cosine(vector, together[i])).toBeGreaterThan(0.999));
    });

    test('stops when it is told to', async (context) => {
      const embedder = await make(context);
      const stopped = AbortSignal.abort();
      await expect(embedder.embed(['x'], 'query', stopped)).rejects.toMatchObject({
        code: 'cancelled',
      });
      expect(await embedder.embed(['x'], 'query')).toHaveLength(1);
    });

    test('closes, also twice and unused', async (context) => {
      const [unused, used] = [await make(context), await make(context)];
      await used.embed(['x'], 'document');
      const closing = [unused, used, used].map((embedder) => embedder.close());
      expect(await Promise.all(closing)).toEqual([undefined, undefined, undefined]);
    });
  });
}

function norm(vector: Float32Array): number {
  return Math.hypot(...vector);
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || !b) throw new Error('a vector is missing');
  return a.reduce((sum, number, i) => sum + number * (b[i] as number), 0);
}
