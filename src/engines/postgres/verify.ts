import type { LogEvent } from '../../domain/event.ts';
import { foldAll } from '../../domain/evolve.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Memory } from '../../domain/memory.ts';
import { foldEntities } from '../../domain/record.ts';
import { StateHasher, stateHash } from '../../domain/state-hash.ts';
import { VIEW_ALL } from '../../domain/view.ts';
import type { RebuildReport, Verification } from '../../ports/log-life.ts';
import { checkEvidence } from '../shared/check-evidence.ts';
import { checkLog } from '../shared/check-log.ts';
import type { Session } from './driver.ts';
import { countEvents, countMemories, eventPages, memoryPages, readRecords } from './reader.ts';

/** Checks log and evidence, and that the state is what the log folds to. */
export async function verifyStore(session: Session): Promise<Verification> {
  const events: LogEvent[] = [];
  for await (const page of eventPages(session, 2000)) events.push(...page);
  const memories: Memory[] = [];
  for await (const page of memoryPages(session)) memories.push(...page);
  const blobs = await session.query('SELECT sha256 FROM evidence');
  const known = new Set(blobs.map((row) => row['sha256'] as string));
  const problems = [...checkLog(events), ...checkEvidence(memories, (one) => known.has(one))];
  const hash = stateHash(memories, await readRecords(session, 'entity', VIEW_ALL));
  if (stateHash(foldAll(events), foldEntities(events)) !== hash) problems.push(DIFFERS);
  const of = (check: string): boolean => !problems.some((problem) => problem.check === check);
  return { stateHash: hash, logOk: of('log'), filesOk: true, indexOk: of('index'), problems };
}

const DIFFERS: Finding = {
  check: 'index',
  severity: 'error',
  message: 'the state differs from what the log says',
  hint: 'Run: loci reindex',
};

export async function hashOf(session: Session): Promise<string> {
  const hasher = new StateHasher();
  for await (const page of memoryPages(session)) {
    for (const memory of page as readonly Memory[]) hasher.add(memory);
  }
  for (const entity of await readRecords(session, 'entity', VIEW_ALL)) hasher.addEntity(entity);
  return hasher.digest();
}

export async function rebuildReport(session: Session): Promise<RebuildReport> {
  const [memories, events, hash] = await Promise.all([
    countMemories(session),
    countEvents(session),
    hashOf(session),
  ]);
  return { memories, events, edits: 0, written: 0, stateHash: hash, problems: [] };
}
