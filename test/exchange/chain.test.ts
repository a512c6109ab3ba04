import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { fingerprintOf, passagesKey, passagesOf } from '../../src/domain/embedding.ts';
import { RECORD_KINDS } from '../../src/domain/record.ts';
import { seededRandom } from '../../src/domain/random.ts';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { openVault } from '../../src/engines/vault/engine.ts';
import { copyStore } from '../../src/exchange/copy.ts';
import type { Deps } from '../../src/ports/deps.ts';
import type { Engine, VectorRow } from '../../src/ports/engine.ts';
import { testClock } from '../../src/testing/clock.ts';
import { testIds } from '../../src/testing/ids.ts';
import { run } from '../engines/processes.ts';
import { figure, rounds, SOAK_TIMEOUT_MS } from '../vault/soak.ts';
import { ENGINES } from './engines.ts';
import { fresh, hashOf, KINDS, store } from './support.ts';

const COUNT = rounds(250, 5000);
const opened = new Set<Engine>();
afterEach(async () => {
  for (const engine of opened) await engine.close();
  opened.clear();
});

function id(i: number): string {
  return `FACT-NUMBER-${i}`;
}

/** A vault with history, relations, entities, evidence, vectors, runs, proposals and a purge. */
async function filledVault(): Promise<string> {
  const path = fresh('full');
  const loci = await store(path, { embedder: 'builtin' });
  const random = seededRandom(12);
  const pick = (n: number): number => Math.floor(random() * n);
  await loci.remember(
    Array.from({ length: COUNT }, (_, i) => ({
      id: id(i),
      body: `Plank ${i} of the ${['hull', 'deck', 'mast'][pick(3)]} — naïve 船 ${pick(1e6)}.`,
      tags: ['hull', `t${pick(40)}`],
      project: ['boat', 'a_b', 'café', 'global'][pick(4)] as string,
      status: pick(9) === 0 ? 'draft' : 'active',
      confidence: pick(100) / 100,
      entities: pick(4) === 0 ? [{ kind: 'tool', name: `saw ${pick(9)}` }] : [],
      ...(pick(3) === 0 ? { agent: `agent-${pick(3)}` } : {}),
      ...(pick(20) === 0 ? { evidence: [Buffer.from(`blob ${i}`)] } : {}),
    })),
  );
  for (let i = 0; i < COUNT; i += 10) {
    const one = await loci.get({ ids: [id(i)], allProjects: true });
    const own = loci.scoped({ project: one.memories[0]?.project ?? 'boat' });
    const body = `Plank ${i} was replaced.`;
    await own.update({ id: id(i), expectVersion: 1, body, reason: 'worn out' });
    if (i % 20 === 0) await own.archive({ id: id(i), reason: 'sold' });
    await own.entity({ kind: 'person', name: `owner of ${i}`, aliases: [`o-${i}`] });
  }
  const boat = await loci.search({ limit: 60, mode: 'filter', sort: 'id' });
  const ids = boat.results.filter(({ project }) => project === 'boat').map((one) => one.id);
  for (const [i, source] of ids.entries()) {
    const target = ids[(i + 1) % ids.length] as string;
    await loci.relate({ source, type: i % 2 ? 'supports' : 'depends_on', target });
  }
  await loci.reflect();
  await loci.purge({ ids: ids.slice(-2), yes: true });
  await loci.reEmbed();
  await hashOf(loci);
  await loci.close();
  return path;
}

interface Contents {
  readonly stateHash: string;
  readonly events: unknown;
  readonly records: unknown;
  readonly evidence: unknown;
  readonly vectors: readonly VectorRow[];
}

/** Everything that moves, to be compared. */
async function contentsOf(engine: Engine): Promise<Contents> {
  const { stateHash, problems } = await engine.verify();
  expect(problems).toEqual([]);
  const events = await engine.events(0, 100_000);
  const { rows } = await engine.select({
    view: VIEW_ALL,
    filter: {},
    sort: 'id',
    descending: false,
    limit: 100_000,
  });
  const keys = rows.map(({ memory }) => passagesKey(passagesOf(memory)));
  const vectors: VectorRow[] = [];
  for (const model of await engine.vectorModels()) {
    vectors.push(...(await engine.vectorsOf(fingerprintOf(model), keys)));
  }
  const hashes = [...new Set(rows.flatMap(({ memory }) => memory.evidence))].sort();
  const blobs = await Promise.all(hashes.map((hash) => engine.evidence(hash)));
  return {
    stateHash,
    events,
    records: await Promise.all(RECORD_KINDS.map((kind) => engine.records(kind, VIEW_ALL))),
    evidence: blobs.map((bytes) => Buffer.from(bytes ?? []).toString()),
    vectors: vectors.sort((a, b) => (a.key < b.key ? -1 : 1)),
  };
}

/** Copies into a store that stays open. */
async function copied(from: Engine, to: Engine): Promise<number> {
  const lent = new Proxy(to, {
    get(target, key) {
      if (key === 'close') return async () => undefined;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const deps = { engine: from, others: { open: async () => lent } } as unknown as Deps;
  const { inserted } = await copyStore({ to: 'next' }, deps);
  return inserted.events;
}

async function reopened(path: string): Promise<Engine> {
  const engine = await openVault({ path, clock: testClock(), ids: testIds(77) });
  opened.add(engine);
  return engine;
}

test(
  `[B5] [I1] ${COUNT} memories go from engine to engine and home again: one hash, nothing lost`,
  async () => {
    let from = await reopened(await filledVault());
    const before = await contentsOf(from);
    expect(before.vectors.length).toBeGreaterThan(COUNT / 2);
    expect(JSON.stringify(before.records)).toMatch(/reflect/);
    const [home, ...away] = ENGINES;
    for (const { kind, open } of [...away, home!]) {
      const started = Date.now();
      const to = await open();
      opened.add(to);
      expect(await copied(from, to)).toBe((before.events as unknown[]).length);
      const elapsed = Date.now() - started;
      const after = await contentsOf(to);
      expect([kind, after.stateHash]).toEqual([kind, before.stateHash]);
      expect(after).toEqual(before);
      expect(await copied(from, to)).toBe(0);
      figure(`copy ${COUNT} memories, ${from.kind} to ${kind}`, `${elapsed} ms`);
      from = to;
    }
  },
  SOAK_TIMEOUT_MS,
);

test(
  '[B5] [B6] a compacted store moves as it is, also into a copy from before',
  async () => {
    const source = await reopened(await filledVault());
    for (const { open } of ENGINES) {
      const target = await open();
      opened.add(target);
      if (target.kind === 'sqlite') await copied(source, target);
      await source.compact('owner');
      await copied(source, target);
      const { stateHash, problems } = await target.verify();
      expect(problems).toEqual([]);
      expect(stateHash).toBe((await source.verify()).stateHash);
    }
  },
  SOAK_TIMEOUT_MS,
);

const TARGETS = KINDS.filter(([kind]) => kind !== 'in-memory').toReversed();

describe.each(TARGETS.slice(0, rounds(1, TARGETS.length)))(
  'a copy to %s that was killed',
  (_kind, name) => {
    test(
      '[B5] goes on where it was',
      async () => {
        const from = `sqlite:${fresh('source.db')}`;
        const source = await store(from);
        for (let i = 0; i < 4500; i += 500) {
          await source.remember(
            Array.from({ length: 500 }, (_, j) => ({ body: `Plank number ${i + j}.` })),
          );
        }
        const to = await name();
        const script = fileURLToPath(new URL('fixtures/copy.mjs', import.meta.url));
        const first = run(script, from, to, '4000');
        await first.printed(2);
        first.child.kill('SIGKILL');
        expect(await first.ended).toBe('SIGKILL');
        const target = await store(to);
        expect((await target.status()).memories.total).toBe(4000);
        await hashOf(target);
        const second = run(script, from, to);
        expect(await second.ended).toBe(0);
        expect(await hashOf(target)).toBe(await hashOf(source));
        expect((await target.status()).log).toEqual({ events: 4500, position: 4500 });
      },
      SOAK_TIMEOUT_MS,
    );
  },
);
