import { describe, expect, test } from 'vitest';
import {
  fingerprintOf,
  passagesKey,
  passagesOf,
  type EmbeddingModel,
} from '../../src/domain/embedding.ts';
import { seededRandom } from '../../src/domain/random.ts';
import { VIEW_ALL } from '../../src/domain/view.ts';
import type { Database } from '../../src/engines/sqlite/drivers/driver.ts';
import { sqliteDriver } from '../../src/engines/sqlite/drivers/index.ts';
import { openSqlite } from '../../src/engines/sqlite/open.ts';
import { KeywordIndex } from '../../src/engines/sqlite/keyword-index.ts';
import { openVectors } from '../../src/engines/sqlite/vectors/open.ts';
import { VectorIndex } from '../../src/engines/sqlite/vectors/vector-index.ts';
import type { Engine, NearestRequest } from '../../src/ports/engine.ts';
import { testClock } from '../../src/testing/clock.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { freshPath } from './harnesses.ts';

const MODEL: EmbeddingModel = {
  provider: 'fake',
  model: 'random',
  dimensions: 24,
  queryPrefix: '',
  documentPrefix: '',
};
const FINGERPRINT = fingerprintOf(MODEL);

let seed = 900;

function open(path: string): Promise<Engine> {
  seed += 1;
  return openSqlite({ path, clock: testClock(), ids: testIds(seed) });
}

/** Of the first number in a text. */
function vectorOf(passage: string): Float32Array {
  const random = seededRandom(Number(/\d+/.exec(passage)?.[0]));
  const numbers = Float32Array.from({ length: 24 }, () => random() - 0.5);
  const length = Math.hypot(...numbers);
  return numbers.map((number) => number / length);
}

function near(body: string, k = 3): NearestRequest {
  return { view: VIEW_ALL, filter: {}, model: FINGERPRINT, vector: vectorOf(body), k };
}

async function embed(engine: Pick<Engine, 'pendingVectors' | 'putVectors'>): Promise<number> {
  for (let count = 0; ;) {
    const pending = await engine.pendingVectors(FINGERPRINT, 512);
    if (pending.length === 0) return count;
    count += pending.length;
    const rows = pending.map(({ key, passages }) => ({ key, vectors: passages.map(vectorOf) }));
    await engine.putVectors(MODEL, rows);
  }
}

const numbered = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) =>
    memoryOf({ id: `FACT-${from + i}`, body: `Number ${from + i}` }),
  );

function inspect<T>(path: string, work: (database: Database) => T): T {
  const database = sqliteDriver().open(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function packsIn(path: string): { packs: number; docs: number } {
  const row = inspect(path, (database) =>
    database.prepare('SELECT count(*) AS packs, sum(count) AS docs FROM vector_packs').get(),
  );
  return { packs: Number(row?.['packs']), docs: Number(row?.['docs']) };
}

describe('vectors that come one by one', () => {
  test('leave few packs, and each is found at once', async () => {
    const path = freshPath('packs.db');
    const engine = await open(path);
    await put(engine, ...numbered(0, 1000));
    await embed(engine);
    let most = 0;
    for (let i = 1000; i < 1150; i++) {
      await put(engine, ...numbered(i, 1));
      expect(await embed(engine)).toBe(1);
      const { hits } = await engine.nearest(near(`${i}`));
      expect(hits[0]?.id).toBe(`FACT-${i}`);
      most = Math.max(most, packsIn(path).packs);
    }
    expect(most).toBeLessThan(12);
    expect(packsIn(path).docs).toBe(1150);
    await engine.close();
  });

  test('are seen by a process that has loaded the ones before', async () => {
    const path = freshPath('two.db');
    const [writer, reader] = [await open(path), await open(path)];
    for (let i = 0; i < 40; i++) {
      await put(writer, ...numbered(i * 3, 3));
      await embed(writer);
      const { hits, compared } = await reader.nearest(near(`${i * 3 + 1}`));
      expect([hits[0]?.id, compared]).toEqual([`FACT-${i * 3 + 1}`, (i + 1) * 3]);
    }
    await writer.dropVectors([FINGERPRINT]);
    expect((await reader.nearest(near('1'))).hits).toEqual([]);
    await put(writer, memoryOf({ id: 'FACT-1', body: 'Number 5000' }));
    await embed(writer);
    expect((await reader.nearest(near('5000'))).hits[0]?.id).toBe('FACT-1');
    expect((await reader.nearest(near('7'))).compared).toBe(120);
    for (const engine of [writer, reader]) await engine.close();
  });
});

test('documents that were replaced leave the packs again', async () => {
  const path = freshPath('replaced.db');
  const engine = await open(path);
  for (let round = 0; round < 12; round++) {
    const bodies = numbered(0, 300).map((memory, i) => {
      return { ...memory, body: `Number ${round * 1000 + i}` };
    });
    await put(engine, ...bodies);
    await embed(engine);
    await engine.nearest(near('1'));
  }
  expect(packsIn(path).docs).toBeLessThan(2 * 300 + 1024 + 300);
  const { hits, compared } = await engine.nearest(near('11123'));
  expect([hits[0]?.id, compared]).toEqual(['FACT-123', 300]);
  expect((await engine.verify()).problems).toEqual([]);
  await engine.close();
});

test('forgetting texts leaves nothing of them, and the others as they are', async () => {
  const path = freshPath('forget.db');
  const engine = await open(path);
  const memories = numbered(0, 50);
  await put(engine, ...memories);
  await embed(engine);
  await engine.close();
  const database = sqliteDriver().open(path);
  const index = new VectorIndex({
    index: database,
    keywords: new KeywordIndex(database),
    location: path,
    open: () => openVectors(sqliteDriver(), path),
  });
  const key = passagesKey(passagesOf(memories[7]!));
  await index.forget([key, 'unknown']);
  expect(index.counts(FINGERPRINT)).toEqual({ stored: 49, pending: 1 });
  expect(index.check()).toEqual([]);
  const rest = index.nearest(near('7', 50)).hits;
  expect(rest.map(({ id }) => id)).not.toContain('FACT-7');
  expect(rest).toHaveLength(49);
  expect(packsIn(path).docs).toBe(49);
  const count = 'SELECT count(*) AS n FROM vectors WHERE key = ?';
  expect(database.prepare(count).get(key)).toEqual({ n: 0 });
  expect(index.pending(FINGERPRINT, 9).map((text) => text.key)).toEqual([key]);
  index.close();
  database.close();
});

test('a damaged vector of a store in one file is found by verify and mended by reindex', async () => {
  const path = freshPath('damaged.db');
  const engine = await open(path);
  await put(engine, ...numbered(0, 20));
  await embed(engine);
  inspect(path, (database) =>
    database.exec('UPDATE vectors SET numbers = zeroblob(96) WHERE text IN (3, 4)'),
  );
  const { indexOk, problems } = await engine.verify();
  expect(indexOk).toBe(true);
  expect(problems.map(({ check, message }) => [check, message])).toEqual([
    ['vectors', 'the vectors of 2 texts and 0 packs are damaged'],
  ]);
  await engine.reindex();
  expect(await embed(engine)).toBe(2);
  expect((await engine.verify()).problems).toEqual([]);
  expect((await engine.nearest(near('12'))).hits[0]?.id).toBe('FACT-12');
  await engine.close();
});

test('vectors of a newer program in a store are said, and left alone', async () => {
  const path = freshPath('newer.db');
  const engine = await open(path);
  await put(engine, ...numbered(0, 3));
  await embed(engine);
  inspect(path, (database) => database.exec('UPDATE vector_format SET version = 7'));
  await engine.close();
  const again = await open(path);
  expect((await again.findings()).map(({ check, severity }) => [check, severity])).toEqual([
    ['vectors', 'warning'],
  ]);
  expect((await again.verify()).problems[0]?.message).toBe(
    `${path} has vectors in format 7; this program knows formats up to 2`,
  );
  expect((await again.nearest(near('1'))).hits).toEqual([]);
  await expect(again.pendingVectors(FINGERPRINT, 1)).rejects.toMatchObject({ code: 'unsupported' });
  const rows = [{ key: 'k', vectors: [vectorOf('1')] }];
  await expect(again.putVectors(MODEL, rows)).rejects.toMatchObject({ code: 'unsupported' });
  await again.close();
  expect(packsIn(path)).toEqual({ packs: 1, docs: 3 });
});
