import { LociError } from '../domain/errors.ts';
import { isMemoryEvent, type MemoryEvent } from '../domain/event.ts';
import { deltaOptions } from '../domain/log-options.ts';
import type { DeltaOptions, DeltaResult, FeedHead } from '../domain/log-verbs.ts';
import { parseInput } from '../domain/parse.ts';
import { sees } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import type { Head } from '../ports/engine.ts';
import { currentView } from '../ports/scope.ts';
import { seenOnly } from '../ports/seen-only.ts';

const DEFAULT_LIMIT = 50;

/** Identity of the store and the end of its feed. */
export async function head({ engine }: Deps): Promise<FeedHead> {
  const current = await engine.head();
  const { store, replica, epoch, position } = current;
  return { store, replica, epoch, position, cursor: encode(current, position) };
}

/**
 * The changes after a cursor that the caller sees, in order of local arrival, a page at a time. What
 * was deleted in between leaves gaps and nothing else.
 * @throws LociError invalid_input for what is no cursor; conflict for one of another store, or of one
 * whose log has changed under it
 */
export async function delta(options: DeltaOptions, deps: Deps): Promise<DeltaResult> {
  const { cursor, limit = DEFAULT_LIMIT } = parseInput(deltaOptions, options, 'delta');
  const { engine } = deps;
  const current = await engine.head();
  const view = await currentView(deps);
  const found: MemoryEvent[] = [];
  let position = cursor === undefined ? 0 : positionOf(cursor, current);
  while (found.length < limit) {
    const page = await engine.feed(position, limit - found.length);
    position = page.position;
    if (page.events.length === 0) break;
    for (const event of page.events) {
      if (isMemoryEvent(event) && sees(view, event.data)) found.push(event);
    }
  }
  const seen = await seenOnly(
    found.map(({ data }) => data),
    view,
    engine,
  );
  const changes = found.map(({ id, at, kind, actor, data }) => {
    return { event: id, at, kind, actor, memory: seen.memory(data) };
  });
  const more = (await engine.feed(position, 1)).events.length > 0;
  return { changes, cursor: encode(current, position), more };
}

interface Cursor {
  readonly store: string;
  readonly epoch: string;
  readonly position: number;
}

function encode({ store, epoch }: Head, position: number): string {
  const cursor: Cursor = { store, epoch, position };
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function positionOf(text: string, { store, epoch, position: end }: Head): number {
  const cursor = decode(text);
  const again = 'Read the feed again from its beginning, without a cursor.';
  if (cursor.store !== store) {
    throw new LociError('conflict', `the cursor is of another store, ${cursor.store}`, again);
  }
  if (cursor.epoch !== epoch) {
    const message = 'the cursor is of an earlier epoch: events have vanished from the log since';
    throw new LociError('conflict', message, again);
  }
  if (cursor.position > end) {
    const message = `the cursor is at ${cursor.position}, and the feed ends at ${end}`;
    throw new LociError('conflict', message, again);
  }
  return cursor.position;
}

function decode(text: string): Cursor {
  try {
    const { store, epoch, position } = JSON.parse(
      Buffer.from(text, 'base64url').toString(),
    ) as Partial<Cursor>;
    if (typeof store === 'string' && typeof epoch === 'string' && Number.isSafeInteger(position)) {
      if ((position as number) >= 0) return { store, epoch, position: position as number };
    }
  } catch {
    // Falls through: whatever it was, it is no cursor.
  }
  throw new LociError(
    'invalid_input',
    'cursor is none that head or delta gave out',
    'Pass cursor of the page before, or leave it out to start at the beginning.',
  );
}
