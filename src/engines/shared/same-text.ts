import type { Memory } from '../../domain/memory.ts';

/** Whether keyword search would index both alike: text, labels, speaker and place in the session. */
export function sameText(a: Memory, b: Memory): boolean {
  return (
    a.body === b.body &&
    a.title === b.title &&
    a.speaker === b.speaker &&
    a.created_at === b.created_at &&
    sameList(a.tags, b.tags) &&
    sameList(a.paths, b.paths) &&
    !movedInSession(a, b)
  );
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}

/** Whether another memory may come before or after it in a session. */
export function movedInSession(a: Memory, b: Memory): boolean {
  return a.session_id !== b.session_id || a.turn !== b.turn || a.created_at !== b.created_at;
}
