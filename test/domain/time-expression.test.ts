import { describe, expect, test } from 'vitest';
import { parseTime, stateMs, timeHint } from '../../src/domain/time-expression.ts';
import { zoneNamed } from '../../src/domain/zone.ts';

// A Tuesday; in Midway (-11:00) it is still Monday.
const nowMs = Date.parse('2026-03-10T01:30:00Z');

function read(text: string, zone: string): readonly [start: string, end: string] {
  const expression = parseTime(text);
  if (!expression) throw new Error(`not read: ${text}`);
  const { startMs, endMs } = expression({ nowMs, zone });
  return [startMs, endMs].map((ms) => new Date(ms).toISOString().replace(':00.000Z', 'Z')) as [
    string,
    string,
  ];
}

describe('[C11] a stretch of the calendar, half-open', () => {
  test.each([
    ['today', 'UTC', '2026-03-10T00:00Z', '2026-03-11T00:00Z'],
    ['yesterday', 'UTC', '2026-03-09T00:00Z', '2026-03-10T00:00Z'],
    ['Yesterday ', 'Asia/Kolkata', '2026-03-08T18:30Z', '2026-03-09T18:30Z'],
    ['yesterday', 'Pacific/Midway', '2026-03-08T11:00Z', '2026-03-09T11:00Z'],
    ['yesterday', 'Pacific/Kiritimati', '2026-03-08T10:00Z', '2026-03-09T10:00Z'],
    ['tomorrow', 'UTC', '2026-03-11T00:00Z', '2026-03-12T00:00Z'],
    ['1 day ago', 'UTC', '2026-03-09T00:00Z', '2026-03-10T00:00Z'],
    ['3  days ago', 'UTC', '2026-03-07T00:00Z', '2026-03-08T00:00Z'],
    ['7d', 'UTC', '2026-03-03T00:00Z', '2026-03-04T00:00Z'],
    ['2 weeks ago', 'UTC', '2026-02-24T00:00Z', '2026-02-25T00:00Z'],
    ['1w', 'UTC', '2026-03-03T00:00Z', '2026-03-04T00:00Z'],
    ['1 month ago', 'UTC', '2026-02-10T00:00Z', '2026-02-11T00:00Z'],
    ['2 years ago', 'UTC', '2024-03-10T00:00Z', '2024-03-11T00:00Z'],
    ['this week', 'UTC', '2026-03-09T00:00Z', '2026-03-16T00:00Z'],
    ['last week', 'UTC', '2026-03-02T00:00Z', '2026-03-09T00:00Z'],
    ['last week', 'Pacific/Midway', '2026-03-02T11:00Z', '2026-03-09T11:00Z'],
    ['last month', 'UTC', '2026-02-01T00:00Z', '2026-03-01T00:00Z'],
    ['this month', 'Europe/Berlin', '2026-02-28T23:00Z', '2026-03-31T22:00Z'],
    ['last year', 'UTC', '2025-01-01T00:00Z', '2026-01-01T00:00Z'],
    ['last monday', 'UTC', '2026-03-09T00:00Z', '2026-03-10T00:00Z'],
    ['last tuesday', 'UTC', '2026-03-03T00:00Z', '2026-03-04T00:00Z'],
    ['last Monday', 'Pacific/Midway', '2026-03-02T11:00Z', '2026-03-03T11:00Z'],
    ['2026-03-09', 'UTC', '2026-03-09T00:00Z', '2026-03-10T00:00Z'],
    ['2026-03-09', 'Asia/Kolkata', '2026-03-08T18:30Z', '2026-03-09T18:30Z'],
    ['2026-02', 'UTC', '2026-02-01T00:00Z', '2026-03-01T00:00Z'],
    ['2025', 'UTC', '2025-01-01T00:00Z', '2026-01-01T00:00Z'],
    ['2026-W11', 'UTC', '2026-03-09T00:00Z', '2026-03-16T00:00Z'],
    ['2026-w01', 'UTC', '2025-12-29T00:00Z', '2026-01-05T00:00Z'],
    ['2020-W53', 'UTC', '2020-12-28T00:00Z', '2021-01-04T00:00Z'],
    // 23 hours, 25 hours, a midnight that is skipped, one that comes twice, a day that is skipped.
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00Z', '2018-11-05T02:00Z'],
    ['2025-11-02', 'America/Havana', '2025-11-02T04:00Z', '2025-11-03T05:00Z'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00Z', '2011-12-30T10:00Z'],
  ])('%s in %s', (text, zone, start, end) => {
    expect(read(text, zone)).toEqual([start, end]);
  });
});

describe('[C11] an instant', () => {
  test.each([
    ['now', 'Asia/Kolkata', '2026-03-10T01:30Z'],
    ['2 hours ago', 'Asia/Kolkata', '2026-03-09T23:30Z'],
    ['90 minutes ago', 'UTC', '2026-03-10T00:00Z'],
    ['12h', 'UTC', '2026-03-09T13:30Z'],
    ['2026-03-09T16:00:00+05:30', 'Pacific/Midway', '2026-03-09T10:30Z'],
    ['2026-03-09T16:00Z', 'Pacific/Midway', '2026-03-09T16:00Z'],
    ['2026-03-09 16:00', 'UTC', '2026-03-09T16:00Z'],
    ['2026-03-09T16:00', 'Asia/Kolkata', '2026-03-09T10:30Z'],
    // Shown twice: the first. Skipped: the jump.
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30Z'],
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:00Z'],
  ])('%s in %s', (text, zone, instant) => {
    expect(read(text, zone)).toEqual([instant, instant]);
  });
});

describe('[C11] the state at the end of', () => {
  test.each([
    ['yesterday', '2026-03-09T23:59:59.999Z'],
    ['2026-02', '2026-02-28T23:59:59.999Z'],
    ['today', '2026-03-10T01:30:00.000Z'],
    ['this week', '2026-03-10T01:30:00.000Z'],
    ['2026-03-09T12:00Z', '2026-03-09T12:00:00.000Z'],
  ])('%s', (text, state) => {
    const expression = parseTime(text);
    expect(expression && stateMs(expression, { nowMs, zone: 'UTC' })).toBe(Date.parse(state));
  });
});

test.each([
  '',
  'soon',
  'yesteday',
  '2026-02-30',
  '2026-13',
  '2026-W00',
  '2025-W53',
  '2026-W54',
  'last',
  'last day',
  'next week',
  '1000 days ago',
  '-3 days ago',
  '3 days',
  '30m',
  '1e3d',
  '2026-03-09T25:00',
  '03/09/2026',
  'yesterday or so',
  'last week; DROP TABLE',
  '1773100800000',
])('[C11] no time: %j', (text) => {
  expect(parseTime(text)).toBeUndefined();
});

test.each([
  ['yesteday', 'yesterday'],
  ['last mnday', 'last monday'],
  ['12 dys ago', '12 days ago'],
  ['lastweek', 'last week'],
])('[C11] %j: did you mean %j', (text, meant) => {
  expect(timeHint(text)).toMatch(`Did you mean "${meant}"?`);
  expect(parseTime(meant)).toBeDefined();
});

describe('a zone', () => {
  test.each(['Europe/Berlin', 'Asia/Kolkata', 'America/Argentina/Ushuaia', 'Etc/GMT+5'])(
    'is an IANA name: %s',
    (name) => {
      expect(zoneNamed(` ${name} `)).toBe(name);
    },
  );

  test('UTC in any case', () => {
    expect(['utc', 'Utc', 'UTC'].map((name) => zoneNamed(name))).toEqual(['UTC', 'UTC', 'UTC']);
  });

  test.each([
    ['Europe/Berln', 'Did you mean Europe/Berlin?'],
    ['+05:30', 'Give an IANA name, for example Europe/Berlin or UTC.'],
    ['local', /Give an IANA name|Did you mean/],
    ['', /Give an IANA name|Did you mean/],
  ])('%j is none', (name, hint) => {
    expect(() => zoneNamed(name)).toThrow(
      expect.objectContaining({ code: 'invalid_input', hint: expect.stringMatching(hint) }),
    );
  });
});
