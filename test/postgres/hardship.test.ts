import { appendFileSync } from 'node:fs';
import { beforeAll, expect, test, vi } from 'vitest';
import { missingPostgres, startPostgres } from '../../scripts/postgres.mjs';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { openPostgres, setUpPostgres } from '../../src/engines/postgres/open.ts';
import { testClock } from '../../src/testing/clock.ts';
import { testIds } from '../../src/testing/ids.ts';
import { query, saySkipped, withoutServer } from '../engines/postgres.ts';
import { bundled, run } from '../engines/processes.ts';
import { startPooler, withoutPooler } from './pooler.ts';
import { expectedCount, expectSound, PROCESSES, WRITES } from './soundness.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

const reason = withoutServer ?? missingPostgres() ?? withoutPooler;
const KILLED = 60;

let script = '';

beforeAll(async () => {
  script = await bundled('write-postgres.ts');
});

/** A store whose users own nothing, with the extension in a schema of its own. */
async function guardedStore(owner: string): Promise<string> {
  await query(
    owner,
    `CREATE SCHEMA extensions; CREATE EXTENSION vector SCHEMA extensions;
     CREATE ROLE app LOGIN PASSWORD 'secret'`,
  );
  await setUpPostgres({ url: owner, clock: testClock(), ids: testIds(990_001) });
  await query(
    owner,
    `GRANT USAGE ON SCHEMA extensions, loci, loci_docs TO app;
     GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA loci, loci_docs TO app;
     GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA loci, loci_docs TO app`,
  );
  const url = new URL(owner);
  [url.username, url.password] = ['app', 'secret'];
  return url.href;
}

test.skipIf(reason !== undefined)(
  'case N4: [B11] [B4] many writers by way of a pooler with two connections, as a role that owns nothing: some are killed, the server crashes twice, and nothing acknowledged is lost',
  async () => {
    const server = await startPostgres({ settings: {} });
    try {
      const url = await startPooler(await guardedStore(server.url));
      const startedAt = performance.now();
      const names = Array.from({ length: PROCESSES }, (_, i) => `P${i}`);
      const writers = names.map((name) => run(script, url, name, String(WRITES)));
      const doomed = run(script, url, 'DOOMED', '0');
      for (const lines of [Math.floor(WRITES / 5), Math.floor(WRITES / 2)]) {
        await Promise.all(writers.map((writer) => writer.printed(lines)));
        await server.halt('immediate');
        await server.start();
      }
      await doomed.printed(KILLED);
      doomed.child.kill('SIGKILL');
      expect(await doomed.ended).toBe('SIGKILL');
      expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual(names.map(() => 0));
      const seconds = (performance.now() - startedAt) / 1000;
      const engine = await openPostgres({ url, clock: testClock(), ids: testIds(990_002) });
      const acknowledged = [...writers, doomed].flatMap(({ lines }) => lines);
      await expectSound(engine, acknowledged);
      const all = await engine.select({
        view: VIEW_ALL,
        filter: {},
        sort: 'id',
        descending: false,
        limit: 10_000,
      });
      const ids = all.rows.map(({ memory }) => memory.id);
      const own = ids.filter((id) => !/^FACT-(DOOMED|SAME|OURS)-/.test(id));
      expect(own).toHaveLength(PROCESSES * WRITES);
      const contested = ids.filter((id) => /^FACT-(SAME|OURS)-/.test(id));
      expect(contested.length).toBeGreaterThanOrEqual(expectedCount(0, WRITES));
      await engine.close();
      const report = process.env.SOAK_REPORT;
      if (report) {
        const figures = `postgres: ${PROCESSES} processes × ${WRITES} writes through a pooler, two crashes of the server: ${acknowledged.length} acknowledged, none lost, ${seconds.toFixed(1)} s`;
        appendFileSync(report, `${figures}\n`);
      }
    } finally {
      await server.stop();
    }
  },
);

saySkipped('many writers in hard times', reason);
