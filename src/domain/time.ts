import { LociError, quote } from './errors.ts';

const FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Reads an ISO 8601 date or date-time. A time without a zone is UTC, whatever the machine's zone
 * is, so that a store answers the same everywhere; a date alone is its first instant.
 * @returns milliseconds since the epoch, or undefined when it is no real date.
 */
export function parseInstant(text: string): number | undefined {
  const found = FORM.exec(text.trim());
  if (!found) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction, zone] = found;
  const ms = (fraction ?? '').slice(0, 3).padEnd(3, '0');
  const offset = !zone || /^z$/i.test(zone) ? 'Z' : zone.replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2');
  const instant = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}${offset}`);
  if (Number.isNaN(instant)) return undefined;
  // Date.parse rolls 2026-02-30 over into March on some engines; a date must name itself.
  const dayOnly = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return dayOnly.getUTCDate() === Number(day) ? instant : undefined;
}

/** Milliseconds as the ISO form that memories carry. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

/** The canonical form of a time that a caller gave, or an error that names the field. */
export function normaliseTime(text: string, field: string): string {
  const instant = parseInstant(text);
  if (instant === undefined) {
    throw new LociError(
      'invalid_input',
      `${field} is not a date or time: ${quote(text)}`,
      'Give ISO 8601, for example 2026-03-09 or 2026-03-09T16:00:00Z (UTC when no zone is given).',
    );
  }
  return toIso(instant);
}
