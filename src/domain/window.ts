import type { TimeWindow } from './results.ts';

/**
 * What a read applied, in words: `created from 2026-03-08T18:30:00.000Z until before
 * 2026-03-09T18:30:00.000Z; zone Asia/Kolkata`.
 */
export function windowText({ since, until, as_of, as_recorded, zone }: TimeWindow): string {
  const created = [since && `from ${since}`, until && `until before ${until}`].filter(Boolean);
  const parts = [
    created.length > 0 && `created ${created.join(' ')}`,
    as_of && `what held at ${as_of}`,
    as_recorded && `what was recorded by ${as_recorded}`,
    `zone ${zone}`,
  ];
  return parts.filter(Boolean).join('; ');
}
