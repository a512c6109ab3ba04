import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolveConfig, type ConfigRequest, type Flags } from '../src/config.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'loci-config-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Variables = Record<string, string>;
const HOME = { HOME: '/home/ada' };

const resolve = (env: Variables = {}, more: ConfigRequest = {}) =>
  resolveConfig({ env: { ...HOME, ...env }, cwd: folder, ...more });

/** The embedder beside the builtin one. */
async function chosen(env: Variables, flags: Flags = {}) {
  const { embedders } = await resolve(env, { flags });
  expect(embedders).toHaveLength(2);
  expect(embedders[0]).toEqual({ provider: 'builtin', model: 'words' });
  return embedders[1];
}

function writeConfig(text: string): Flags {
  mkdirSync(join(folder, 'mem'), { recursive: true });
  writeFileSync(join(folder, 'mem', 'config.yaml'), text);
  return { store: 'mem' };
}

describe('[D1] which embedder', () => {
  test('the builtin one alone by default, none on request, another beside it', async () => {
    expect((await resolve()).embedders).toEqual([{ provider: 'builtin', model: 'words' }]);
    expect((await resolve({ LOCI_EMBEDDER: 'builtin' })).embedders).toHaveLength(1);
    expect((await resolve({ LOCI_EMBEDDER: 'none' })).embedders).toEqual([]);
    expect(await chosen({ LOCI_EMBEDDER: 'fake' })).toEqual({ provider: 'fake', model: 'fake' });
  });

  test.each([
    ['ollama', 'qwen3-embedding:0.6b'],
    ['openai', 'text-embedding-3-small'],
    ['voyage', 'voyage-4-lite'],
    ['openrouter', 'openai/text-embedding-3-small'],
    ['use-lite', 'universal-sentence-encoder-lite'],
    ['transformers', 'snowflake-arctic-embed-xs'],
  ])('%s has the model %s by default', async (provider, model) => {
    expect(await chosen({ LOCI_EMBEDDER: provider })).toMatchObject({ provider, model });
  });

  test('a model may stand in its name', async () => {
    const model = 'nomic-embed-text:v1.5';
    expect(await chosen({ LOCI_EMBEDDER: `ollama:${model}` })).toMatchObject({ model });
    expect(await chosen({ LOCI_EMBEDDER: 'ollama', LOCI_EMBED_MODEL: model })).toMatchObject({
      model,
    });
    expect(
      await chosen({ LOCI_EMBED_MODEL: 'bge-m3' }, { embedder: `ollama:${model}` }),
    ).toMatchObject({ model });
    await expect(
      resolve({ LOCI_EMBEDDER: 'ollama:a', LOCI_EMBED_MODEL: 'b' }),
    ).rejects.toMatchObject({ code: 'invalid_input', hint: 'Give the model once.' });
  });

  test('the file’s other settings belong to the file’s embedder', async () => {
    const flags = writeConfig('embedder: openai\nembed_model: text-embedding-3-large\n');
    expect(await chosen({}, flags)).toMatchObject({ model: 'text-embedding-3-large' });
    expect(await chosen({ LOCI_EMBEDDER: 'ollama' }, flags)).toMatchObject({
      model: 'qwen3-embedding:0.6b',
    });
    expect(await chosen({ LOCI_EMBEDDER: 'openai' }, flags)).toMatchObject({
      model: 'text-embedding-3-large',
    });
  });

  test('a folder is a model of transformers', async () => {
    const env = { LOCI_EMBEDDER: 'transformers' };
    const model = async (name: string) => (await chosen({ ...env, LOCI_EMBED_MODEL: name }))?.model;
    expect(await model('./my/model')).toBe(join(folder, 'my/model'));
    expect(await model('~/model')).toBe('/home/ada/model');
    expect(await model('/srv/model')).toBe('/srv/model');
    expect(await model('Snowflake/snowflake-arctic-embed-s')).toBe('snowflake-arctic-embed-s');
  });
});

describe('[H9] each setting with its origin', () => {
  test('from flag, environment, .env and file', async () => {
    writeFileSync(join(folder, '.env'), 'LOCI_EMBED_DIMENSIONS=256\nOPENAI_API_KEY=from-dot-env\n');
    const flags = writeConfig('embedder: openai\nembed_timeout_ms: 5000\n');
    const { embedders, origins } = await resolve(
      { LOCI_EMBED_MODEL: 'text-embedding-3-large' },
      { flags },
    );
    expect(embedders[1]).toMatchObject({
      provider: 'openai',
      model: 'text-embedding-3-large',
      dimensions: 256,
      timeoutMs: 5000,
    });
    expect(embedders[1]?.apiKey?.reveal()).toBe('from-dot-env');
    expect(origins).toMatchObject({
      embedder: 'config.yaml',
      embed_model: 'environment',
      embed_base_url: 'default',
      embed_api_key: '.env',
      embed_dimensions: '.env',
      embed_timeout_ms: 'config.yaml',
    });
  });

  test('what nothing takes is a warning', async () => {
    const { warnings } = await resolve({ LOCI_EMBED_MODEL: 'bge-m3' });
    expect(warnings).toEqual([
      'embed_model (environment) is set, but the embedder is builtin, which takes none',
    ]);
  });

  test.each([
    ['OPENAI_API_KEY', 'openai', 'k'],
    ['VOYAGE_API_KEY', 'voyage', 'k'],
    ['OPENROUTER_API_KEY', 'openrouter', 'k'],
    ['OPENAI_API_KEY', 'voyage', undefined],
    ['OPENAI_API_KEY', 'openai-compatible', undefined],
    ['LOCI_EMBED_API_KEY', 'openai-compatible', 'k'],
  ])('%s for %s', async (variable, provider, key) => {
    const server = { LOCI_EMBED_BASE_URL: 'http://localhost:1/v1', LOCI_EMBED_MODEL: 'm' };
    const env = { LOCI_EMBEDDER: provider, [variable]: 'k' };
    const more = provider === 'openai-compatible' ? server : {};
    expect((await chosen({ ...env, ...more }))?.apiKey?.reveal()).toBe(key);
  });

  test('LOCI_EMBED_API_KEY goes before the vendor’s own', async () => {
    const env = { LOCI_EMBEDDER: 'openai', OPENAI_API_KEY: 'theirs', LOCI_EMBED_API_KEY: 'ours' };
    expect((await chosen(env))?.apiKey?.reveal()).toBe('ours');
  });
});

describe('case E4: addresses', () => {
  test.each([
    ['http://h:1', 'http://h:1'],
    ['http://h:1/', 'http://h:1'],
    ['http://h:1/v1', 'http://h:1'],
    ['http://h:1/v1/', 'http://h:1'],
    ['http://h:1/api', 'http://h:1'],
    ['https://h/ollama/api', 'https://h/ollama'],
  ])('of Ollama: %s', async (url, baseUrl) => {
    const env = { LOCI_EMBEDDER: 'ollama', LOCI_EMBED_BASE_URL: url };
    expect(await chosen(env)).toMatchObject({ baseUrl });
  });

  test.each([
    ['box', 'http://box:11434'],
    ['box:8000', 'http://box:8000'],
    [':8000', 'http://localhost:8000'],
    ['0.0.0.0', 'http://localhost:11434'],
    ['0.0.0.0:8000', 'http://localhost:8000'],
    ['https://box', 'https://box'],
    ['http://box:8000/', 'http://box:8000'],
  ])('OLLAMA_HOST=%s', async (host, baseUrl) => {
    expect(await chosen({ LOCI_EMBEDDER: 'ollama', OLLAMA_HOST: host })).toMatchObject({ baseUrl });
  });

  test.each([
    ['http://h:1/v1', 'http://h:1/v1'],
    ['http://h:1/v1/', 'http://h:1/v1'],
    ['http://h:1/v1/embeddings', 'http://h:1/v1'],
    ['http://h:1', 'http://h:1'],
  ])('of a server with OpenAI’s protocol: %s', async (url, baseUrl) => {
    const env = { LOCI_EMBEDDER: 'openai-compatible:m', LOCI_EMBED_BASE_URL: url };
    expect(await chosen(env)).toMatchObject({ baseUrl });
  });
});

const ALL =
  'builtin, none, use-lite, transformers, ollama, openai, voyage, openrouter, openai-compatible, fake';

describe('[D3] what cannot be is an error that lists what can', () => {
  test.each<[Variables, string, string]>([
    [
      { LOCI_EMBEDDER: 'opnai' },
      'embedder (environment) is "opnai"',
      `Did you mean openai? Accepted: ${ALL}.`,
    ],
    [
      { LOCI_EMBEDDER: 'xyzzyxyzzy' },
      'embedder (environment) is "xyzzyxyzzy"',
      `Accepted: ${ALL}.`,
    ],
    [
      { LOCI_EMBEDDER: 'openai:text-embeding-3-small' },
      'embed_model (environment) is "text-embeding-3-small", which openai does not have',
      'Did you mean text-embedding-3-small? Accepted: text-embedding-3-small, text-embedding-3-large, text-embedding-ada-002.',
    ],
    [
      { LOCI_EMBEDDER: 'transformers:acme/some-model' },
      'embed_model (environment) is "acme/some-model", which transformers does not have',
      'Accepted: snowflake-arctic-embed-xs, snowflake-arctic-embed-s, or a folder that holds a model (./my-model).',
    ],
    [
      { LOCI_EMBEDDER: 'openai', LOCI_EMBED_DIMENSIONS: '2000' },
      'embed_dimensions (environment) is 2000, which the model text-embedding-3-small does not give',
      'It gives 1 to 1536.',
    ],
    [
      { LOCI_EMBEDDER: 'voyage', LOCI_EMBED_DIMENSIONS: '300' },
      'embed_dimensions (environment) is 300, which the model voyage-4-lite does not give',
      'It gives 256, 512, 1024, 2048.',
    ],
    [
      { LOCI_EMBEDDER: 'use-lite', LOCI_EMBED_DIMENSIONS: '100' },
      'embed_dimensions (environment) is 100, which the model universal-sentence-encoder-lite does not give',
      'It gives 512.',
    ],
    [
      { LOCI_EMBEDDER: 'openai', LOCI_EMBED_DIMENSIONS: '1e3' },
      'embed_dimensions (environment) is "1e3"',
      'It is a whole number from 1 to 16000.',
    ],
    [
      { LOCI_EMBEDDER: 'openai-compatible:m' },
      'embed_base_url is missing for the embedder openai-compatible',
      'Set LOCI_EMBED_BASE_URL to the address of the server, for example http://localhost:8080/v1',
    ],
    [
      { LOCI_EMBEDDER: 'openai-compatible', LOCI_EMBED_BASE_URL: 'http://h/v1' },
      'embed_model is missing for the embedder openai-compatible',
      'Set LOCI_EMBED_MODEL to the name that the server gives its model.',
    ],
    [
      { LOCI_EMBEDDER: 'ollama', LOCI_EMBED_BASE_URL: 'ftp://h/' },
      'embed_base_url (environment) is no address ("ftp://h/")',
      'Write it like http://localhost:8080/v1',
    ],
  ])('%j', async (env, message, hint) => {
    await expect(resolve(env)).rejects.toMatchObject({ code: 'invalid_input', message, hint });
  });

  test('a server starts all the same, with the same text as a warning', async () => {
    const env = { LOCI_EMBEDDER: 'opnai' };
    const { embedders, warnings } = await resolve(env, { impossibleEmbedder: 'warn' });
    expect(embedders.map(({ provider }) => provider)).toEqual(['builtin']);
    expect(warnings).toEqual([
      `embedder (environment) is "opnai" (Did you mean openai? Accepted: ${ALL}.)`,
    ]);
  });
});

describe('a key', () => {
  test('is not shown, whatever prints the configuration', async () => {
    const config = await resolve({ LOCI_EMBEDDER: 'openai', OPENAI_API_KEY: 'sk-secret-1' });
    expect(inspect(config, { depth: 9, showHidden: true })).not.toContain('sk-secret-1');
    expect(JSON.stringify(config)).not.toContain('sk-secret-1');
    expect(`${config.embedders[1]?.apiKey}`).toBe('[secret]');
  });

  test('in an address is refused, and not repeated', async () => {
    for (const url of ['http://ada:s3cret@h/v1', 'http://h/v1?key=s3cret', 's3cret']) {
      const env = { LOCI_EMBEDDER: 'openai-compatible:m', LOCI_EMBED_BASE_URL: url };
      const error = await resolve(env).catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ code: 'invalid_input' });
      expect(inspect(error)).not.toContain('s3cret');
    }
  });

  test('of the environment is not sent where a file says', async () => {
    const flags = writeConfig('embedder: openai\nembed_base_url: https://elsewhere.example/v1\n');
    const key = { OPENAI_API_KEY: 'k' };
    await expect(resolve(key, { flags })).rejects.toMatchObject({
      code: 'denied',
      message:
        'embed_base_url comes from config.yaml, and the key of the environment is not sent where a file says',
      hint: 'If you trust https://elsewhere.example/v1, set LOCI_EMBED_BASE_URL in the environment.',
    });
    const trusted = { ...key, LOCI_EMBED_BASE_URL: 'https://elsewhere.example/v1' };
    expect((await chosen(trusted, flags))?.apiKey?.reveal()).toBe('k');
    const ours = writeConfig('embedder: openai\nembed_base_url: https://api.openai.com/v1\n');
    expect((await chosen(key, ours))?.apiKey?.reveal()).toBe('k');
  });

  test('in config.yaml is not read, and said to be', async () => {
    const flags = writeConfig('embedder: openai\nembed_api_key: k\n');
    const { embedders, warnings } = await resolve({}, { flags });
    expect(embedders[1]?.apiKey).toBeUndefined();
    expect(warnings).toEqual([
      expect.stringMatching(/embed_api_key is not read: .*set LOCI_EMBED_API_KEY$/),
    ]);
  });
});
