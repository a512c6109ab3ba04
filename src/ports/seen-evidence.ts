import { SHA256_HEX } from '../domain/evidence.ts';
import { isMemoryEvent } from '../domain/event.ts';
import { sees } from '../domain/view.ts';
import type { Deps } from './deps.ts';
import { currentView } from './scope.ts';
import { selectAll } from './select-all.ts';

/** Events read at a time. */
const PAGE = 2000;

/**
 * A blob by its SHA-256, for those who see a memory that names it, or has named it; to all others it is
 * not there. Whoever may not read it cannot take it over by its hash either.
 */
export async function evidenceSeen(sha256: string, deps: Deps): Promise<Uint8Array | undefined> {
  if (!SHA256_HEX.test(sha256)) return undefined;
  const bytes = await deps.engine.evidence(sha256);
  return bytes && (await isNamed(sha256, deps)) ? bytes : undefined;
}

async function isNamed(sha256: string, deps: Deps): Promise<boolean> {
  const { engine } = deps;
  const view = await currentView(deps);
  for await (const { memory } of selectAll(view, {}, deps)) {
    if (memory.evidence.includes(sha256)) return true;
  }
  for (let after = 0; ;) {
    const { events, position } = await engine.feed(after, PAGE);
    for (const event of events) {
      if (!isMemoryEvent(event) || !event.data.evidence.includes(sha256)) continue;
      if (sees(view, event.data)) return true;
    }
    if (events.length < PAGE) return false;
    after = position;
  }
}
