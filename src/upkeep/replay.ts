import { LociError } from '../domain/errors.ts';
import type { LogEvent } from '../domain/event.ts';
import { replayOptions } from '../domain/log-options.ts';
import type { ReplayLogOptions, ReplayResult, SetAside } from '../domain/log-verbs.ts';
import { parseInput } from '../domain/parse.ts';
import { soundEvents } from '../domain/sound-events.ts';
import type { Deps } from '../ports/deps.ts';
import type { Engine } from '../ports/engine.ts';
import type { Progress } from '../ports/log-life.ts';
import type { ForeignLog } from '../ports/logs.ts';
import { bringEvidence } from './merge.ts';

const PAGE = 2000;

/**
 * Builds state and files from a log alone: of this store from its own; with `to`, of a new store, and
 * this one is only read; with `from`, from another log.
 * @throws LociError conflict when the store to build holds something already
 */
export async function replay(
  options: ReplayLogOptions,
  deps: Deps,
  progress?: Progress,
): Promise<ReplayResult> {
  const { from, to } = parseInput(replayOptions, options, 'replay');
  const { engine } = deps;
  if (from === undefined && to === undefined) return build(engine, [], progress);
  const log = from === undefined ? await ownLog(engine) : await deps.others.readLog(from);
  const { sound, setAside } = soundEvents(log.events);
  const target = to === undefined ? engine : await deps.others.open(to);
  try {
    if ((await target.head()).position > 0) {
      throw new LociError(
        'conflict',
        `${target.location} holds events already`,
        'Name a store that is not there yet with --to, or join the other log with: loci merge',
      );
    }
    await bringEvidence(log, sound, target);
    await target.merge(sound);
    return await build(target, [...log.setAside, ...setAside], progress);
  } finally {
    if (target !== engine) await target.close();
  }
}

async function build(
  engine: Engine,
  skipped: readonly SetAside[],
  progress: Progress | undefined,
): Promise<ReplayResult> {
  const { memories, events, edits, written, stateHash, problems } = await engine.replay(
    progress ? { progress } : {},
  );
  const counts = { memories, events, edits, written, state_hash: stateHash, problems };
  return { store: engine.location, ...counts, skipped };
}

async function ownLog(engine: Engine): Promise<ForeignLog> {
  const events: LogEvent[] = [];
  for (let after = 0; ;) {
    const page = await engine.feed(after, PAGE);
    for (const event of page.events) events.push(event);
    if (page.events.length < PAGE) break;
    after = page.position;
  }
  return { events, setAside: [], evidence: (sha256) => engine.evidence(sha256) };
}
