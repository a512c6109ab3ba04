import { describe, expect, test } from 'vitest';
import { healthy, vectorFor } from './server.ts';
import { compatible, embedderAt, KEY, useServer } from './support.ts';

const server = useServer();
const ollama = (path = '') =>
  embedderAt({ url: `${server().url}${path}` }, { provider: 'ollama', model: 'nomic-embed-text' });

function unit(numbers: readonly number[]): number[] {
  const length = Math.hypot(...numbers);
  return numbers.map((number) => number / length);
}

async function expectVectors(
  answer: Promise<readonly Float32Array[]>,
  texts: readonly string[],
  dimensions: number,
): Promise<void> {
  const vectors = await answer;
  expect(vectors).toHaveLength(texts.length);
  vectors.forEach((vector, i) => {
    const expected = unit(vectorFor(texts[i] as string, dimensions));
    expect([...vector].map((number) => number.toFixed(5))).toEqual(
      expected.map((number) => number.toFixed(5)),
    );
  });
}

describe('[D1] OpenAI’s protocol', () => {
  test('asks POST /embeddings for floats, with the key', async () => {
    const embedder = embedderAt(server(), { provider: 'openai', model: 'text-embedding-3-small' });
    server().dimensions = 1536;
    await expectVectors(embedder.embed(['one', 'two'], 'document'), ['one', 'two'], 1536);
    const [{ path, headers, body } = {} as never] = server().requests;
    expect(path).toBe('/embeddings');
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(headers['content-type']).toBe('application/json');
    expect(body).toEqual({
      model: 'text-embedding-3-small',
      input: ['one', 'two'],
      encoding_format: 'float',
    });
  });

  test('asks for fewer numbers where it was told to', async () => {
    const embedder = embedderAt(server(), {
      provider: 'openai',
      model: 'text-embedding-3-large',
      dimensions: 256,
    });
    expect((await embedder.describe()).dimensions).toBe(256);
    await embedder.embed(['x'], 'query');
    expect(server().requests.map(({ body }) => body['dimensions'])).toEqual([256]);
  });

  test('takes the order from index, not from the list', async () => {
    server().next.push(healthy, ({ json, healthy: { data } }) =>
      json(200, { data: (data as unknown[]).toReversed() }),
    );
    await expectVectors(
      compatible(server()).embed(['a', 'b', 'c'], 'document'),
      ['a', 'b', 'c'],
      12,
    );
  });

  test('servers without index keep the order', async () => {
    server().otherwise = ({ json, healthy: { data } }) =>
      json(200, {
        data: (data as { embedding: number[] }[]).map(({ embedding }) => ({ embedding })),
      });
    await expectVectors(compatible(server()).embed(['a', 'b'], 'document'), ['a', 'b'], 12);
  });

  test('a self-hosted server is asked how long its vectors are, and needs no key', async () => {
    server().dimensions = 7;
    const { url } = server();
    const keyless = embedderAt({ url }, { provider: 'openai-compatible' });
    expect((await keyless.describe()).dimensions).toBe(7);
    expect(server().requests).toHaveLength(1);
  });

  test('a vendor without a key is not even asked', async () => {
    const { createEmbedder } = await import('../../../src/models/embedders/create.ts');
    const openai = createEmbedder({ provider: 'openai', model: 'text-embedding-3-small' });
    expect(await openai.describe()).toMatchObject({ dimensions: 1536 });
    await expect(openai.embed(['x'], 'query')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the embedder openai has no key',
      hint: 'Set OPENAI_API_KEY or LOCI_EMBED_API_KEY.',
    });
  });
});

describe('[D5] questions and memories, each in its way', () => {
  test('OpenRouter is told which it is, where the model has no prefix', async () => {
    const embedder = embedderAt(server(), {
      provider: 'openrouter',
      model: 'openai/text-embedding-3-small',
    });
    await embedder.embed(['x'], 'document');
    await embedder.embed(['x'], 'query');
    expect(
      server()
        .requests.map(({ body }) => body['input_type'])
        .slice(-2),
    ).toEqual(['search_document', 'search_query']);
  });

  test('Voyage too', async () => {
    const embedder = embedderAt(server(), {
      provider: 'voyage',
      model: 'voyage-4-lite',
      dimensions: 256,
    });
    await embedder.embed(['x'], 'document');
    await embedder.embed(['y'], 'query');
    expect(server().requests.map(({ body }) => body)).toEqual([
      { model: 'voyage-4-lite', input: ['x'], input_type: 'document', output_dimension: 256 },
      { model: 'voyage-4-lite', input: ['y'], input_type: 'query', output_dimension: 256 },
    ]);
  });

  test.each([
    ['nomic-embed-text', 'search_query: q', 'search_document: d'],
    ['mxbai-embed-large', 'Represent this sentence for searching relevant passages: q', 'd'],
    ['intfloat/multilingual-e5-large', 'query: q', 'passage: d'],
    ['embeddinggemma', 'task: search result | query: q', 'title: none | text: d'],
    [
      'qwen3-embedding:0.6b',
      'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:q',
      'd',
    ],
    ['bge-m3', 'q', 'd'],
    ['some-other-model', 'q', 'd'],
  ])('%s', async (model, query, document) => {
    const embedder = compatible(server(), { model });
    await embedder.embed(['q'], 'query');
    await embedder.embed(['d'], 'document');
    expect(
      server()
        .requests.slice(-2)
        .map(({ texts }) => texts),
    ).toEqual([[query], [document]]);
    const { queryPrefix, documentPrefix } = await embedder.describe();
    expect([`${queryPrefix}q`, `${documentPrefix}d`]).toEqual([query, document]);
  });
});

describe('Ollama', () => {
  test('[D1] is asked in one request, and told to cut', async () => {
    await ollama().embed(['x', 'y'], 'document');
    const { path, body } = server().requests.at(-1) as never as { path: string; body: object };
    expect(path).toBe('/api/embed');
    expect(body).toEqual({
      model: 'nomic-embed-text',
      input: ['search_document: x', 'search_document: y'],
      truncate: true,
    });
  });

  test('case E4: an old server is asked one by one', async () => {
    server().missing.add('/api/embed').add('/api/tags');
    const texts = ['search_document: x', 'search_document: y'];
    await expectVectors(ollama().embed(['x', 'y'], 'document'), texts, 12);
    expect(
      server()
        .requests.slice(-2)
        .map(({ path, body }) => [path, body]),
    ).toEqual([
      ['/api/embeddings', { model: 'nomic-embed-text', prompt: 'search_document: x' }],
      ['/api/embeddings', { model: 'nomic-embed-text', prompt: 'search_document: y' }],
    ]);
  });

  test('case E4: an empty vector is an error', async () => {
    server().missing.add('/api/embed');
    server().otherwise = ({ json }) => json(200, { embedding: [] });
    await expect(ollama().embed(['x'], 'document')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/answered with an empty vector$/),
    });
  });

  test('case E4: a missing model is told apart from a wrong address', async () => {
    server().otherwise = ({ json }) =>
      json(404, { error: 'model "nomic-embed-text" not found, try pulling it first' });
    await expect(ollama().embed(['x'], 'document')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /^the embedder ollama \(nomic-embed-text at 127\.0\.0\.1:\d+\)/,
      ),
      hint: 'ollama pull nomic-embed-text',
    });
    await expect(ollama('/elsewhere').embed(['x'], 'document')).rejects.toMatchObject({
      hint: 'ollama pull nomic-embed-text',
    });
    server().missing.add('/api/embed').add('/api/embeddings');
    await expect(ollama().embed(['x'], 'document')).rejects.toMatchObject({
      code: 'unavailable',
      hint: `Check embed_base_url: ${server().url} is no Ollama server.`,
    });
  });

  test('[D2] the digest of the model is its revision', async () => {
    server().digest = 'sha256:aa';
    expect(await ollama().describe()).toMatchObject({ revision: 'sha256:aa', dimensions: 12 });
    server().digest = 'sha256:bb';
    expect(await ollama().describe()).toMatchObject({ revision: 'sha256:bb' });
  });

  test('a Matryoshka model is cut here where the server does not', async () => {
    server().otherwise = ({ json, texts }) =>
      json(200, { embeddings: texts.map((text) => vectorFor(text, 1024)) });
    const asked = { provider: 'ollama', model: 'qwen3-embedding:0.6b', dimensions: 64 } as const;
    const [vector] = await embedderAt(server(), asked).embed(['x'], 'document');
    expect([...(vector as Float32Array)].map((number) => number.toFixed(5))).toEqual(
      unit(vectorFor('x', 1024).slice(0, 64)).map((number) => number.toFixed(5)),
    );
  });

  test('any other model is never cut', async () => {
    server().otherwise = ({ json, texts }) =>
      json(200, { embeddings: texts.map((text) => vectorFor(text, 768)) });
    const asked = { provider: 'ollama', model: 'nomic-embed-text', dimensions: 64 } as const;
    await expect(embedderAt(server(), asked).embed(['x'], 'document')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/answered with vectors of 768 numbers instead of 64$/),
    });
  });
});
