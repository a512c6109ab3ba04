import { isMemoryEvent, type LogEvent, type ProjectName } from '../event.ts';
import { recordKindOf, type StoreRecord } from '../record.ts';

/** The project that an event speaks of; undefined for one whose content was purged. */
export function projectOf(event: LogEvent): string | undefined {
  if (event.data === null) return undefined;
  if (isMemoryEvent(event)) return event.data.project;
  if (event.kind === 'project.named') return (event.data as ProjectName).name;
  return recordKindOf(event) ? (event.data as StoreRecord).project : undefined;
}
