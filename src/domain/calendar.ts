import { DAY_MS } from './zone.ts';

export type CalendarUnit = 'day' | 'week' | 'month' | 'year';

/**
 * Arithmetic on what a clock on the wall shows (see `wallAt`): every day has 24 hours there,
 * whatever the zone does. Weeks are those of ISO 8601 and begin on Monday.
 */
export function floorTo(unit: CalendarUnit, wallMs: number): number {
  const day = Math.floor(wallMs / DAY_MS) * DAY_MS;
  if (unit === 'day') return day;
  if (unit === 'week') return day - weekdayOf(day) * DAY_MS;
  const date = new Date(day);
  date.setUTCDate(1);
  if (unit === 'year') date.setUTCMonth(0);
  return date.getTime();
}

/** Days since Monday. 1 January 1970 was a Thursday. */
export function weekdayOf(wallMs: number): number {
  return (((Math.floor(wallMs / DAY_MS) + 3) % 7) + 7) % 7;
}

/** The same day some units later; one that a month does not have is its last. */
export function addUnits(unit: CalendarUnit, wallMs: number, count: number): number {
  if (unit === 'day' || unit === 'week') return wallMs + count * (unit === 'day' ? 1 : 7) * DAY_MS;
  const date = new Date(wallMs);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count * (unit === 'month' ? 1 : 12));
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}
