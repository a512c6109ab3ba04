import { beforeAll, describe, expect, test, vi } from 'vitest';
import { missingPostgres, startPostgres } from '../../scripts/postgres.mjs';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { openPostgres, setUpPostgres } from '../../src/engines/postgres/open.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testClock } from '../../src/testing/clock.ts';
import { idsFor } from '../../src/testing/contract/keyword.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { freshStore, ownDatabase, query, saySkipped, withoutServer } from '../engines/postgres.ts';
import { bundled, run } from '../engines/processes.ts';
import { expectedCount, expectSound, PROCESSES, WRITES } from './soundness.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

let script = '';
let seed = 800_000;

beforeAll(async () => {
  script = await bundled('write-postgres.ts');
});

function open(url: string, lockDeadlineMs = 30_000): Promise<Engine> {
  seed += 1;
  return openPostgres({ url, clock: testClock(), ids: testIds(seed), lockDeadlineMs });
}

describe.skipIf(withoutServer !== undefined)('[B11] several processes on one database', () => {
  test('all that they acknowledge is kept, and of equal writes one wins', async () => {
    const url = await freshStore();
    const names = Array.from({ length: PROCESSES }, (_, i) => `P${i}`);
    const writers = names.map((name) => run(script, url, name, String(WRITES)));
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual(names.map(() => 0));
    const engine = await open(url);
    expect((await engine.stats(VIEW_ALL)).total).toBe(expectedCount(PROCESSES, WRITES));
    await expectSound(
      engine,
      writers.flatMap(({ lines }) => lines),
    );
    await engine.close();
  });

  test('one that is killed loses nothing it has acknowledged, and is in nobody’s way', async () => {
    const url = await freshStore();
    const acknowledged: string[] = [];
    for (const round of ['R1', 'R2', 'R3']) {
      const writer = run(script, url, round, '0');
      const other = run(script, url, `${round}-OTHER`, '20');
      await writer.printed(12);
      writer.child.kill('SIGKILL');
      expect(await writer.ended).toBe('SIGKILL');
      expect(await other.ended).toBe(0);
      acknowledged.push(...writer.lines, ...other.lines);
    }
    const engine = await open(url);
    await expectSound(engine, acknowledged);
    await engine.close();
  });

  test('what one writes the next question of another finds', async () => {
    const url = await freshStore();
    const [one, other] = [await open(url), await open(url)];
    for (let i = 0; i < 10; i++) {
      await put(one, memoryOf({ id: `FACT-${i}`, body: `Zeppelin ${i}` }));
      expect(await idsFor(other, `${i}`)).toContain(`FACT-${i}`);
    }
    await put(other, memoryOf({ id: 'FACT-3', body: 'Gone' }));
    expect(await idsFor(one, 'zeppelin')).not.toContain('FACT-3');
    await one.close();
    await other.close();
  });

  test('a lock that is held past the deadline: busy, and nothing is stored', async () => {
    const url = await freshStore();
    const engine = await open(url, 600);
    await put(engine, memoryOf({ id: 'FACT-BEFORE', body: 'Zeppelin' }));
    const schema = new URL(url).searchParams.get('schema');
    const held = query(
      await ownDatabase(),
      `BEGIN; SELECT pg_advisory_xact_lock(1819239273, hashtext('${schema}')); SELECT pg_sleep(3); COMMIT`,
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    const refused = await put(engine, memoryOf({ id: 'FACT-NEVER' })).catch((error) => error);
    expect(refused).toMatchObject({ code: 'busy', hint: expect.stringContaining('Try again') });
    // Reads wait for nobody.
    expect(await idsFor(engine, 'zeppelin')).toEqual(['FACT-BEFORE']);
    await held;
    expect(await engine.get(['FACT-NEVER'], VIEW_ALL)).toEqual([]);
    await put(engine, memoryOf({ id: 'FACT-LATER' }));
    expect((await engine.head()).position).toBe(2);
    await engine.close();
  });
});

const noServer = withoutServer ?? missingPostgres();

test.skipIf(noServer !== undefined)(
  '[B11] a server that crashes and comes back: nothing acknowledged is lost, writers go on',
  async () => {
    const server = await startPostgres({ settings: {} });
    try {
      await setUpPostgres({ url: server.url, clock: testClock(), ids: testIds(1) });
      const writers = ['A', 'B'].map((name) => run(script, server.url, name, '120'));
      for (const lines of [10, 40]) {
        await Promise.all(writers.map((writer) => writer.printed(lines)));
        await server.halt('immediate');
        await server.start();
      }
      expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0]);
      const engine = await open(server.url);
      await expectSound(
        engine,
        writers.flatMap(({ lines }) => lines),
      );
      expect((await engine.stats(VIEW_ALL)).total).toBe(2 * 120 + 10);
      await engine.close();
    } finally {
      await server.stop();
    }
  },
);

saySkipped('several processes on a database');
