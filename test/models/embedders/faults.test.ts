import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../../src/domain/embedding.ts';
import { LociError } from '../../../src/domain/errors.ts';
import { InMemoryEngine } from '../../../src/engines/in-memory/engine.ts';
import { testClock } from '../../../src/testing/clock.ts';
import { testIds } from '../../../src/testing/ids.ts';
import { memoryOf, put } from '../../../src/testing/memories.ts';
import { embedPending } from '../../../src/upkeep/embed-pending.ts';
import { healthy, silent, vectorFor, type Exchange } from './server.ts';
import { compatible, embedderAt, HASTY, KEY, useServer } from './support.ts';

const server = useServer();

/** A list of vectors with one of them changed. */
function spoiled(change: (vector: number[]) => unknown) {
  return ({ json, texts }: Exchange): void => {
    const vectors: unknown[] = texts.map((text) => vectorFor(text, 12));
    vectors[vectors.length - 1] = change(vectors.at(-1) as number[]);
    json(200, { data: vectors.map((embedding, index) => ({ index, embedding })) });
  };
}

describe('[D4] a wrong answer is an error, once, and no vector', () => {
  test.each<[string, (exchange: Exchange) => void, RegExp]>([
    [
      'a vector too few',
      ({ json, healthy: { data } }) => json(200, { data: (data as unknown[]).slice(1) }),
      /belong to no text|2 vectors for 3 texts/,
    ],
    [
      'the same index twice',
      ({ json, healthy: { data } }) =>
        json(200, { data: (data as object[]).map((row) => ({ ...row, index: 0 })) }),
      /belong to no text/,
    ],
    ['a short vector', spoiled((vector) => vector.slice(1)), /vectors of 12 and of 11 numbers/],
    ['no numbers', spoiled(() => ['a', 'b']), /no number/],
    ['NaN as JSON has it', spoiled((vector) => [...vector.slice(1), null]), /no number/],
    ['a vector of zeros', spoiled((vector) => vector.map(() => 0)), /zeros/],
    ['no bounds', spoiled((vector) => vector.map(() => 1e300)), /beyond all bounds/],
    ['no vector', spoiled(() => null), /no vector/],
    ['an empty vector', spoiled(() => []), /empty vector/],
    ['base64 for floats', spoiled(() => 'AACAPw=='), /no vector/],
    ['HTML', ({ text }) => text(200, '<html>login</html>'), /no list of embeddings/],
    ['other JSON', ({ json }) => json(200, { ok: true }), /no list of embeddings/],
    [
      'a redirect',
      ({ json }) => json(307, {}, { location: 'http://localhost:1/' }),
      /answered 307/,
    ],
    ['400', ({ json }) => json(400, { error: { message: 'unknown field' } }), /400: unknown field/],
    ['401', ({ json }) => json(401, { error: { message: `bad key ${KEY}` } }), /answered 401$/],
    ['404', ({ json }) => json(404, { detail: 'no such route' }), /404: no such route/],
  ])('%s', async (_, answer, message) => {
    const embedder = compatible(server());
    await embedder.describe();
    server().next.push(answer);
    const failed = embedder.embed(['a', 'b', 'c'], 'document');
    await expect(failed).rejects.toMatchObject({
      // It may be one of the texts that a server refuses: then the others can still be had.
      code: String(message).includes('400') ? 'invalid_input' : 'unavailable',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/./),
    });
    expect(server().requests).toHaveLength(2);
    expect(await embedder.embed(['a'], 'document')).toHaveLength(1);
  });
});

describe('[D4] what passes is tried again', () => {
  test('500 and then fine', async () => {
    const embedder = compatible(server());
    await embedder.describe();
    server().next.push(
      ({ json }) => json(500, {}),
      ({ json }) => json(500, {}),
    );
    expect(await embedder.embed(['a'], 'document')).toHaveLength(1);
    expect(server().requests).toHaveLength(4);
  });

  test('three times at most; for a question, where somebody waits, twice', async () => {
    const embedder = compatible(server());
    await embedder.describe();
    server().otherwise = ({ json }) => json(500, { error: 'out of memory' });
    for (const [kind, tries] of [
      ['document', 3],
      ['query', 2],
    ] as const) {
      const before = server().requests.length;
      await expect(embedder.embed(['a'], kind)).rejects.toMatchObject({
        message: expect.stringMatching(/answered 500: out of memory$/),
      });
      expect(server().requests.length - before).toBe(tries);
    }
  });

  test('429 is asked again when it says, not before', async () => {
    const embedder = compatible(server(), { timeoutMs: 5000 });
    await embedder.describe();
    server().next.push(({ json }) => json(429, {}, { 'retry-after': '1' }));
    const started = performance.now();
    expect(await embedder.embed(['a'], 'document')).toHaveLength(1);
    expect(performance.now() - started).toBeGreaterThan(990);
  });

  test('a wait beyond the deadline is not begun', async () => {
    const embedder = compatible(server());
    await embedder.describe();
    server().otherwise = ({ json }) => json(429, {}, { 'retry-after': '3600' });
    const started = performance.now();
    await expect(embedder.embed(['a'], 'document')).rejects.toMatchObject({
      message: expect.stringMatching(/answered 429/),
    });
    expect(performance.now() - started).toBeLessThan(HASTY.timeoutMs?.document ?? 0);
    expect(server().requests).toHaveLength(2);
  });
});

describe('[D4] case E5: a server that is down or hangs', () => {
  test('(i) refused: an error that says where, and then nothing is asked for a while', async () => {
    const url = await refusingUrl();
    const embedder = embedderAt({ url }, { provider: 'ollama', model: 'nomic-embed-text' });
    const error = await embedder.embed(['a'], 'query').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'unavailable',
      message: `the embedder ollama (nomic-embed-text at ${new URL(url).host}) cannot be reached (ECONNREFUSED)`,
    });
  });

  test('(ii) silent: bounded by the deadline, then at once, then healed', async () => {
    const embedder = compatible(server(), {});
    await embedder.describe();
    server().otherwise = silent;
    const timed = async () => {
      const started = performance.now();
      await expect(embedder.embed(['a'], 'query')).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/did not answer within 0\.3 s$/),
      });
      return performance.now() - started;
    };
    const first = await timed();
    expect(first).toBeGreaterThan(250);
    expect(first).toBeLessThan(1500);
    expect(await timed()).toBeLessThan(200);
    expect(server().requests).toHaveLength(2);
    server().otherwise = healthy;
    await new Promise((resolve) => setTimeout(resolve, 550));
    expect(await embedder.embed(['a'], 'query')).toHaveLength(1);
  });

  test('(iii) 500 for one text: its neighbours can still be had', async () => {
    const embedder = compatible(server());
    await embedder.describe();
    server().otherwise = ({ json, texts, healthy: body }) =>
      texts.includes('poison') ? json(500, {}) : json(200, body);
    const texts = ['a', 'b', 'poison', 'c', 'd'];
    await expect(embedder.embed(texts, 'document')).rejects.toThrow(/answered 500/);
    const each = await Promise.allSettled(texts.map((text) => embedder.embed([text], 'document')));
    expect(each.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
  });

  test('[E5] one bad text among ten: nine vectors, and one is refused', async () => {
    server().otherwise = ({ json, texts, healthy: body }) =>
      texts.some((text) => text.includes('poison')) ? json(500, {}) : json(200, body);
    const embedder = compatible(server());
    const engine = new InMemoryEngine({ clock: testClock(), ids: testIds(3) });
    const bodies = Array.from({ length: 9 }, (_, i) => `Berth ${i} is free.`);
    for (const [i, body] of ['A poison cabinet stands aft.', ...bodies].entries()) {
      await put(engine, memoryOf({ id: `FACT-${i}`, body }));
    }
    expect(await embedPending(embedder, engine)).toMatchObject({ embedded: 9, failed: 1 });
    const model = fingerprintOf(await embedder.describe());
    expect(await engine.vectorCounts(model)).toEqual({ stored: 9, pending: 1 });
    server().otherwise = healthy;
    expect(await embedPending(embedder, engine)).toMatchObject({ embedded: 1, failed: 0 });
  });

  test('[E5] a server that answers every text with 500 is left alone after a while', async () => {
    const embedder = compatible(server(), { dimensions: 12 });
    server().otherwise = ({ json }) => json(500, { error: 'out of memory' });
    const engine = new InMemoryEngine({ clock: testClock(), ids: testIds(3) });
    for (let i = 0; i < 64; i++)
      await put(engine, memoryOf({ id: `FACT-${i}`, body: `Berth ${i}` }));
    await expect(embedPending(embedder, engine)).rejects.toMatchObject({ code: 'unavailable' });
    expect(server().requests.length).toBeLessThan(60);
  });

  test('a caller who no longer waits is let go, and the request is dropped', async () => {
    const embedder = compatible(server());
    await embedder.describe();
    server().otherwise = silent;
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 30);
    const started = performance.now();
    await expect(embedder.embed(['a'], 'document', stop.signal)).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('[D2] case E1: another model behind the same name', () => {
  test('a change of length is said, and the next description is the new one', async () => {
    const embedder = compatible(server());
    expect((await embedder.describe()).dimensions).toBe(12);
    server().dimensions = 8;
    await expect(embedder.embed(['a'], 'document')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/vectors of 8 numbers instead of 12$/),
      hint: 'If the model was changed, memories are embedded anew: loci re-embed.',
    });
    expect((await embedder.describe()).dimensions).toBe(8);
    expect(await embedder.embed(['a'], 'document')).toHaveLength(1);
  });
});

describe('[D5] case E6: long texts', () => {
  test('a server that takes less than we thought gets less', async () => {
    server().otherwise = (exchange) =>
      mostWords(exchange) > 300
        ? exchange.json(400, { error: { message: 'maximum context length is 300 tokens' } })
        : healthy(exchange);
    const long = 'word '.repeat(1000);
    const vectors = await compatible(server(), { model: 'bge-m3' }).embed(
      ['short', long, 'other'],
      'document',
    );
    expect(vectors).toHaveLength(3);
    expect(server().requests.at(-1)?.texts[0]).toBe('short');
  });

  test('requests stay within what a server takes at once', async () => {
    const texts = Array.from({ length: 100 }, (_, i) => `text ${i}`);
    expect(await compatible(server()).embed(texts, 'document')).toHaveLength(100);
    const sizes = server().requests.map(({ texts: { length } }) => length);
    expect(Math.max(...sizes)).toBe(32);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(101);
  });
});

test('a key is in no error, however it is looked at', async () => {
  server().otherwise = ({ json }) => json(422, { error: `the key ${KEY} may not do this` });
  const embedder = compatible(server());
  const error = await embedder.describe().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LociError);
  const seen = [
    String(error),
    JSON.stringify(error),
    inspect(error, { depth: 9, showHidden: true }),
  ];
  for (const text of [...seen, inspect(embedder, { depth: 9, showHidden: true })]) {
    expect(text).not.toContain(KEY);
  }
  expect(seen[0]).toContain('the key [secret] may not do this');
});

function mostWords({ texts }: Exchange): number {
  return Math.max(...texts.map((text) => text.split(' ').length));
}

/** The address of a port that nobody listens on. */
async function refusingUrl(): Promise<string> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  return `http://127.0.0.1:${port}`;
}
