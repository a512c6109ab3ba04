import { existsSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { recordSubject } from '../../src/domain/record.ts';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { InMemoryEngine } from '../../src/engines/in-memory/engine.ts';
import { openSqlite } from '../../src/engines/sqlite/open.ts';
import { copyStore } from '../../src/exchange/copy.ts';
import type { Deps } from '../../src/ports/deps.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testClock } from '../../src/testing/clock.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, NOTHING_NAMED, put } from '../../src/testing/memories.ts';
import { DEED, deedIn, fill, fresh, hashOf, KINDS, store } from './support.ts';

const LASTING = KINDS.filter(([kind]) => kind !== 'in-memory');

describe.each(KINDS)('from %s', (_from, from) => {
  describe.each(LASTING)('to %s', (_to, to) => {
    test('[B5] [I1] a store moves without loss, and both have one hash', async () => {
      const source = await store(from(), { embedder: 'builtin' });
      await fill(source);
      await source.reEmbed();
      const name = await to();
      const copied = await source.copy({ to: name });
      expect(copied.inserted).toEqual({
        memories: 5,
        events: 9,
        entities: 0,
        vectors: 5,
        evidence: 1,
      });
      expect(copied.state_hash).toBe(await hashOf(source));
      const target = await store(name, { embedder: 'builtin' });
      expect(target.location).toBe(copied.to);
      expect(await hashOf(target)).toBe(copied.state_hash);
      expect(await deedIn(target)).toBe(DEED);
      const past = { ids: ['x-1', 'FACT-OLD-ONE'], history: true, relations: true };
      expect(await target.get(past)).toEqual(await source.get(past));
      expect((await target.status({ allProjects: true })).embeddings).toMatchObject({
        stored: 5,
        pending: 0,
      });
      const question = { query: 'where is the steering wheel', explain: true };
      expect(await target.recall(question)).toEqual(await source.recall(question));
    });

    test('[B5] it goes on where it was, and copies what has come since', async () => {
      const source = await store(from());
      await fill(source);
      const name = await to();
      await source.copy({ to: name });
      await source.archive({ id: 'FACT-MAST' });
      await source.remember({ id: 'FACT-MAST-2', body: 'The mast is oak.', agent: 'ann' });
      const { inserted, skipped, state_hash } = await source.copy({ to: name });
      expect(inserted).toMatchObject({ memories: 1, events: 2 });
      expect(skipped).toMatchObject({ events: 9 });
      expect(state_hash).toBe(await hashOf(source));
    });

    test('a dry run makes nothing', async () => {
      const source = await store(from());
      await fill(source);
      const name = await to();
      expect(await source.copy({ to: name, dryRun: true })).toMatchObject({
        inserted: { memories: 5, events: 9 },
        state_hash: null,
        dry_run: true,
      });
      expect(existsSync(name.replace('sqlite:', ''))).toBe(false);
    });

    test('[B5] a store with memories of its own is refused, unharmed', async () => {
      const source = await store(from());
      await fill(source);
      const name = await to();
      const target = await store(name);
      await target.remember({ body: 'Something else.' });
      const before = await hashOf(target);
      await expect(source.copy({ to: name })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/holds 1 events that this store lacks/),
      });
      expect(await hashOf(target)).toBe(before);
    });
  });
});

test('a store is not copied onto itself', async () => {
  const name = fresh('vault');
  const source = await store(name);
  await fill(source);
  await expect(source.copy({ to: name })).rejects.toMatchObject({ code: 'invalid_input' });
});

/** An engine of which some members are others. */
function guise(engine: Engine, others: Partial<Engine>): Engine {
  return new Proxy(engine, {
    get(target, key) {
      const other: unknown = Reflect.get(others, key);
      if (other !== undefined) return other;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** What a copy needs, with a target that is given and stays open. */
function depsOf(engine: Engine, target: Engine, others: Partial<Engine> = {}): Deps {
  const lent = guise(target, { close: async () => undefined, ...others });
  return { engine, others: { open: async () => lent } } as unknown as Deps;
}

function inMemory(isolated = false): InMemoryEngine {
  return new InMemoryEngine({ clock: testClock(), ids: testIds(7), isolated });
}

const targets: Engine[] = [];
afterEach(async () => {
  for (const target of targets.splice(0)) await target.close();
});

async function sqliteTarget(): Promise<Engine> {
  const target = await openSqlite({ path: fresh('t.db'), clock: testClock(), ids: testIds(8) });
  targets.push(target);
  return target;
}

test('[G2] drawers are not copied into a store that would open them to everybody', async () => {
  const target = await sqliteTarget();
  await expect(copyStore({ to: 'x' }, depsOf(inMemory(true), target))).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/keeps agents apart/),
  });
});

test('[B5] runs, proposals and entities go with it', async () => {
  const source = inMemory();
  await put(source, memoryOf({ id: 'FACT-HELM-ONE' }));
  const records = [
    ['run', { id: 'R1', project: 'boat', verb: 'gc' }],
    ['proposal', { id: 'P1', project: 'boat' }],
    ['entity', { id: 'tool:helm', project: 'boat', aliases: ['wheel'] }],
  ] as const;
  for (const [kind, data] of records) {
    const subject = recordSubject(kind, data.id);
    const change = { kind: `${kind}.recorded`, subject, data } as const;
    await source.commit(NOTHING_NAMED, () => ({ changes: [change], result: 0 }));
  }
  const target = await sqliteTarget();
  const { inserted } = await copyStore({ to: 'x' }, depsOf(source, target));
  expect(inserted).toMatchObject({ memories: 1, events: 4, entities: 1 });
  for (const [kind, data] of records) expect(await target.records(kind, VIEW_ALL)).toEqual([data]);
});

test('[B5] what is written meanwhile is copied too', async () => {
  const source = inMemory();
  await put(source, memoryOf({ id: 'FACT-FIRST' }));
  const target = await sqliteTarget();
  let writes = 0;
  const merge: Engine['merge'] = async (events) => {
    writes += 1;
    if (writes <= 2) await put(source, memoryOf({ id: `FACT-LATER-${writes}` }));
    return target.merge(events);
  };
  const { state_hash } = await copyStore({ to: 'x' }, depsOf(source, target, { merge }));
  expect((await source.verify()).stateHash).toBe(state_hash);
  expect((await target.verify()).stateHash).toBe(state_hash);
  expect(await target.events(0, 10)).toHaveLength(3);
});
