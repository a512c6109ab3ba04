import { addUnits, floorTo, weekdayOf, type CalendarUnit } from './calendar.ts';
import { nearestOf } from './parse.ts';
import { parseIso } from './time.ts';
import { DAY_MS, instantAt, wallAt } from './zone.ts';

/** When and where a time is read: what "yesterday" counts from. */
export interface Moment {
  readonly nowMs: number;
  /** IANA name. */
  readonly zone: string;
}

/** Half-open, in milliseconds since the epoch; an instant starts and ends at once. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** A time that somebody wrote: a day, week, month, year or instant, definite once it is read. */
export type TimeExpression = (moment: Moment) => Span;

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const UNITS = ['day', 'week', 'month', 'year'] as const;
const CLOCK_MS = { hour: 3_600_000, minute: 60_000 } as const;
const SHORT = { h: 'hour', d: 'day', w: 'week' } as const;
const DAYS_FROM_TODAY = { yesterday: -1, today: 0, tomorrow: 1 } as const;

/** Every form beside ISO dates and times. Numbers are small enough for any calendar. */
const FORMS: readonly (readonly [RegExp, (found: readonly string[]) => TimeExpression])[] = [
  [/^now$/, () => ago(0)],
  [
    /^(yesterday|today|tomorrow)$/,
    ([, word]) => daysAway(DAYS_FROM_TODAY[word as keyof typeof DAYS_FROM_TODAY]),
  ],
  [/^(\d{1,3}) (hour|minute|day|week|month|year)s? ago$/, ([, n, unit]) => back(Number(n), unit)],
  [/^(\d{1,3})([hdw])$/, ([, n, unit]) => back(Number(n), SHORT[unit as keyof typeof SHORT])],
  [/^this (week|month|year)$/, ([, unit]) => around(unit as CalendarUnit, 0)],
  [/^last (week|month|year)$/, ([, unit]) => around(unit as CalendarUnit, -1)],
  [
    /^last (monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/,
    ([, day = '']) => lastWeekday(WEEKDAYS.indexOf(day)),
  ],
];

/** What a slip of the pen is compared with; N stands for a number. */
const WORDS = [
  'now',
  ...Object.keys(DAYS_FROM_TODAY),
  ...UNITS.slice(1).flatMap((unit) => [`this ${unit}`, `last ${unit}`]),
  ...WEEKDAYS.map((day) => `last ${day}`),
  ...[...Object.keys(CLOCK_MS), ...UNITS].map((unit) => `N ${unit}s ago`),
];

/** Reads a time: ISO 8601, or one of the words of docs/time.md. Undefined when it is neither. */
export function parseTime(text: string): TimeExpression | undefined {
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ');
  for (const [form, read] of FORMS) {
    const found = form.exec(words);
    if (found) return read(found);
  }
  return isoDate(words) ?? isoPeriod(words);
}

/**
 * The instant for which a state is asked: a day, week, month or year is meant as a whole, so its
 * last millisecond, or now while it lasts.
 */
export function stateMs(expression: TimeExpression, moment: Moment): number {
  const { startMs, endMs } = expression(moment);
  if (startMs === endMs) return startMs;
  return startMs <= moment.nowMs && moment.nowMs < endMs ? moment.nowMs : endMs - 1;
}

/** What to write instead of a time that cannot be read. */
export function timeHint(text: string): string {
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ');
  const numbers = words.match(/\d+/g) ?? [];
  const near = nearestOf(words.replace(/\d+/, 'N'), WORDS)?.replace('N', numbers[0] ?? '3');
  const known =
    'Give ISO 8601 (2026-03-09, 2026-03-09T16:00:00Z), 2026-03, 2026-W11, now, today, ' +
    'yesterday, 3 days ago, 7d, last week or last monday.';
  return near && near !== words ? `Did you mean "${near}"? ${known}` : known;
}

function isoDate(words: string): TimeExpression | undefined {
  const iso = parseIso(words);
  if (!iso) return undefined;
  const { precision, ms } = iso;
  if (precision === 'instant') return () => ({ startMs: ms, endMs: ms });
  if (precision === 'day') return period('day', () => ms);
  return ({ zone }) => {
    const instant = instantAt(ms, zone);
    return { startMs: instant, endMs: instant };
  };
}

/** `2026`, `2026-03`, `2026-W11`. */
function isoPeriod(words: string): TimeExpression | undefined {
  const found = /^(\d{4})(?:-(?:(\d{2})|w(\d{2})))?$/.exec(words);
  if (!found) return undefined;
  const [, year, month, week] = found;
  const first = parseIso(`${year}-${month ?? '01'}-01`)?.ms;
  if (first === undefined) return undefined;
  if (week === undefined) return period(month === undefined ? 'year' : 'month', () => first);
  // The week of 4 January is the first; the last one still has its Thursday in the year.
  const start = floorTo('week', first + 3 * DAY_MS) + (Number(week) - 1) * 7 * DAY_MS;
  const thursday = new Date(start + 3 * DAY_MS).getUTCFullYear();
  return thursday === Number(year) && week !== '00' ? period('week', () => start) : undefined;
}

/** A stretch of the calendar, from what the clock on the wall shows when it begins. */
function period(unit: CalendarUnit, startOf: (todayWall: number) => number): TimeExpression {
  return ({ nowMs, zone }) => {
    const start = startOf(floorTo('day', wallAt(nowMs, zone)));
    return {
      startMs: instantAt(start, zone),
      endMs: instantAt(addUnits(unit, start, 1), zone),
    };
  };
}

function daysAway(days: number): TimeExpression {
  return period('day', (today) => today + days * DAY_MS);
}

function around(unit: CalendarUnit, count: number): TimeExpression {
  return period(unit, (today) => addUnits(unit, floorTo(unit, today), count));
}

function lastWeekday(weekday: number): TimeExpression {
  return period('day', (today) => {
    const days = (weekdayOf(today) - weekday + 7) % 7 || 7;
    return today - days * DAY_MS;
  });
}

/** Hours and minutes ago are an instant, days and more a day. */
function back(count: number, unit: string | undefined): TimeExpression {
  if (unit === 'hour' || unit === 'minute') return ago(count * CLOCK_MS[unit]);
  return period('day', (today) => addUnits(unit as CalendarUnit, today, -count));
}

function ago(ms: number): TimeExpression {
  return ({ nowMs }) => ({ startMs: nowMs - ms, endMs: nowMs - ms });
}
