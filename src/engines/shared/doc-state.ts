import { STATUSES, TIERS, type Status, type Tier } from '../../domain/lifecycle.ts';
import { endsAtMs, startsAtMs, type Memory } from '../../domain/memory.ts';
import type { Filter } from '../../domain/view.ts';

const TIMED = 1 << 5;
const EPISODE = 1 << 6;

/**
 * One byte a document, so that a search can drop most of what the filter does not want without
 * reading a row: 0 = replaced; bits 0–2 status (from 1), 3–4 tier, 5 has a validity interval or a
 * time to live, 6 episode.
 */
export function stateByte(memory: Memory): number {
  const timed = startsAtMs(memory) !== -Infinity || endsAtMs(memory) !== Infinity;
  return (
    (STATUSES.indexOf(memory.status) + 1) |
    (TIERS.indexOf(memory.tier) << 3) |
    (timed ? TIMED : 0) |
    (memory.type === 'episode' ? EPISODE : 0)
  );
}

/** Whether a document has a validity interval or a time to live, which must be looked up. */
export function isTimed(state: number): boolean {
  return (state & TIMED) !== 0;
}

/**
 * For each state byte whether a filter lets it through, times of validity left aside; undefined
 * where the byte does not tell.
 */
export function verdictsOf(filter: Filter): Uint8Array | undefined {
  const { statuses, tiers, notTypes, validAtMs: _validAtMs, ...rest } = filter;
  if (notTypes !== undefined && notTypes.join() !== 'episode') return undefined;
  if (Object.values(rest).some((value) => value !== undefined)) return undefined;
  const verdicts = new Uint8Array(256);
  for (let state = 1; state < 256; state++) {
    const wanted =
      (!statuses || statuses.includes(statusOf(state))) &&
      (!tiers || tiers.includes(tierOf(state))) &&
      (!notTypes || (state & EPISODE) === 0);
    verdicts[state] = wanted ? 1 : 0;
  }
  return verdicts;
}

function statusOf(state: number): Status {
  return STATUSES[(state & 7) - 1] as Status;
}

function tierOf(state: number): Tier {
  return TIERS[(state >> 3) & 3] as Tier;
}
