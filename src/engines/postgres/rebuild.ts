import { advanceClock } from '../../domain/append.ts';
import type { LogEvent } from '../../domain/event.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Progress } from '../../ports/log-life.ts';
import { writeAll } from './commit.ts';
import type { Session } from './driver.ts';
import { writeHeader, type Header } from './header.ts';
import { eventPages } from './reader.ts';
import { WorkingSet } from './working-set.ts';
import { writeMemories, writeProjects, writeRecords, writeTips } from './write.ts';

const STATE_TABLES = [
  'tips',
  'projects',
  'records',
  'memories',
  'relations',
  'citations',
  'likeness',
  'spaces',
  'segments',
  'postings',
  'deltas',
  'doc_states',
] as const;

/** Events folded at a time: each page makes one segment, so that it is not small. */
const REBUILD_PAGE = 8000;

/** Puts events that are not on the log there, and brings the state up to them. */
export async function appendEvents(
  session: Session,
  header: Header,
  events: readonly LogEvent[],
  clock: Clock,
): Promise<void> {
  for (let from = 0; from < events.length; from += REBUILD_PAGE) {
    const fresh = events.slice(from, from + REBUILD_PAGE);
    const working = new WorkingSet(session, header.isolated);
    working.accept(fresh, await working.evolve(fresh));
    header.hlc = fresh.reduce((hlc, one) => advanceClock(hlc, one, clock.nowMs()), header.hlc);
    await writeAll(
      session,
      header,
      working,
      fresh.map((event) => JSON.stringify(event)),
    );
  }
}

/** Drops the state and folds it again from the events that are there. */
export async function rebuild(
  session: Session,
  header: Header,
  progress?: Progress,
): Promise<void> {
  for (const table of STATE_TABLES) session.send(`DELETE FROM ${table}`);
  header.generation += 1;
  header.revision += 1;
  let done = 0;
  for await (const events of eventPages(session, REBUILD_PAGE)) {
    const working = new WorkingSet(session, header.isolated);
    working.accept(events, await working.evolve(events));
    writeTips(session, events);
    await writeProjects(session, events);
    await writeRecords(session, events);
    await writeMemories(session, header, working.touched());
    done += events.length;
    progress?.(done, header.position);
  }
  writeHeader(session, header);
}
