import { LociError, quote } from '../../domain/errors.ts';
import { cutText } from './shorten.ts';
import type { Result } from './text.ts';

/** How `get` pages: whole memories as far as they fit, and a body that is too long piece by piece. */

interface Shown {
  readonly id: string;
  readonly body: string;
  readonly truncated?: boolean;
  readonly history?: readonly unknown[];
}

const memoriesOf = (result: Result): readonly Shown[] => result.memories as readonly Shown[];

export function readOffset(offset: unknown): number {
  const value = Number(offset ?? 0);
  if (Number.isInteger(value) && value >= 0) return value;
  throw new LociError('invalid_input', `offset is ${quote(offset)}: must be a whole number`);
}

/** Bodies from a position on, in UTF-16 units. */
export function fromOffset(result: Result, offset: number): Result {
  if (offset === 0) return result;
  const memories = memoriesOf(result).map((memory) => ({
    ...memory,
    body: memory.body.slice(cutText(memory.body, offset).length),
  }));
  return { ...result, memories };
}

/** The first memories, as many as fit whole; at least one. */
export function whatFits(result: Result, full: (result: Result) => number): Result {
  const memories = memoriesOf(result);
  let count = memories.length;
  let shown = result;
  for (let over = full(shown); over > 1 && count > 1; over = full(shown)) {
    count = Math.max(1, Math.min(count - 1, Math.floor(count / over)));
    shown = { ...result, memories: memories.slice(0, count) };
  }
  return shown;
}

/** What a page leaves out of what was found, and how to get it. */
export function cutNotes(whole: Result, page: Result, offset: number): string[] {
  const all = memoriesOf(whole);
  const shown = memoriesOf(page);
  const notes = shown.flatMap(({ id, body, truncated, history }, i) => {
    const before = all[i];
    const parts: string[] = [];
    if (truncated && before && body.length < before.body.length) {
      const [end, length] = [offset + body.length, offset + before.body.length];
      parts.push(`the body of ${id} is cut at ${end} of ${length}: get it with offset ${end}`);
    }
    const changes = before?.history?.length ?? 0;
    if (history && history.length < changes) {
      parts.push(`the history of ${id} shows the last ${history.length} of ${changes} changes`);
    }
    return parts;
  });
  if (shown.length < all.length) {
    notes.push(
      `these are the first ${shown.length} of ${all.length}; get the others by themselves`,
    );
  }
  return notes;
}
