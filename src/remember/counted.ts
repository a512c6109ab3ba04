import { renderBlock } from '../domain/block.ts';
import type { Change } from '../domain/change.ts';
import { isMemoryEvent, type LogEvent } from '../domain/event.ts';
import type { Memory } from '../domain/memory.ts';
import type { Tokens } from '../ports/tokens.ts';

/** A change with the tokens of what recall will render, so that no read has to count them. */
export function counted(change: Change, tokens: Tokens): Change {
  if (change.tokens !== undefined) return change;
  return { ...change, tokens: tokens.count(renderBlock(change.data as Memory)) };
}

/** The memories that events left without a count. */
export function subjectsOf(events: readonly LogEvent[]): string[] {
  return events
    .filter((event) => isMemoryEvent(event) && event.tokens === undefined)
    .map(({ subject }) => subject);
}
