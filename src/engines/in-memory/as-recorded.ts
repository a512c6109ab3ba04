import type { LogEvent } from '../../domain/event.ts';
import type { Engine } from '../../ports/engine.ts';
import { InMemoryEngine, type InMemoryOptions } from './engine.ts';

/** Events read at a time. */
const PAGE = 2000;

/**
 * A store as it was known at a time: the events that were recorded by then, folded. Reads the whole
 * log once, since events of other replicas arrive out of order.
 */
export async function asRecorded(
  store: Pick<Engine, 'feed' | 'isolated'>,
  recordedMs: number,
  sources: Pick<InMemoryOptions, 'clock' | 'ids'>,
): Promise<Engine> {
  const known: LogEvent[] = [];
  for (let after = 0; ;) {
    const { events, position } = await store.feed(after, PAGE);
    for (const event of events) if (Date.parse(event.at) <= recordedMs) known.push(event);
    if (events.length < PAGE) break;
    after = position;
  }
  const past = new InMemoryEngine({ ...sources, isolated: store.isolated });
  await past.merge(known);
  return past;
}
