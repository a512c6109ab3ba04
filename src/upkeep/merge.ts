import { isMemoryEvent, type LogEvent } from '../domain/event.ts';
import { mergeOptions } from '../domain/log-options.ts';
import type { MergeLogOptions, MergeResult } from '../domain/log-verbs.ts';
import { parseInput } from '../domain/parse.ts';
import { soundEvents } from '../domain/sound-events.ts';
import type { Deps } from '../ports/deps.ts';
import type { Engine } from '../ports/engine.ts';
import type { ForeignLog } from '../ports/logs.ts';

/** Joins the log of another replica: read it → set aside what is not sound → append what is new. */
export async function merge(options: MergeLogOptions, deps: Deps): Promise<MergeResult> {
  const { from, dryRun = false } = parseInput(mergeOptions, options, 'merge');
  const { engine } = deps;
  const log = await deps.others.readLog(from);
  const { sound, setAside } = soundEvents(log.events);
  // Before the events: what they name is there then.
  const evidence = dryRun ? 0 : await bringEvidence(log, sound, engine);
  const report = await engine.merge(sound, { dryRun });
  if (!dryRun) deps.vectors?.nudge();
  return {
    dry_run: dryRun,
    events: report.events,
    memories: report.memories,
    conflicts: report.conflicts,
    skipped: [...log.setAside, ...setAside],
    evidence,
    state_hash: report.stateHash,
  };
}

/** Copies the blobs that events name and this store lacks. Returns how many. */
export async function bringEvidence(
  log: ForeignLog,
  events: readonly LogEvent[],
  engine: Engine,
): Promise<number> {
  const wanted = new Set(events.filter(isMemoryEvent).flatMap(({ data }) => data.evidence));
  let brought = 0;
  for (const sha256 of wanted) {
    if (await engine.evidence(sha256)) continue;
    const bytes = await log.evidence(sha256);
    if (!bytes) continue;
    await engine.putEvidence(bytes);
    brought += 1;
  }
  return brought;
}
