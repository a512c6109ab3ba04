import type { Memory } from './memory.ts';

type Placed = Pick<Memory, 'id' | 'turn' | 'created_at'>;

/** Memories without a turn come after those with one, in order of creation. */
export const NO_TURN = 2_000_000_000;

/** Order within a session: by turn, then time, then id; negative when `a` comes first. */
export function compareInSession(a: Placed, b: Placed): number {
  const byTurn = (a.turn ?? NO_TURN) - (b.turn ?? NO_TURN);
  if (byTurn !== 0) return byTurn;
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
