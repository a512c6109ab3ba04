import { coversOf } from '../../domain/compaction.ts';
import { digestOf, type LogEvent } from '../../domain/event.ts';
import type { Finding } from '../../domain/finding.ts';
import { LogChains } from '../../domain/log-chain.ts';
import { isScrubbedBare } from '../../domain/purge.ts';

/**
 * Checks the events of a log against themselves: digests, each replica's chain and numbering, and
 * whole transactions. Where the log says that events were dropped, they may be missing.
 */
export function checkLog(events: Iterable<LogEvent>): Finding[] {
  const messages: string[] = [];
  const chains = new LogChains();
  const all = [...events];
  for (const event of all) {
    if (!isScrubbedBare(event) && digestOf(event.salt, event.data) !== event.digest) {
      messages.push(`event ${event.id}: its content does not match its digest`);
    }
    chains.add(event);
  }
  return [...messages, ...chains.problems(coversOf(all))].map((message) => ({
    check: 'log',
    severity: 'error',
    message,
    hint: 'Restore events.ndjson from a backup or from git.',
  }));
}
