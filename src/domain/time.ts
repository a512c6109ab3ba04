const FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** A written date or date-time. */
export interface IsoTime {
  /** `day`: a date alone; `local`: a time without a zone; `instant`: one with it. */
  readonly precision: 'day' | 'local' | 'instant';
  /** Milliseconds since the epoch; of what has no zone, as if it were UTC. */
  readonly ms: number;
}

/** Reads an ISO 8601 date or date-time. Undefined when it is no real one. */
export function parseIso(text: string): IsoTime | undefined {
  const found = FORM.exec(text.trim());
  if (!found) return undefined;
  const [, year, month, day, hour, minute = '00', second = '00', fraction, zone] = found;
  const ms = (fraction ?? '').slice(0, 3).padEnd(3, '0');
  const offset = !zone || /^z$/i.test(zone) ? 'Z' : zone.replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2');
  const clock = `${hour ?? '00'}:${minute}:${second}.${ms}`;
  const instant = Date.parse(`${year}-${month}-${day}T${clock}${offset}`);
  if (Number.isNaN(instant)) return undefined;
  // Date.parse rolls 2026-02-30 over into March on some engines; a date must name itself.
  const dayOnly = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (dayOnly.getUTCDate() !== Number(day)) return undefined;
  return { precision: hour === undefined ? 'day' : zone ? 'instant' : 'local', ms: instant };
}

/**
 * Reads a time as files and data sets hold it: without a zone it is UTC, whatever the machine's
 * zone is, so that they mean the same everywhere; a date alone is its first instant.
 * @returns milliseconds since the epoch, or undefined when it is no real date.
 */
export function parseInstant(text: string): number | undefined {
  return parseIso(text)?.ms;
}

/** Milliseconds as the ISO form that memories carry. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
