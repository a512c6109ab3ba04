import { compareEvents, type LogEvent } from './event.ts';

/**
 * What the log keeps beside memories: runs of upkeep, proposals that wait for a person, and
 * entities with their aliases.
 */
export const RECORD_KINDS = ['run', 'proposal', 'entity'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];
export type RecordEventKind = `${RecordKind}.recorded`;

/** A full snapshot of one of them; keys are spelled as in the JSON of every surface. */
export interface StoreRecord {
  readonly id: string;
  readonly project: string;
  /** Whose drawer it belongs to; absent = shared. */
  readonly agent?: string;
  readonly [key: string]: unknown;
}

/** The subject of a record's events. */
export function recordSubject(kind: RecordKind, id: string): string {
  return `${kind}:${id}`;
}

/** The kind of the record that an event is about; undefined for other events. */
export function recordKindOf(event: Pick<LogEvent, 'kind'>): RecordKind | undefined {
  return RECORD_KINDS.find((kind) => event.kind === `${kind}.recorded`);
}

/** The event that holds of each record, by subject. */
export function latestRecords(events: Iterable<LogEvent>): Map<string, LogEvent> {
  const latest = new Map<string, LogEvent>();
  for (const event of events) {
    if (!recordKindOf(event) || !outranks(event, latest.get(event.subject))) continue;
    latest.set(event.subject, event);
  }
  return latest;
}

/** The entities that events leave behind. */
export function foldEntities(events: Iterable<LogEvent>): StoreRecord[] {
  return [...latestRecords(events).values()]
    .filter((event) => recordKindOf(event) === 'entity')
    .map(({ data }) => data as StoreRecord);
}

/** Whether an event says more than the one a record is known by: of two the later one holds. */
export function outranks(event: LogEvent, known: LogEvent | undefined): boolean {
  return known === undefined || compareEvents(known, event) < 0;
}
