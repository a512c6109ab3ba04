import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSqlite } from '../../src/engines/sqlite/open.ts';
import { Loci } from '../../src/loci.ts';
import { o200kTokens } from '../../src/models/tokens/o200k.ts';
import type { Embedder } from '../../src/ports/embedder.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testClock } from '../../src/testing/clock.ts';
import { noDocuments } from '../../src/testing/documents.ts';
import { noOtherStores } from '../../src/testing/other-stores.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { embedPending } from '../../src/upkeep/embed-pending.ts';

const COUNT = 6000;

/** The numbers of a text as places on a ring, so that every one has its own neighbours. */
const ring: Embedder = {
  provider: 'ring',
  model: 'one',
  instant: true,
  describe: async () => ({
    provider: 'ring',
    model: 'one',
    dimensions: 2,
    queryPrefix: '',
    documentPrefix: '',
  }),
  embed: async (texts) =>
    texts.map((text) => {
      const angle = (Number(/\d+/.exec(text)?.[0]) / COUNT) * Math.PI;
      return Float32Array.of(Math.cos(angle), Math.sin(angle));
    }),
  close: async () => undefined,
};

describe('case P1: six thousand memories with vectors', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loci-pages-'));
  let engine: Engine;
  let loci: Loci;

  beforeAll(async () => {
    const [clock, ids] = [testClock(), testIds(8)];
    engine = await openSqlite({ path: join(folder, 'store.db'), clock, ids });
    const memories = Array.from({ length: COUNT }, (_, i) =>
      memoryOf({ id: `FACT-${i}`, body: `Buoy ${i}.`, project: 'boat' }),
    );
    await put(engine, ...memories);
    await embedPending(ring, engine);
    loci = new Loci({
      engine,
      clock,
      ids,
      tokens: o200kTokens(),
      scope: { project: 'boat', actor: 'owner', source: 'owner' },
      embedders: [ring],
      notices: [],
      version: '0',
      past: async () => engine,
      documents: noDocuments,
      others: noOtherStores,
    });
  });

  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(['vector', 'keyword', 'hybrid'] as const)(
    'are paged through by %s to the end, and none comes twice',
    async (mode) => {
      const seen: string[] = [];
      for (let cursor: string | undefined; ;) {
        const query = { query: 'buoy 0', mode, limit: 1000, ...(cursor ? { cursor } : {}) };
        const { results, total, next_cursor } = await loci.search(query);
        expect(total).toBe(COUNT);
        seen.push(...results.map(({ id }) => id));
        if (next_cursor === null) break;
        cursor = next_cursor;
      }
      expect(seen).toHaveLength(COUNT);
      expect(new Set(seen).size).toBe(COUNT);
    },
  );

  test('go on past the first hundred nearest', async () => {
    const first = await loci.search({ query: 'buoy 0', mode: 'vector', limit: 100 });
    const cursor = first.next_cursor as string;
    const { results } = await loci.search({ query: 'buoy 0', mode: 'vector', limit: 3, cursor });
    expect(first.results[99]?.id).toBe('FACT-99');
    expect(results.map(({ id }) => id)).toEqual(['FACT-100', 'FACT-101', 'FACT-102']);
  });

  test.each([5000, 0, -1, 1e9, 'abc'])(
    'a limit of %s is refused with its bounds',
    async (limit) => {
      for (const verb of [loci.search.bind(loci), loci.recall.bind(loci)]) {
        await expect(verb({ query: 'buoy 0', limit: limit as number })).rejects.toMatchObject({
          code: 'invalid_input',
          message: expect.stringMatching(/limit/) as string,
        });
      }
      expect((await loci.search({ query: 'buoy 0', limit: 10 })).results).toHaveLength(10);
    },
  );
});
