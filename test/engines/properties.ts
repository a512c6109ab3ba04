import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery } from '../../src/domain/text/query.ts';
import { VIEW_ALL, type Filter, type View } from '../../src/domain/view.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testClock } from '../../src/testing/clock.ts';
import { answerOf } from '../../src/testing/contract/keyword.ts';
import type { EngineHarness } from '../../src/testing/engine-harness.ts';
import { testIds } from '../../src/testing/ids.ts';
import { wildText } from '../wild-text.ts';
import { life, Performer, type Command } from './commands.ts';

const VIEWS: readonly View[] = [
  VIEW_ALL,
  { projects: ['apollo', 'global'], agents: ['ann', ''] },
  { projects: ['zeus'], agents: 'all' },
];
const FILTERS: readonly Filter[] = [
  {},
  { statuses: ['active'], notTypes: ['episode'], validAtMs: Date.parse('2026-03-10') },
  { statuses: ['active'], asOfMs: Date.parse('2026-03-08T12:00:00Z') },
];

/** Everything that reads give, but for the ids of events, which differ from store to store. */
async function contentsOf(engine: Engine, questions: readonly string[]): Promise<unknown> {
  const found: unknown[] = [];
  for (const view of VIEWS) {
    for (const filter of FILTERS) {
      const select = { view, filter, sort: 'created_at', descending: true, limit: 1000 } as const;
      const { rows, total } = await engine.select(select);
      found.push(
        total,
        rows.map(({ memory, version, tokens }) => ({ memory, version, tokens })),
      );
      for (const question of questions) {
        const request = { view, filter, query: parseQuery(question), k: 5, explain: true };
        found.push(answerOf(await engine.keyword(request)));
      }
    }
    const { index: _index, ...stats } = await engine.stats(view);
    const { rows } = await engine.select({
      view,
      filter: {},
      sort: 'id',
      descending: false,
      limit: 1000,
    });
    found.push(
      stats,
      await engine.edges(
        rows.map(({ memory }) => memory.id),
        view,
      ),
    );
  }
  return found;
}

interface Play {
  readonly isolated: boolean;
  readonly commands: readonly Command[];
  readonly questions: readonly string[];
}

const play: fc.Arbitrary<Play> = fc.record({
  isolated: fc.boolean(),
  commands: life,
  questions: fc
    .array(wildText, { maxLength: 2 })
    .map((wild) => ['zeppelin', 'the yacht sails', ...wild]),
});

/**
 * Under random commands an engine answers like the in-memory one: the same receipts and errors,
 * the same contents, scores and state hash, and again after a replay of its log.
 */
export function engineProperties(
  name: string,
  harness: EngineHarness,
  { runs }: { runs: number },
): void {
  test(`[B5] [B6] [I1] ${name} answers like the in-memory engine under random commands`, async () => {
    let seed = 1000;
    const compare = async ({ isolated, commands, questions }: Play): Promise<void> => {
      seed += 2;
      const clock = testClock();
      const engine = await harness.open({ clock, ids: testIds(seed), isolated });
      const oracle = await harness.oracle({ clock, ids: testIds(seed + 1), isolated });
      try {
        const tested = new Performer(engine);
        const right = new Performer(oracle);
        for (const given of commands) {
          const answer = await tested.perform(given);
          expect(answer).toEqual(await right.perform(given));
          // A fault of the program is no answer, even if both have it.
          expect(answer).not.toMatchObject({ code: 'internal' });
          expect(answer).not.toHaveProperty('code', undefined);
        }
        const contents = await contentsOf(oracle, questions);
        expect(await contentsOf(engine, questions)).toEqual(contents);
        const { stateHash } = await oracle.verify();
        expect(await engine.verify()).toMatchObject({ stateHash, problems: [] });
        expect((await engine.replay()).stateHash).toBe(stateHash);
        expect(await contentsOf(engine, questions)).toEqual(contents);
      } finally {
        await engine.close();
      }
    };
    await fc.assert(fc.asyncProperty(play, compare), { numRuns: runs, seed: 20_260_309 });
  });
}
