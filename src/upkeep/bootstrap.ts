import type { BootstrapResult } from '../domain/log-verbs.ts';
import type { Deps } from '../ports/deps.ts';

/** Events read at a time. */
const PAGE = 2000;

/**
 * Gives each memory that is there as a file, and in no event, the event that its history begins with.
 * Opening a store does the same; this looks at every file again, and counts.
 */
export async function bootstrapEvents({ engine }: Deps): Promise<BootstrapResult> {
  const { memories, edits, stateHash, problems } = await engine.reindex();
  let bootstrapped = 0;
  for (let after = 0; ;) {
    const { events, position } = await engine.feed(after, PAGE);
    bootstrapped += events.filter(({ kind, reason }) => {
      return kind === 'memory.stored' && reason === 'added by hand';
    }).length;
    if (events.length < PAGE) break;
    after = position;
  }
  return { memories, bootstrapped, events: edits, state_hash: stateHash, problems };
}
