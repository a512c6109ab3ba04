import { describe, expect, test, vi } from 'vitest';
import type { View } from '../../src/domain/view.ts';
import { openPostgres, setUpPostgres } from '../../src/engines/postgres/open.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testClock } from '../../src/testing/clock.ts';
import { idsFor } from '../../src/testing/contract/keyword.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { freshStore, ownDatabase, saySkipped, withoutServer } from '../engines/postgres.ts';
import { startPooler, withoutPooler } from './pooler.ts';

vi.setConfig({ testTimeout: 240_000 });

const reason = withoutServer ?? withoutPooler;
let seed = 980_000;

describe.skipIf(reason !== undefined)('case N4: behind a pooler in transaction mode', () => {
  test('[B9] two tenants, interleaved a thousand times, see nothing of each other', async () => {
    const through = new URL(await startPooler(await ownDatabase()));
    const urls = [await freshStore(), await freshStore()].map((url) => {
      through.search = new URL(url).search;
      return through.href;
    });
    const tenants: { name: string; engine: Engine; view: View }[] = [];
    for (const [i, url] of urls.entries()) {
      for (const name of [`a${i}`, `b${i}`]) {
        seed += 1;
        const engine = await openPostgres({ clock: testClock(), ids: testIds(seed), url });
        tenants.push({ name, engine, view: { projects: [name], agents: 'all' } });
      }
    }
    const errors: unknown[] = [];
    const foreign: string[] = [];
    const work = async ({ name, engine, view }: (typeof tenants)[number], n: number) => {
      try {
        const id = `FACT-${name.toUpperCase()}-${n}`;
        await put(engine, memoryOf({ id, body: `word of ${name}`, project: name }));
        const found = await idsFor(engine, 'word', { view, k: 1000 });
        if (!found.includes(id)) errors.push(`${id} was not found`);
        const prefix = `FACT-${name.toUpperCase()}-`;
        foreign.push(...found.filter((one) => !one.startsWith(prefix)));
      } catch (error) {
        errors.push(error);
      }
    };
    const rounds = Array.from({ length: 250 }, (_, n) => n);
    await Promise.all(
      tenants.map(async (tenant) => {
        for (const n of rounds) await work(tenant, n);
      }),
    );
    expect(errors).toEqual([]);
    expect(foreign).toEqual([]);
    for (const { name, engine, view } of tenants) {
      expect({ name, total: (await engine.stats(view)).total }).toEqual({ name, total: 250 });
      expect((await engine.verify()).problems).toEqual([]);
    }
    for (const { engine } of tenants) await engine.close();
  });

  test('[B9] setup notices it, and refuses', async () => {
    const url = `${await startPooler(await ownDatabase())}?schema=pooled`;
    const refused = setUpPostgres({ clock: testClock(), ids: testIds(1), url });
    await expect(refused).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('transaction mode'),
      hint: expect.stringContaining('afterwards this one will do'),
    });
  });
});

saySkipped('behind a pooler', reason);
