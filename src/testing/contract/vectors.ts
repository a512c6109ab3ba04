import { expect, test } from 'vitest';
import { fingerprintOf, type EmbeddingModel } from '../../domain/embedding.ts';
import { VIEW_ALL, type View } from '../../domain/view.ts';
import type { Engine, NearestRequest, NearestResult } from '../../ports/engine.ts';
import { atHand } from '../at-hand.ts';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { memoryOf, put } from '../memories.ts';
import { seededRandom } from '../../domain/random.ts';

const MODEL = modelOf('letters');
const FINGERPRINT = fingerprintOf(MODEL);
const BOAT: View = { projects: ['boat'], agents: 'all' };

function modelOf(model: string): EmbeddingModel {
  return { provider: 'fake', model, dimensions: 26, queryPrefix: '', documentPrefix: '' };
}

/** How often each letter occurs, as a vector of unit length. */
function lettersOf(text: string): Float32Array {
  const vector = new Float32Array(26);
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97;
    if (at >= 0 && at < 26) vector[at] = (vector[at] as number) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((x) => x / length);
}

/** Embeds what is pending; returns how many texts that were. */
async function embedAll(engine: Engine, model = MODEL): Promise<number> {
  for (let embedded = 0; ;) {
    const pending = await engine.pendingVectors(fingerprintOf(model), 50);
    if (pending.length === 0) return embedded;
    embedded += pending.length;
    const rows = pending.map(({ key, passages }) => ({ key, vectors: passages.map(lettersOf) }));
    await engine.putVectors(model, rows);
  }
}

function near(text: string, more: Partial<NearestRequest> = {}): NearestRequest {
  const vector = lettersOf(text);
  return { view: VIEW_ALL, filter: {}, model: FINGERPRINT, vector, k: 10, ...more };
}

function idsOf({ hits }: NearestResult): string[] {
  return hits.map(({ id }) => id);
}

const memory = (id: string, body: string, project = 'boat') => memoryOf({ id, body, project });

/** Texts of random letters, some of several passages. */
function randomTexts(count: number, seed: number): string[] {
  const random = seededRandom(seed);
  const word = () =>
    Array.from({ length: 3 + Math.floor(random() * 5) }, () =>
      String.fromCharCode(97 + Math.floor(random() ** 2 * 26)),
    ).join('');
  return Array.from({ length: count }, () => {
    const sentences = random() < 0.1 ? 30 : 1;
    return Array.from({ length: sentences }, () => `${word()} ${word()} ${word()}.`).join(' ');
  });
}

export function vectorContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  test('[D4] what was written is pending until it has vectors, newest first', async () => {
    const engine = await bench().open();
    await put(engine, memory('FACT-A', 'aaa'), memory('FACT-B', 'bbb'));
    const pending = await engine.pendingVectors(FINGERPRINT, 10);
    expect(pending.map(({ passages }) => passages)).toEqual([['bbb'], ['aaa']]);
    expect(await engine.pendingVectors(FINGERPRINT, 1)).toHaveLength(1);
    expect(await engine.vectorCounts(FINGERPRINT)).toEqual({ stored: 0, pending: 2 });
    expect(idsOf(await engine.nearest(near('aaa')))).toEqual([]);
    expect(await embedAll(engine)).toBe(2);
    expect(await engine.vectorCounts(FINGERPRINT)).toEqual({ stored: 2, pending: 0 });
    expect(idsOf(await engine.nearest(near('aaa')))).toEqual(['FACT-A', 'FACT-B']);
  });

  test('[C10] view and filter apply before the nearest are taken', async () => {
    const engine = await bench().open();
    await put(
      engine,
      memory('FACT-FAR', 'aabbcc'),
      memory('FACT-OTHER', 'aaa', 'zeus'),
      memoryOf({ id: 'FACT-OLD', body: 'aab', project: 'boat', status: 'superseded' }),
      memoryOf({ id: 'DECI-A', body: 'aac', project: 'boat', type: 'decision' }),
    );
    await embedAll(engine);
    const current = { statuses: ['active'] } as const;
    const one = { view: BOAT, filter: current, k: 1 };
    expect(idsOf(await engine.nearest(near('aaa', one)))).toEqual(['DECI-A']);
    const facts = { view: BOAT, filter: { types: ['fact'] } as const };
    expect(idsOf(await engine.nearest(near('aaa', facts)))).toEqual(['FACT-OLD', 'FACT-FAR']);
    const { compared } = await engine.nearest(near('aaa', one));
    expect(compared).toBe(2);
  });

  test('the best passage counts, and named memories come along', async () => {
    const engine = await bench().open();
    const long = `${'Lorem ipsum dolor sit amet. '.repeat(30)}\n${'zzz '.repeat(78)}`;
    await put(engine, memory('FACT-LONG', long), memory('FACT-Z', 'zzy'), memory('FACT-Q', 'qqq'));
    await embedAll(engine);
    const also = await atHand(engine, 'FACT-Q', 'FACT-NONE');
    const { hits } = await engine.nearest(near('zzz', { k: 1, also }));
    expect(hits.map(({ id }) => id)).toEqual(['FACT-LONG', 'FACT-Q']);
    expect(hits[0]?.cosine).toBeGreaterThan(0.9);
    expect(hits[1]?.cosine).toBeCloseTo(0, 3);
    expect(hits[0]?.stored.memory.body).toBe(long);
  });

  test('case P1: any number of nearest may be asked for', async () => {
    const engine = await bench().open();
    const texts = randomTexts(120, 5);
    await put(engine, ...texts.map((body, i) => memory(`FACT-${i}`, body)));
    await embedAll(engine);
    for (const k of [-1, 0, 1, 119, 5000, 1_000_000_000]) {
      const { hits } = await engine.nearest(near('abc', { k }));
      expect(hits).toHaveLength(Math.max(0, Math.min(k, 120)));
    }
  });

  test('case L1: an edited text is pending again, and its old vector answers no more', async () => {
    const engine = await bench().open();
    await put(engine, memory('FACT-A', 'aaa'), memory('FACT-B', 'bbb'));
    await embedAll(engine);
    await put(engine, memory('FACT-A', 'ccc'));
    expect(idsOf(await engine.nearest(near('aaa')))).toEqual(['FACT-B']);
    expect(await engine.vectorCounts(FINGERPRINT)).toEqual({ stored: 1, pending: 1 });
    expect(await embedAll(engine)).toBe(1);
    expect(idsOf(await engine.nearest(near('ccc')))[0]).toBe('FACT-A');
    // The text of before needs no embedding.
    await put(engine, memory('FACT-A', 'aaa'));
    expect(await embedAll(engine)).toBe(0);
    expect((await engine.nearest(near('aaa'))).hits[0]?.cosine).toBeCloseTo(1, 3);
  });

  test('equal texts are embedded once, also of two projects', async () => {
    const engine = await bench().open();
    await put(engine, memory('FACT-A', 'abc'), memory('FACT-B', 'abc', 'zeus'));
    expect(await embedAll(engine)).toBe(1);
    expect(idsOf(await engine.nearest(near('abc', { view: BOAT })))).toEqual(['FACT-A']);
    expect(idsOf(await engine.nearest(near('abc')))).toEqual(['FACT-A', 'FACT-B']);
  });

  test('[D2] vectors of two models are kept apart, and dropped apart', async () => {
    const engine = await bench().open();
    const other = modelOf('other');
    await put(engine, memory('FACT-A', 'aaa'));
    await embedAll(engine);
    expect(await engine.vectorCounts(fingerprintOf(other))).toEqual({ stored: 0, pending: 1 });
    await embedAll(engine, other);
    expect(await engine.vectorModels()).toEqual([MODEL, other]);
    await engine.dropVectors([FINGERPRINT, 'unknown']);
    expect(await engine.vectorModels()).toEqual([other]);
    expect(idsOf(await engine.nearest(near('aaa')))).toEqual([]);
    const still = await engine.nearest(near('aaa', { model: fingerprintOf(other) }));
    expect(idsOf(still)).toEqual(['FACT-A']);
  });

  test('a vector of another length is refused, and nothing of its batch kept', async () => {
    const engine = await bench().open();
    await put(engine, memory('FACT-A', 'aaa'), memory('FACT-B', 'bbb'));
    const pending = await engine.pendingVectors(FINGERPRINT, 10);
    const rows = pending.map(({ key }, i) => ({
      key,
      vectors: [new Float32Array(26 - i).fill(1)],
    }));
    await expect(engine.putVectors(MODEL, rows)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await engine.vectorCounts(FINGERPRINT)).toEqual({ stored: 0, pending: 2 });
  });

  test('[A6] a rebuilt index needs no embedding', async () => {
    const engine = await bench().open();
    await put(engine, ...randomTexts(60, 9).map((body, i) => memory(`FACT-${i}`, body)));
    await embedAll(engine);
    const before = await engine.nearest(near('hello'));
    await engine.reindex();
    expect(await embedAll(engine)).toBe(0);
    expect(idsOf(await engine.nearest(near('hello')))).toEqual(idsOf(before));
  });

  test('a text keeps the vectors that it has', async () => {
    const engine = await bench().open();
    await put(engine, memory('FACT-A', 'aaa'));
    const [pending] = await engine.pendingVectors(FINGERPRINT, 1);
    const key = pending?.key as string;
    await engine.putVectors(MODEL, [{ key, vectors: [lettersOf('abc')] }]);
    await engine.putVectors(MODEL, [{ key, vectors: [lettersOf('xyz')] }]);
    const { hits } = await engine.nearest(near('abc'));
    expect(hits.map(({ id, cosine }) => [id, Math.round(cosine * 1e4)])).toEqual([['FACT-A', 1e4]]);
  });

  test.each([
    ['NaN', [new Float32Array(26).fill(Number.NaN)], /NaN/],
    ['an infinite number', [new Float32Array(26).fill(Infinity)], /Infinity/],
    ['no vector at all', [], /no vector/],
  ])('%s is refused, and nothing of its batch kept', async (_what, vectors, message) => {
    const engine = await bench().open();
    await put(engine, memory('FACT-A', 'aaa'), memory('FACT-B', 'bbb'));
    const pending = await engine.pendingVectors(FINGERPRINT, 10);
    const rows = pending.map(({ key }, i) => ({
      key,
      vectors: i === 0 ? [lettersOf('aaa')] : vectors,
    }));
    const refused = { code: 'invalid_input', message: expect.stringMatching(message) as string };
    await expect(engine.putVectors(MODEL, rows)).rejects.toMatchObject(refused);
    expect(await engine.vectorCounts(FINGERPRINT)).toEqual({ stored: 0, pending: 2 });
  });

  test('a question that no vector can be compared with is refused', async () => {
    const engine = await bench().open();
    await put(engine, memory('FACT-A', 'aaa'));
    await embedAll(engine);
    for (const vector of [new Float32Array(25), new Float32Array(26).fill(Number.NaN)]) {
      await expect(engine.nearest(near('aaa', { vector }))).rejects.toMatchObject({
        code: 'invalid_input',
      });
    }
  });

  test('[B5] answers as the in-memory engine does, to the last bit', async () => {
    const [engine, oracle] = [await bench().open(), await bench().oracle()];
    const texts = randomTexts(300, 7);
    for (const one of [engine, oracle]) {
      for (let from = 0; from < texts.length; from += 100) {
        const some = texts.slice(from, from + 100);
        await put(one, ...some.map((body, i) => memory(`FACT-${from + i}`, body)));
        await embedAll(one);
      }
      await put(one, memory('FACT-3', 'changed since then'));
      await embedAll(one);
    }
    for (const text of texts.slice(0, 20)) {
      for (const k of [1, 10, 250]) {
        const [mine, right] = [
          await engine.nearest(near(text, { k })),
          await oracle.nearest(near(text, { k })),
        ];
        expect(figuresOf(mine)).toEqual(figuresOf(right));
      }
    }
  });

  test('[B5] equal and nearly equal vectors are told apart, and ids decide between equal ones', async () => {
    const [engine, oracle] = [await bench().open(), await bench().oracle()];
    const memories = Array.from({ length: 240 }, (_, i) =>
      memory(`FACT-${(i * 7919) % 240}`, `number ${i}`, i % 3 === 0 ? 'zeus' : 'boat'),
    );
    for (const one of [engine, oracle]) {
      await put(one, ...memories);
      const pending = await one.pendingVectors(FINGERPRINT, 1000);
      const rows = pending.map(({ key, passages }) => {
        return { key, vectors: [crowdedVector(Number(/\d+/.exec(passages[0] ?? '')?.[0]))] };
      });
      await one.putVectors(MODEL, rows);
    }
    const also = await atHand(engine, 'FACT-0', 'FACT-17', 'FACT-200');
    for (const vector of [crowdedVector(0), crowdedVector(1), crowdedVector(2), lettersOf('qz')]) {
      for (const more of [{ k: 1 }, { k: 7, also }, { k: 60, view: BOAT }, { k: 0, also }]) {
        const asked = near('', { vector, ...more });
        expect(figuresOf(await engine.nearest(asked))).toEqual(
          figuresOf(await oracle.nearest(asked)),
        );
      }
    }
  });
}

/** All of an answer, to the last bit. */
function figuresOf({ hits, ...moments }: NearestResult): unknown {
  return { hits: hits.map(({ id, cosine, length }) => ({ id, cosine, length })), ...moments };
}

/** A third of these are equal, a third differ by the least that a number can, a third by little. */
function crowdedVector(i: number): Float32Array {
  const vector = lettersOf('the quick brown fox jumps over the lazy dog');
  const place = i % 26;
  const number = vector[place] as number;
  if (i % 3 === 1) vector[place] = number * (1 + (1 + (i % 5)) * 2 ** -23);
  if (i % 3 === 2) vector[place] = number + ((i % 40) - 20) / 5000;
  return vector;
}
