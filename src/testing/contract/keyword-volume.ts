import { expect, test } from 'vitest';
import type { Memory } from '../../domain/memory.ts';
import type { Filter, View } from '../../domain/view.ts';
import type { Engine } from '../../ports/engine.ts';
import { useBench, type EngineHarness } from '../engine-harness.ts';
import { memoryOf, put } from '../memories.ts';
import { seededRandom } from '../../domain/random.ts';
import { answerOf, ask } from './keyword.ts';

const WORDS =
  'index log segment merge flush query score café naïve 京都 紅葉 배포 v1.9 ADR-042 E11000 src/main.ts'.split(
    ' ',
  );
const PROJECTS = ['global', 'apollo', 'zeus'];

/** Memories of a few words each; common words are common and rare ones rare. */
function crowd(count: number, seed: number): Memory[] {
  const random = seededRandom(seed);
  const word = (): string => WORDS[Math.floor(random() ** 2 * WORDS.length)] as string;
  return Array.from({ length: count }, (_, i) => {
    const body = Array.from({ length: 3 + Math.floor(random() * 9) }, word).join(' ');
    // Two of three lie in one project, so that it fills segment after segment.
    const project = PROJECTS[Math.max(0, Math.floor(random() * 9) - 6)] as string;
    return memoryOf({
      id: `FACT-CROWD-${String(i).padStart(5, '0')}`,
      body: `${body} number${i}`,
      project,
      ...(random() < 0.2 ? { title: word() } : {}),
      ...(random() < 0.2 ? { tags: [word()] } : {}),
      ...(random() < 0.1 ? { session_id: `s${i % 40}`, turn: i } : {}),
      ...(random() < 0.1 ? { status: 'archived' as const } : {}),
    });
  });
}

async function putInBatches(engine: Engine, memories: readonly Memory[], size: number) {
  for (let i = 0; i < memories.length; i += size) await put(engine, ...memories.slice(i, i + size));
}

const VIEWS: readonly View[] = [
  { projects: 'all', agents: 'all' },
  { projects: ['zeus', 'global'], agents: [''] },
];
const CURRENT: Filter = { statuses: ['active'] };

async function expectSameAnswers(engine: Engine, oracle: Engine, questions: readonly string[]) {
  for (const view of VIEWS) {
    for (const question of questions) {
      const request = { view, filter: CURRENT, k: 25 };
      const answer = answerOf(await ask(engine, question, request));
      const right = answerOf(await ask(oracle, question, request));
      expect({ question, view, answer }).toEqual({ question, view, answer: right });
    }
  }
}

export function keywordVolumeContract(harness: EngineHarness): void {
  const bench = useBench(harness);

  test('[B5] answers like the scan over some hundreds, while they change', async () => {
    const engine = await bench().open();
    const oracle = await bench().oracle();
    const memories = crowd(700, 11);
    for (const store of [engine, oracle]) await putInBatches(store, memories, 60);
    const questions = ['index merge', 'ADR-042', '京都 紅葉', 'number77 cafe'];
    await expectSameAnswers(engine, oracle, questions);
    // Touches old and new, alone and in numbers, some of them twice.
    const edits = memories
      .filter((_, i) => i % 3 === 0)
      .map((memory, i): Memory => {
        if (i % 4 === 0) return { ...memory, status: 'archived' };
        return { ...memory, body: `${memory.body} edited segment` };
      });
    for (const store of [engine, oracle]) {
      await putInBatches(store, edits, 50);
      await put(store, edits[1] as Memory);
      await put(store, edits[2] as Memory, { ...(edits[2] as Memory), body: 'flush flush' });
    }
    await expectSameAnswers(engine, oracle, [...questions, 'edited', 'flush']);
    await engine.reindex();
    await expectSameAnswers(engine, oracle, [...questions, 'edited', 'flush']);
    expect((await engine.verify()).problems).toEqual([]);
  });

  test('[B5] answers like the scan over some thousands', async () => {
    const engine = await bench().open();
    const oracle = await bench().oracle();
    const memories = crowd(4200, 12);
    for (const store of [engine, oracle]) {
      await putInBatches(store, memories, 300);
      await put(store, { ...(memories[5] as Memory), body: 'flush flush' });
    }
    const questions = ['index', 'E11000 score', 'number4100', 'query flush'];
    await expectSameAnswers(engine, oracle, questions);
    expect((await engine.verify()).stateHash).toBe((await oracle.verify()).stateHash);
  });
}
