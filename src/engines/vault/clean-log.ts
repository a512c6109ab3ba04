import type { LogEvent } from '../../domain/event.ts';
import { namesPurged, purgedAmong, scrub } from '../../domain/purge.ts';
import { NOTHING_READ, type LogPart } from './log-file.ts';
import type { Vault } from './vault.ts';

/** Events of a log that say what its own tombstones say is gone: git has joined two versions of it. */
export function uncleanEvents({ events, repeated }: LogPart): readonly LogEvent[] {
  const purged = purgedAmong(events);
  return [...events, ...repeated].filter((event) => scrub(event, purged) !== event);
}

/** The whole log, after what its tombstones name was taken out of it. */
export function readCleanLog(vault: Vault): LogPart {
  const whole = vault.log.readFrom(NOTHING_READ);
  if (uncleanEvents(whole).length === 0) return whole;
  vault.mend(whole);
  const purged = purgedAmong(whole.events);
  vault.log.rewrite((line, event) => scrubbedLine(line, event, purged));
  return vault.log.readFrom(NOTHING_READ);
}

/** A line without what was purged; undefined when nothing of it can be kept. */
export function scrubbedLine(
  line: string,
  event: LogEvent | undefined,
  purged: ReadonlySet<string>,
): string | undefined {
  if (!event) return namesPurged(line, purged) ? undefined : line;
  const scrubbed = scrub(event, purged);
  return scrubbed === event ? line : JSON.stringify(scrubbed);
}
