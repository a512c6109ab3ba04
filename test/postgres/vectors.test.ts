import { describe, expect, test, vi } from 'vitest';
import { fingerprintOf, type EmbeddingModel } from '../../src/domain/embedding.ts';
import { seededRandom } from '../../src/domain/random.ts';
import type { View } from '../../src/domain/view.ts';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { InMemoryEngine } from '../../src/engines/in-memory/engine.ts';
import { openPostgres, setUpPostgres } from '../../src/engines/postgres/open.ts';
import type { Engine, NearestHit } from '../../src/ports/engine.ts';
import { atHand } from '../../src/testing/at-hand.ts';
import { testClock } from '../../src/testing/clock.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { freshStore, ownDatabase, query, saySkipped, withoutServer } from '../engines/postgres.ts';

vi.setConfig({ testTimeout: 240_000 });

let seed = 950_000;
const sources = () => ({ clock: testClock(), ids: testIds((seed += 1)) });

function modelOf(dimensions: number): EmbeddingModel {
  return { provider: 'fake', model: 'random', dimensions, queryPrefix: '', documentPrefix: '' };
}

/** A unit vector that is the same for the same text. */
function vectorFor(text: string, dimensions: number): Float32Array {
  let hash = 7;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  const random = seededRandom(hash);
  const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}

async function embedAll(engine: Engine, model: EmbeddingModel): Promise<void> {
  for (;;) {
    const pending = await engine.pendingVectors(fingerprintOf(model), 500);
    if (pending.length === 0) return;
    const rows = pending.map(({ key, passages }) => ({
      key,
      vectors: passages.map((passage) => vectorFor(passage, model.dimensions)),
    }));
    await engine.putVectors(model, rows);
  }
}

async function fill(engine: Engine, count: number, small: number): Promise<void> {
  const memories = Array.from({ length: count }, (_, i) => {
    const project = i % Math.floor(count / small) === 0 ? 'small' : 'large';
    return memoryOf({ id: `FACT-${i}`, body: `Text ${i}`, project });
  });
  for (let from = 0; from < count; from += 2000) {
    await put(engine, ...memories.slice(from, from + 2000));
  }
}

function shownHit({ id, cosine, length }: NearestHit): unknown {
  return { id, cosine, length };
}

/** Texts of `fill`, from one number down to another. */
function texts(from: number, to: number): string[] {
  return Array.from({ length: from - to }, (_, i) => `Text ${from - i - 1}`);
}

/** Makes the index of every model, as setup does where there are many vectors. */
async function indexAll(url: string): Promise<unknown[]> {
  const schema = new URL(url).searchParams.get('schema');
  await query(
    await ownDatabase(),
    `SET search_path = ${schema}, public; SELECT index_vectors(model) FROM vector_models`,
  );
  return query(
    await ownDatabase(),
    `SELECT indexdef FROM pg_indexes WHERE schemaname = '${schema}' AND indexname LIKE '%hnsw%'`,
  );
}

const SMALL: View = { projects: ['small'], agents: 'all' };

describe.skipIf(withoutServer !== undefined)('vectors in a database', () => {
  test.each([
    ['compared here', { hereNumbers: 40_000_000, scanUpTo: 20_000 }, false],
    ['scanned by the server', { hereNumbers: 0, scanUpTo: 20_000 }, false],
    ['in a table with an index', { hereNumbers: 0, scanUpTo: 100 }, true],
    ['in a table without one', { hereNumbers: 0, scanUpTo: 100 }, false],
  ])(
    'case P1: [C10] [G1] a project of 40 among 2,000 gets all its nearest, to the last bit: %s',
    async (_way, vectorLimits, indexed) => {
      const model = modelOf(64);
      const url = await freshStore();
      const engine = await openPostgres({ ...sources(), url, vectorLimits });
      const oracle = new InMemoryEngine(sources());
      for (const one of [engine, oracle]) {
        await fill(one, 2000, 40);
        await embedAll(one, model);
      }
      const indexes = indexed ? await indexAll(url) : [];
      expect(indexes).toHaveLength(indexed ? 1 : 0);
      for (const k of [0, 1, 20, 40, 5000, 1_000_000_000]) {
        const vector = vectorFor(`question ${k}`, 64);
        const also = await atHand(oracle, 'FACT-0', 'FACT-1', 'FACT-50');
        const request = { view: SMALL, filter: {}, model: fingerprintOf(model), vector, k, also };
        const [mine, right] = [await engine.nearest(request), await oracle.nearest(request)];
        expect(mine.hits.map(shownHit)).toEqual(right.hits.map(shownHit));
        expect(mine.compared).toBe(40);
        expect(mine.mean).toBeCloseTo(right.mean, 3);
        expect(mine.deviation).toBeCloseTo(right.deviation, 3);
      }
      await engine.close();
    },
  );

  test('[B5] what is compared here is what the in-memory engine answers, to the last bit', async () => {
    const model = modelOf(128);
    const engine = await openPostgres({ ...sources(), url: await freshStore() });
    const oracle = new InMemoryEngine(sources());
    for (const one of [engine, oracle]) {
      await fill(one, 1500, 60);
      await embedAll(one, model);
    }
    const filters = [{}, { statuses: ['active'] }, { types: ['decision'] }] as const;
    for (const [i, filter] of filters.entries()) {
      for (const view of [SMALL, VIEW_ALL]) {
        const vector = vectorFor(`question ${i}`, 128);
        const request = { view, filter, model: fingerprintOf(model), vector, k: 25 };
        const [mine, right] = [await engine.nearest(request), await oracle.nearest(request)];
        const { hits: _, ...moments } = right;
        expect(mine).toMatchObject(moments);
        expect(mine.hits.map(shownHit)).toEqual(right.hits.map(shownHit));
      }
    }
    await engine.close();
  });

  test('a backlog is handed out once, newest first; what is refused comes again at its end', async () => {
    const model = modelOf(32);
    const engine = await openPostgres({ ...sources(), url: await freshStore() });
    await fill(engine, 60, 20);
    const ask = async (limit: number): Promise<string[]> => {
      const pending = await engine.pendingVectors(fingerprintOf(model), limit);
      asked = pending;
      return pending.map(({ passages }) => passages[0] ?? '');
    };
    const embed = async (refused: readonly string[] = []): Promise<void> => {
      const rows = asked.filter(({ passages }) => !refused.includes(passages[0] ?? ''));
      await engine.putVectors(
        model,
        rows.map(({ key }) => ({ key, vectors: [vectorFor(key, 32)] })),
      );
    };
    let asked: Awaited<ReturnType<Engine['pendingVectors']>> = [];
    expect(await ask(10)).toEqual(texts(60, 50));
    await embed(['Text 55']);
    expect(await ask(10)).toEqual(texts(50, 40));
    // Nothing came of it: the embedder was away.
    expect(await ask(3)).toEqual(['Text 55', 'Text 49', 'Text 48']);
    await embed(['Text 55']);
    await put(engine, memoryOf({ id: 'FACT-NEW', body: 'Newer' }));
    expect(await ask(3)).toEqual(['Newer', 'Text 47', 'Text 46']);
    await embed();
    expect(await ask(100)).toEqual(texts(46, 0));
    await embed();
    expect(await ask(100)).toEqual(['Text 55']);
    await embed();
    expect(await ask(100)).toEqual([]);
    await engine.dropVectors([fingerprintOf(model)]);
    expect(await ask(100)).toHaveLength(61);
    await engine.close();
  });

  test('[B11] vectors that another process puts are found by the next question, also late ones', async () => {
    const model = modelOf(32);
    const url = await freshStore();
    const [asking, writing] = [
      await openPostgres({ ...sources(), url }),
      await openPostgres({ ...sources(), url }),
    ];
    const found = async (): Promise<string[]> => {
      const vector = vectorFor('Text 0', 32);
      const request = { view: VIEW_ALL, filter: {}, model: fingerprintOf(model), vector, k: 100 };
      return (await asking.nearest(request)).hits.map(({ id }) => id).toSorted();
    };
    await fill(writing, 30, 10);
    const pending = await writing.pendingVectors(fingerprintOf(model), 100);
    const given: string[] = [];
    // Newest first, so that what comes later belongs to documents that were passed over.
    for (let from = 0; from < pending.length; from += 7) {
      const some = pending.slice(from, from + 7);
      await writing.putVectors(
        model,
        some.map(({ key, passages }) => ({
          key,
          vectors: passages.map((passage) => vectorFor(passage, 32)),
        })),
      );
      given.push(...some.map(({ passages }) => (passages[0] ?? '').replace('Text ', 'FACT-')));
      expect(await found()).toEqual(given.toSorted());
    }
    await put(writing, memoryOf({ id: 'FACT-7', body: 'Another text', project: 'large' }));
    expect(await found()).not.toContain('FACT-7');
    await writing.purge(['FACT-0'], 'owner');
    expect(await found()).toHaveLength(28);
    await asking.close();
    await writing.close();
  });

  test('[B9] setup makes the index where there are very many vectors, and says before that it is wanted', async () => {
    const model = modelOf(8);
    const url = await freshStore();
    const engine = await openPostgres({ ...sources(), url });
    await fill(engine, 20, 5);
    await embedAll(engine, model);
    const schema = new URL(url).searchParams.get('schema');
    expect(await engine.findings()).toEqual([]);
    await query(await ownDatabase(), `UPDATE ${schema}.vector_models SET passages = 100000`);
    expect(await engine.findings()).toMatchObject([
      {
        message: expect.stringContaining('have no index'),
        hint: expect.stringContaining('loci setup'),
      },
    ]);
    await setUpPostgres({ ...sources(), url });
    expect(await engine.findings()).toEqual([]);
    const vector = vectorFor('Text 7', 8);
    const request = { view: VIEW_ALL, filter: {}, model: fingerprintOf(model), vector, k: 1 };
    expect((await engine.nearest(request)).hits.map(({ id }) => id)).toEqual(['FACT-7']);
    await engine.close();
  });

  test('the index answers where very many come into question', async () => {
    const model = modelOf(16);
    const url = await freshStore();
    const limits = { hereNumbers: 0, scanUpTo: 1000 };
    const engine = await openPostgres({ ...sources(), url, vectorLimits: limits });
    const oracle = new InMemoryEngine(sources());
    for (const one of [engine, oracle]) {
      await fill(one, 3000, 50);
      await embedAll(one, model);
    }
    await indexAll(url);
    let found = 0;
    for (let i = 0; i < 10; i++) {
      const vector = vectorFor(`question ${i}`, 16);
      const request = { view: VIEW_ALL, filter: {}, model: fingerprintOf(model), vector, k: 10 };
      const [mine, right] = [await engine.nearest(request), await oracle.nearest(request)];
      expect(mine.compared).toBe(3000);
      const wanted = new Map(right.hits.map(({ id, cosine }) => [id, cosine]));
      for (const { id, cosine } of mine.hits) {
        if (!wanted.has(id)) continue;
        found += 1;
        expect(cosine).toBe(wanted.get(id));
      }
    }
    expect(found).toBeGreaterThan(85);
    await engine.close();
  });

  test.each([
    [2000, [{ indexdef: expect.stringContaining('vector(2000)') as string }], []],
    [3072, [{ indexdef: expect.stringContaining('halfvec(3072)') as string }], []],
    [4096, [], [expect.stringMatching(/^warning .*4096 numbers.*no index/) as string]],
  ])('case E1: vectors of %i numbers', async (dimensions, indexed, warnings) => {
    const model = modelOf(dimensions);
    const url = await freshStore();
    const engine = await openPostgres({ ...sources(), url });
    await fill(engine, 20, 5);
    await embedAll(engine, model);
    expect(await engine.findings()).toHaveLength(warnings.length);
    expect(await indexAll(url)).toEqual(indexed);
    const findings = await engine.findings();
    expect(findings.map(({ severity, message }) => `${severity} ${message}`)).toEqual(warnings);
    const vector = vectorFor('Text 7', dimensions);
    const request = { view: VIEW_ALL, filter: {}, model: fingerprintOf(model), vector, k: 1 };
    const { hits } = await engine.nearest(request);
    expect(hits.map(({ id }) => id)).toEqual(['FACT-7']);
    await engine.dropVectors([fingerprintOf(model)]);
    const schema = new URL(url).searchParams.get('schema');
    const left = await query(await ownDatabase(), `SELECT count(*) FROM ${schema}.vectors`);
    expect(left).toEqual([{ count: '0' }]);
    await engine.close();
  });
});

saySkipped('vectors in a database');
