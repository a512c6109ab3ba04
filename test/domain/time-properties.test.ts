import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTime, type Span } from '../../src/domain/time-expression.ts';
import { toIso } from '../../src/domain/time.ts';

const zone = fc.constantFrom('UTC', ...Intl.supportedValuesOf('timeZone'));
// Until 2011 a few Canadian zones set their clocks back at a minute past midnight: a date came, went
// and came again.
const instant = fc.integer({ min: Date.parse('2012-01-01'), max: Date.parse('2038-01-01') });
const RUNS = { numRuns: 3000, seed: 20_260_309 };

function span(text: string, nowMs: number, inZone: string): Span {
  const expression = parseTime(text);
  if (!expression) throw new Error(`not read: ${text}`);
  return expression({ nowMs, zone: inZone });
}

/** The date that clocks in a zone show, by the shortest way there is. */
function dateIn(inZone: string, ms: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: inZone, dateStyle: 'short' }).format(ms);
}

test('[C11] days in any zone are half-open, adjacent, and cover all time', () => {
  const property = fc.property(zone, instant, (inZone, nowMs) => {
    const [before, today, after] = ['yesterday', 'today', 'tomorrow'].map((word) =>
      span(word, nowMs, inZone),
    ) as [Span, Span, Span];
    expect(today.startMs).toBeLessThanOrEqual(nowMs);
    expect(today.endMs).toBeGreaterThan(nowMs);
    expect(before.endMs).toBe(today.startMs);
    expect(after.startMs).toBe(today.endMs);
  });
  fc.assert(property, RUNS);
});

test('[C11] a day begins with the first instant at which clocks show its date', () => {
  const property = fc.property(zone, instant, (inZone, nowMs) => {
    const date = dateIn(inZone, nowMs);
    const today = span('today', nowMs, inZone);
    expect(span(date, 0, inZone)).toEqual(today);
    expect(dateIn(inZone, today.startMs)).toBe(date);
    expect(dateIn(inZone, today.startMs - 1) < date).toBe(true);
  });
  fc.assert(property, RUNS);
});

test('[C11] weeks and months begin and end with days', () => {
  const property = fc.property(zone, instant, (inZone, nowMs) => {
    for (const unit of ['week', 'month', 'year']) {
      const { startMs, endMs } = span(`this ${unit}`, nowMs, inZone);
      expect(span(`last ${unit}`, nowMs, inZone).endMs).toBe(startMs);
      expect(span('today', startMs, inZone).startMs).toBe(startMs);
      expect(span('today', endMs, inZone).startMs).toBe(endMs);
      expect(startMs <= nowMs && nowMs < endMs).toBe(true);
    }
  });
  fc.assert(property, { ...RUNS, numRuns: 500 });
});

test('[C11] a time with a zone of its own is the same in every zone', () => {
  const property = fc.property(zone, instant, (inZone, ms) => {
    expect(span(toIso(ms), 0, inZone)).toEqual({ startMs: ms, endMs: ms });
  });
  fc.assert(property, RUNS);
});

test('[C11] what a clock shows leads back to a time at which it shows that', () => {
  const property = fc.property(zone, instant, (inZone, ms) => {
    const shown = new Intl.DateTimeFormat('sv-SE', {
      timeZone: inZone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    const text = shown.format(ms);
    const { startMs } = span(text, 0, inZone);
    expect(shown.format(startMs)).toBe(text);
    expect(startMs).toBeLessThanOrEqual(ms);
  });
  fc.assert(property, RUNS);
});
