import { expect, test } from 'vitest';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { openPostgres } from '../../src/engines/postgres/open.ts';
import { testClock } from '../../src/testing/clock.ts';
import { testIds } from '../../src/testing/ids.ts';
import { changeTo, memoryOf } from '../../src/testing/memories.ts';
import { freshStore, saySkipped, withoutServer } from '../engines/postgres.ts';

/** The server takes 1,664 columns of an answer: a call for each space would be too many at once. */
const SPACES = 2000;

test.skipIf(withoutServer !== undefined)(
  '[B4] one commit may write to more spaces than one statement has room for',
  async () => {
    const url = await freshStore();
    const engine = await openPostgres({ url, clock: testClock(), ids: testIds(830_000) });
    const memories = Array.from({ length: SPACES }, (_, n) =>
      memoryOf({ id: `FACT-${n}`, project: `p${n}`, body: `Text ${n}` }),
    );
    const ids = memories.map(({ id }) => id);
    await engine.commit({ ids, contentKeys: [], actor: 'ann' }, () => ({
      changes: memories.map((memory) => changeTo(memory)),
      result: 0,
    }));
    expect(await engine.get(ids, VIEW_ALL)).toHaveLength(SPACES);
    expect((await engine.verify()).problems).toEqual([]);
    await engine.close();
  },
);

saySkipped('one commit to many spaces', withoutServer);
