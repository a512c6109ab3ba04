// The real vendors, for those who ask for it: LOCI_TEST_LIVE=1 with a key in the environment.
import { describe, expect, test } from 'vitest';
import { PROVIDERS, type EmbedderChoice } from '../../../src/domain/embedder-choice.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { createEmbedder } from '../../../src/models/embedders/create.ts';

/** test/setup.ts keeps these from everybody else. */
const live = JSON.parse(process.env.TEST_LIVE ?? 'null') as Record<string, string> | null;

describe.each(['openai', 'voyage', 'openrouter', 'ollama'] as const)('%s itself', (provider) => {
  const { keyVariable = '', defaultModel: model = '' } = PROVIDERS[provider];

  test('puts a question nearer to its answer than to something else', async (context) => {
    if (!live) context.skip('LOCI_TEST_LIVE is not set');
    const key = live?.[keyVariable];
    if (keyVariable !== '' && !key) context.skip(`${keyVariable} is not set`);
    const choice: EmbedderChoice = { provider, model, ...(key ? { apiKey: new Secret(key) } : {}) };
    const embedder = createEmbedder(choice);
    const [question] = await embedder.embed(['How do I ship a release?'], 'query');
    const texts = ['Publish a version with npm publish', 'My grandmother bakes apple pie'];
    const [near, far] = await embedder.embed(texts, 'document');
    expect((await embedder.describe()).dimensions).toBe(question?.length);
    expect(dot(question, near)).toBeGreaterThan(dot(question, far));
  });
});

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || !b) throw new Error('a vector is missing');
  return a.reduce((sum, number, i) => sum + number * (b[i] as number), 0);
}
