import type { Clock } from '../ports/clock.ts';

/** A clock that stands still until it is told to move. */
export interface TestClock extends Clock {
  set(iso: string): void;
  advance(ms: number): void;
}

export function testClock(start = '2026-03-09T12:00:00.000Z'): TestClock {
  let now = Date.parse(start);
  return {
    nowMs: () => now,
    set(iso) {
      now = Date.parse(iso);
    },
    advance(ms) {
      now += ms;
    },
  };
}
