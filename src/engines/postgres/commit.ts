import { advanceClock, eventsOf } from '../../domain/append.ts';
import { chainHash, type LogEvent, type ProjectName } from '../../domain/event.ts';
import type { CommitState, Decision } from '../../domain/change.ts';
import { LociError } from '../../domain/errors.ts';
import { purgedSubject } from '../../domain/purge.ts';
import { latestRecords, recordKindOf, type StoreRecord } from '../../domain/record.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CommitRequest, Committed } from '../../ports/engine.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Waiting } from '../shared/commit-queue.ts';
import type { Session } from './driver.ts';
import { readGround, readHeader, writeHeader, type Header } from './header.ts';
import { readRecordEvents } from './reader.ts';
import { SpaceRows, type LikelySpaces } from './space-rows.ts';
import { WorkingSet } from './working-set.ts';
import { writeLog, writeMemories, writeProjects, writeRecords, writeTips } from './write.ts';

export interface Commit {
  readonly request: CommitRequest;
  readonly decide: (state: CommitState) => Decision<unknown>;
}

export type WaitingCommit = Waiting<Commit, Committed<unknown>>;

export interface CommitContext {
  readonly isolated: boolean;
  readonly location: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** What a transaction did: it is told to those who wait once it is durable. */
export interface BatchOutcome {
  readonly answers: readonly (() => void)[];
  readonly events: readonly LogEvent[];
}

/**
 * Decides all commits of a batch, one after the other, and writes what they change. The session holds
 * the commit lock. One that throws changes nothing and stops nobody.
 * @param likely spaces that will be written to, as far as can be told: they are read with the rest
 */
export async function commitBatch(
  session: Session,
  batch: readonly WaitingCommit[],
  { isolated, location, clock, ids }: CommitContext,
  likely: LikelySpaces,
): Promise<BatchOutcome> {
  const working = new WorkingSet(session, isolated);
  const spaces = new SpaceRows(session);
  const [ground, known] = await Promise.all([
    readGround(
      session,
      batch.flatMap(({ request }) => request.request.ids.map(purgedSubject)),
    ),
    readRecordEvents(
      session,
      batch.flatMap(({ request }) => request.request.records ?? []),
    ),
    working.readFor(batch.map(({ request }) => request.request)),
    spaces.read(likely.names),
  ]);
  const header = usable(ground.header, location, isolated);
  let { rseq, prev } = header.tip;
  let names: readonly ProjectName[] = ground.projects;
  const recorded: LogEvent[] = [...known.values()];
  const answers: (() => void)[] = [];
  const lines: string[] = [];
  for (const { request, resolve, reject } of batch) {
    let decision: Decision<unknown>;
    try {
      decision = request.decide(
        working.state({
          projects: names,
          records: recordsOf(recorded),
          purged: (id) => ground.subjects.has(purgedSubject(id)),
        }),
      );
    } catch (error) {
      answers.push(() => reject(error));
      continue;
    }
    const { changes, result } = decision;
    await working.know(new Set(changes.map(({ subject }) => subject)));
    let events: readonly LogEvent[];
    let written: readonly string[];
    try {
      events = eventsOf(
        changes,
        { replica: header.replica, rseq, prev, hlc: header.hlc },
        {
          nowMs: clock.nowMs(),
          actor: request.request.actor,
          run: request.request.run,
          ulid: (nowMs) => ids.ulid(nowMs),
          salt: () => ids.salt(),
          headsOf: (subject) => working.get(subject)?.stored.heads ?? [],
        },
      );
      written = events.map((event) => JSON.stringify(event));
    } catch (error) {
      answers.push(() => reject(error));
      continue;
    }
    working.accept(events, await working.evolve(events));
    lines.push(...written);
    const last = events.at(-1);
    if (last) [rseq, prev] = [last.rseq, chainHash(last)];
    header.hlc = events.reduce((hlc, one) => advanceClock(hlc, one, clock.nowMs()), header.hlc);
    names = withNames(names, events);
    recorded.push(...events.filter((event) => recordKindOf(event)));
    answers.push(() => resolve({ result, events, warnings: [] }));
  }
  await writeAll(session, header, working, lines, spaces);
  likely.note(spaces);
  return { answers, events: working.events };
}

/** Log, state and header of what a working set holds. */
export async function writeAll(
  session: Session,
  header: Header,
  working: WorkingSet,
  lines: readonly string[],
  spaces = new SpaceRows(session),
): Promise<void> {
  const { events } = working;
  if (events.length === 0) return;
  writeLog(session, header, events, lines);
  writeTips(session, events);
  await writeProjects(session, events);
  await writeRecords(session, events);
  await writeMemories(session, header, working.touched(), spaces);
  writeHeader(session, header);
}

export async function requireHeader(
  session: Session,
  location: string,
  isolated: boolean,
): Promise<Header> {
  return usable(await readHeader(session), location, isolated);
}

function usable(header: Header | undefined, location: string, isolated: boolean): Header {
  if (!header) {
    throw new LociError(
      'unavailable',
      `${location}: this database is not set up for Loci`,
      `Run: loci setup --store URL`,
    );
  }
  if (header.isolated === isolated) return header;
  throw new LociError(
    'conflict',
    `${location}: another process has switched isolation to ${header.isolated ? 'per-agent' : 'shared'}`,
    'All who use a store must agree: set isolation alike everywhere, then start again.',
  );
}

function recordsOf(events: readonly LogEvent[]): ReadonlyMap<string, StoreRecord> {
  const records = [...latestRecords(events)].map(
    ([subject, { data }]) => [subject, data as StoreRecord] as const,
  );
  return new Map(records);
}

function withNames(
  names: readonly ProjectName[],
  events: readonly LogEvent[],
): readonly ProjectName[] {
  const named = events.filter(({ kind }) => kind === 'project.named');
  if (named.length === 0) return names;
  const byKey = new Map(names.map((one) => [one.key, one]));
  for (const { data } of named) byKey.set((data as ProjectName).key, data as ProjectName);
  return [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}
