import { beforeAll, describe, expect, test } from 'vitest';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { openSqlite } from '../../src/engines/sqlite/open.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testClock } from '../../src/testing/clock.ts';
import { idsFor } from '../../src/testing/contract/keyword.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { freshPath } from './harnesses.ts';
import { bundled, holdLock, run } from './processes.ts';

let script = '';
let seed = 100;

beforeAll(async () => {
  script = await bundled('write.ts');
});

function open(path: string, lockDeadlineMs?: number): Promise<Engine> {
  const deadline = lockDeadlineMs === undefined ? {} : { lockDeadlineMs };
  seed += 1;
  return openSqlite({ path, clock: testClock(), ids: testIds(seed), ...deadline });
}

async function count(engine: Engine): Promise<number> {
  return (await engine.stats(VIEW_ALL)).total;
}

describe('[B11] several processes', () => {
  test('four of them write fifty memories each at once, into a store that is not there yet', async () => {
    const path = freshPath('many.db');
    const writers = ['A', 'B', 'C', 'D'].map((name) => run(script, path, name, '50'));
    expect(await Promise.all(writers.map((writer) => writer.ended))).toEqual([0, 0, 0, 0]);
    const engine = await open(path);
    expect(await count(engine)).toBe(200);
    const events = await engine.events(0, 1000);
    const numbers = events.map(({ replica, rseq }) => `${replica} ${rseq}`);
    expect(new Set(numbers).size).toBe(200);
    expect((await engine.head()).position).toBe(200);
    expect((await engine.verify()).problems).toEqual([]);
    const { matched } = await engine.keyword({
      view: VIEW_ALL,
      filter: {},
      query: { terms: [{ term: 'text', kind: 'word', surface: 'text' }], pairs: [], text: 'text' },
      k: 1,
    });
    expect(matched).toBe(200);
    await engine.close();
  });

  test('one that is killed loses nothing it has acknowledged, and is in nobody’s way', async () => {
    const path = freshPath('killed.db');
    const acknowledged: string[] = [];
    for (const round of ['R1', 'R2', 'R3']) {
      const writer = run(script, path, round, '0');
      const other = run(script, path, `${round}-OTHER`, '20');
      await writer.printed(12);
      writer.child.kill('SIGKILL');
      expect(await writer.ended).toBe('SIGKILL');
      expect(await other.ended).toBe(0);
      acknowledged.push(...writer.lines, ...other.lines);
    }
    const engine = await open(path);
    const found = await engine.get(acknowledged, VIEW_ALL);
    expect(found).toHaveLength(acknowledged.length);
    expect((await engine.verify()).problems).toEqual([]);
    await put(engine, memoryOf({ id: 'FACT-AFTERWARDS' }));
    await engine.close();
  });
});

describe('case K3: [B11] a lock that another process holds', () => {
  test('for three seconds: reads answer at once, a write waits and is kept', async () => {
    const path = freshPath('held.db');
    const engine = await open(path);
    await put(engine, memoryOf({ id: 'FACT-BEFORE', body: 'Zeppelin' }));
    const holder = holdLock(path, 3000);
    await holder.printed(1);
    const start = performance.now();
    const written = put(engine, memoryOf({ id: 'FACT-AFTER' })).then(
      () => performance.now() - start,
    );
    expect(await idsFor(engine, 'zeppelin')).toEqual(['FACT-BEFORE']);
    expect(await count(engine)).toBe(1);
    const late = await open(path);
    expect(await idsFor(late, 'zeppelin')).toEqual(['FACT-BEFORE']);
    const readAfterMs = performance.now() - start;
    const waitedMs = await written;
    expect(readAfterMs).toBeLessThan(1500);
    expect(waitedMs).toBeGreaterThan(2000);
    expect(await count(late)).toBe(2);
    expect(await holder.ended).toBe(0);
    await late.close();
    await engine.close();
  });

  test('past the deadline: busy, and nothing is stored', async () => {
    const path = freshPath('busy.db');
    const engine = await open(path, 300);
    const holder = holdLock(path, 1500);
    await holder.printed(1);
    const start = performance.now();
    const refused = await put(engine, memoryOf({ id: 'FACT-NEVER' })).catch((error) => error);
    expect(refused).toMatchObject({ code: 'busy', hint: expect.stringContaining('Try again') });
    expect(performance.now() - start).toBeLessThan(1200);
    expect(await engine.get(['FACT-NEVER'], VIEW_ALL)).toEqual([]);
    expect(await holder.ended).toBe(0);
    await put(engine, memoryOf({ id: 'FACT-LATER' }));
    expect(await count(engine)).toBe(1);
    expect((await engine.head()).position).toBe(1);
    await engine.close();
  });

  test('on a store that is not there yet: the first to come makes it, the others wait', async () => {
    const path = freshPath('empty.db');
    const holder = holdLock(path, 800);
    await holder.printed(1);
    const engine = await open(path);
    await put(engine, memoryOf({ id: 'FACT-FIRST' }));
    expect(await count(engine)).toBe(1);
    await engine.close();
  });
});
