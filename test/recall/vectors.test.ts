import { expect, test, vi } from 'vitest';
import { InMemoryEngine } from '../../src/engines/in-memory/engine.ts';
import { Loci } from '../../src/loci.ts';
import { o200kTokens } from '../../src/models/tokens/o200k.ts';
import type { Embedder } from '../../src/ports/embedder.ts';
import { testClock } from '../../src/testing/clock.ts';
import { noDocuments } from '../../src/testing/documents.ts';
import { testIds } from '../../src/testing/ids.ts';
import { embeddingBacklog, embedPending } from '../../src/upkeep/embed-pending.ts';

/** Reads two things only: how much a text is about water, and how much about money. */
function topics(fail: () => void = () => undefined): Embedder {
  const water = /sea|tide|flood|wave/gi;
  const money = /price|invoice|cost|fee/gi;
  return {
    provider: 'topics',
    model: 'two',
    instant: true,
    describe: async () => ({
      provider: 'topics',
      model: 'two',
      dimensions: 2,
      queryPrefix: '',
      documentPrefix: '',
    }),
    async embed(texts) {
      fail();
      return texts.map((text) => {
        const counts = [water, money].map((words) => text.match(words)?.length ?? 0);
        const length = Math.hypot(...counts) || 1;
        return Float32Array.from(counts, (count) => count / length);
      });
    },
    close: async () => undefined,
  };
}

async function storeWith(embedders: readonly Embedder[], ...texts: readonly string[]) {
  const [clock, ids] = [testClock(), testIds(7)];
  const engine = new InMemoryEngine({ clock, ids });
  const scope = { project: 'boat', actor: 'owner', source: 'owner' };
  const tokens = o200kTokens();
  const past = async () => engine;
  const fixed = { notices: [], version: '0', past, documents: noDocuments };
  const vectors = embeddingBacklog(embedders, engine);
  const deps = { engine, clock, ids, tokens, scope, embedders, vectors, ...fixed };
  const loci = new Loci(deps);
  await loci.remember(texts.map((body) => ({ body })));
  return { loci, engine };
}

const TEXTS = ['The flood came at night', 'Every invoice has its price', 'Bread is baked daily'];

test('[C1] a question in other words is answered by meaning, and explain says so', async () => {
  const embedder = topics();
  const { loci, engine } = await storeWith([embedder], ...TEXTS);
  await embedPending(embedder, engine);
  const { results, explain } = await loci.recall({ query: 'sea and waves', explain: true });
  expect(results.map(({ body }) => body)).toEqual([TEXTS[0]]);
  expect(results[0]?.explain?.meaning).toEqual([
    { embedder: 'topics:two', cosine: 1, part: expect.any(Number) },
  ]);
  expect(results[0]?.explain?.meaning[0]?.part).toBeGreaterThan(0);
  expect(explain?.channels).toEqual({ keyword: 0, 'vector topics': 3 });
});

test('[D4] an embedder that fails or never answers adds one warning and nothing else', async () => {
  let broken = false;
  const failing = topics(() => {
    if (broken) throw new Error('connection refused');
  });
  const { loci, engine } = await storeWith([failing], ...TEXTS);
  await embedPending(failing, engine);
  broken = true;
  const { results, warnings } = await loci.recall({ query: 'the flood' });
  expect(results.map(({ body }) => body)).toEqual([TEXTS[0]]);
  expect(warnings).toEqual(['recalled without embedder topics (two): connection refused']);
});

test('[D4] one that left memories undone and does not answer either is named once', async () => {
  const down = topics(() => {
    throw new Error('connection refused');
  });
  const { loci } = await storeWith([down], ...TEXTS);
  const { results, warnings } = await loci.recall({ query: 'the flood' });
  expect(results.map(({ body }) => body)).toEqual([TEXTS[0]]);
  expect(warnings).toEqual(['recalled without embedder topics (two): connection refused']);
});

test('[D2] a change of the model is said, until everything has vectors of the new one', async () => {
  const before: Embedder = { ...topics(), instant: false };
  const { engine } = await storeWith([], ...TEXTS);
  await embedPending(before, engine);
  const after: Embedder = {
    ...before,
    model: 'three',
    describe: async () => ({ ...(await before.describe()), model: 'three' }),
  };
  const vectors = embeddingBacklog([after], engine);
  await vectors.settle();
  expect(vectors.warnings()).toEqual([
    'memories have vectors of topics:two and none of topics:three yet: they are embedded anew in ' +
      'the background; loci re-embed does it at once',
  ]);
  await vi.waitFor(() => expect(vectors.warnings()).toEqual([]), 5000);
  await vectors.close();
  const again = embeddingBacklog([after], engine);
  await again.settle();
  expect(again.warnings()).toEqual([]);
  await again.close();
});

test('[D4] an embedder that hangs is left behind when its time is over', async () => {
  const hanging: Embedder = { ...topics(), embed: () => new Promise(() => undefined) };
  const { loci } = await storeWith([hanging], ...TEXTS);
  const start = performance.now();
  const { results, warnings } = await loci.recall({ query: 'the flood' });
  expect(performance.now() - start).toBeLessThan(8000);
  expect(results.map(({ body }) => body)).toEqual([TEXTS[0]]);
  expect(warnings).toEqual(['recalled without embedder topics (two): no answer within 5 s']);
});
