import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmbedder } from '../../../src/models/embedders/create.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import { embedderContract } from '../../../src/testing/embedder-contract.ts';
import { importPeer, whyNot } from './peers.ts';
import { layDown, tinyModelFiles, type TinyModelOptions } from './tiny-model.ts';

const skip = whyNot('@huggingface/transformers');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loci-transformers-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function local(name: string, options: TinyModelOptions): Embedder {
  const model = join(folder, name);
  layDown(model, options);
  const cacheFolder = join(folder, 'unused');
  return createEmbedder({ provider: 'transformers', model, cacheFolder }, { importPeer });
}

async function revisionOf(
  options: Omit<TinyModelOptions, 'dimensions'>,
): Promise<string | undefined> {
  const embedder = local('revised', { dimensions: 16, ...options });
  return (await embedder.describe()).revision;
}

embedderContract('transformers, a model in a folder, CLS pooling', {
  make: () => local('cls', { dimensions: 16, pooling: 'cls' }),
  skip,
});
embedderContract('transformers, a model in a folder, mean pooling and prompts', {
  make: () =>
    local('mean', {
      dimensions: 24,
      pooling: 'mean',
      prompts: { query: 'question: ', document: 'note: ' },
    }),
  skip,
});

describe('a model in a folder', () => {
  test('[D5] says itself how it wants its texts', async (context) => {
    if (skip !== undefined) context.skip(skip);
    const prompts = { query: 'question: ', passage: 'note: ' };
    const own = local('own', { dimensions: 16, pooling: 'cls', prompts });
    const bare = local('bare', { dimensions: 16, pooling: 'cls' });
    expect(await own.describe()).toMatchObject({
      dimensions: 16,
      queryPrefix: 'question: ',
      documentPrefix: 'note: ',
    });
    const [query] = await own.embed(['x'], 'query');
    const [document] = await own.embed(['x'], 'document');
    expect(await bare.embed(['question: x'], 'document')).toEqual([query]);
    expect(await bare.embed(['note: x'], 'query')).toEqual([document]);
  });

  test('[D2] other weights or pooling are another revision', async (context) => {
    if (skip !== undefined) context.skip(skip);
    const revisions = [
      await revisionOf({ pooling: 'cls' }),
      await revisionOf({ pooling: 'mean' }),
      await revisionOf({ pooling: 'cls', seed: 2 }),
    ];
    expect(new Set(revisions).size).toBe(3);
    expect(await revisionOf({ pooling: 'cls' })).toBe(revisions[0]);
  });

  test('that is not whole is an error that says what is missing, and heals', async () => {
    const model = join(folder, 'part');
    const embedder = createEmbedder({ provider: 'transformers', model }, { importPeer });
    await expect(embedder.describe()).rejects.toMatchObject({
      code: 'unavailable',
      message: `the folder ${model} holds no whole model`,
      hint: expect.stringMatching(/config\.json, tokenizer\.json/),
    });
    layDown(model, { dimensions: 16 });
    expect(await embedder.describe()).toMatchObject({ dimensions: 16 });
  });

  test('that is damaged is an error', async (context) => {
    if (skip !== undefined) context.skip(skip);
    const embedder = local('damaged', { dimensions: 16 });
    writeFileSync(join(folder, 'damaged', 'onnx/model_quantized.onnx'), 'no model');
    await expect(embedder.embed(['x'], 'document')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^the model in .*damaged cannot be loaded/),
    });
  });
});

describe('a model of the hub', () => {
  test('[D1] is fetched once, and never asked for again', async (context) => {
    if (skip !== undefined) context.skip(skip);
    const hub = await startHub();
    const cacheFolder = join(folder, 'cache');
    const choice = {
      provider: 'transformers',
      model: 'snowflake-arctic-embed-xs',
      cacheFolder,
    } as const;
    const atHub = {
      async importPeer(name: string) {
        const library = (await importPeer(name)) as { env: { remoteHost: string } };
        library.env.remoteHost = hub.url;
        return library;
      },
    };
    const first = createEmbedder(choice, atHub);
    expect(await first.describe()).toMatchObject({
      dimensions: 384,
      revision: expect.stringMatching(/^d8c86521100d3556476a063fc2342036d45c106f-/),
      queryPrefix: 'Represent this sentence for searching relevant passages: ',
    });
    expect(hub.asked).toEqual([]);
    const vectors = await first.embed(['one', 'two'], 'document');
    expect(hub.asked).not.toEqual([]);
    expect(readdirSync(cacheFolder)).toEqual(['Snowflake']);
    hub.asked.length = 0;
    const second = createEmbedder(choice, atHub);
    expect(await second.embed(['one', 'two'], 'document')).toEqual(vectors);
    expect(hub.asked).toEqual([]);
    await Promise.all([first.close(), second.close(), hub.close()]);
  });

  test('[D4] without a network the error says what else there is', async (context) => {
    if (skip !== undefined) context.skip(skip);
    const cacheFolder = join(folder, 'empty');
    const model = 'snowflake-arctic-embed-s';
    const embedder = createEmbedder(
      { provider: 'transformers', model, cacheFolder },
      {
        async importPeer(name) {
          const library = (await importPeer(name)) as { env: { remoteHost: string } };
          library.env.remoteHost = 'http://127.0.0.1:9/';
          return library;
        },
      },
    );
    await expect(embedder.embed(['x'], 'document')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^the model snowflake-arctic-embed-s cannot be fetched/),
      hint: expect.stringContaining('set LOCI_EMBED_MODEL to a folder that holds a model'),
    });
  });

  test('without the package the error says what to install', async () => {
    const embedder = createEmbedder(
      { provider: 'transformers', model: 'snowflake-arctic-embed-xs', cacheFolder: folder },
      {
        importPeer: async () => {
          throw Object.assign(new Error('no'), { code: 'ERR_MODULE_NOT_FOUND' });
        },
      },
    );
    await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({
      code: 'unavailable',
      hint: 'npm install @huggingface/transformers@4.3',
    });
  });
});

/** Serves the tiny model at the paths of the hub. */
async function startHub() {
  const files = tinyModelFiles({ dimensions: 384 });
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    asked.push(path);
    const name = /^\/Snowflake\/snowflake-arctic-embed-xs\/resolve\/[^/]+\/(.*)$/.exec(path)?.[1];
    const bytes = files.get(name ?? '');
    if (!bytes) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}/`, asked, close };
}
