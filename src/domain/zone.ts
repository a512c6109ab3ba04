import { LociError, quote } from './errors.ts';
import { nearestOf } from './parse.ts';

/** The zone when none is named: never the machine's, so that an answer is the same everywhere. */
export const UTC = 'UTC';

export const DAY_MS = 86_400_000;

/**
 * An IANA zone that somebody named.
 * @throws LociError invalid_input with the nearest name
 */
export function zoneNamed(text: string, field = 'zone'): string {
  const name = text.trim();
  if (/^utc$/i.test(name)) return UTC;
  // Offsets such as +05:30 are accepted by some versions of Node only.
  if (/^[A-Za-z]/.test(name) && isZone(name)) return name;
  const near = nearestOf(name, [UTC, ...Intl.supportedValuesOf('timeZone')]);
  throw new LociError(
    'invalid_input',
    `${field} is ${quote(text)}`,
    near ? `Did you mean ${near}?` : 'Give an IANA name, for example Europe/Berlin or UTC.',
  );
}

function isZone(name: string): boolean {
  try {
    return clockOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** Making one takes a hundred times as long as asking it. */
const CLOCKS = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = CLOCKS.get(zone);
  if (!clock) {
    const [number, calendar] = ['numeric', 'gregory'] as const;
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar,
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: number,
      month: number,
      day: number,
      hour: number,
      minute: number,
      second: number,
    });
    CLOCKS.set(zone, clock);
  }
  return clock;
}

/**
 * What clocks in a zone show at an instant, as the milliseconds at which a clock in UTC shows the
 * same: calendar arithmetic is done on these.
 */
export function wallAt(instantMs: number, zone: string): number {
  if (zone === UTC) return instantMs;
  const parts = new Map(
    clockOf(zone)
      .formatToParts(instantMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const wall = new Date(0);
  wall.setUTCFullYear(of('year'), of('month') - 1, of('day'));
  wall.setUTCHours(of('hour'), of('minute'), of('second'));
  return wall.getTime() + (((instantMs % 1000) + 1000) % 1000);
}

/**
 * The first instant at which clocks in a zone show this time. One that they show twice means the
 * first time; one that they skip means the instant of the jump.
 */
export function instantAt(wallMs: number, zone: string): number {
  if (zone === UTC) return wallMs;
  const offsets = [wallMs - DAY_MS, wallMs + DAY_MS].map((near) => wallAt(near, zone) - near);
  let low = wallMs - Math.max(...offsets);
  let high = wallMs - Math.min(...offsets);
  for (const candidate of [low, high]) if (wallAt(candidate, zone) === wallMs) return candidate;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (wallAt(middle, zone) >= wallMs) high = middle;
    else low = middle;
  }
  return high;
}
