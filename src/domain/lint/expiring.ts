import type { Diagnosis } from '../finding.ts';
import { endsAtMs } from '../memory.ts';
import { DAY_MS, type LintSubjects } from './subjects.ts';

/** What stops holding soon, and what has stopped and is still there. */
export function expiring(subjects: LintSubjects): readonly Diagnosis[] {
  const { memories, nowMs, expiringDays } = subjects;
  return [...memories.values()].flatMap((memory): Diagnosis[] => {
    const ends = endsAtMs(memory);
    if (ends > nowMs + expiringDays * DAY_MS) return [];
    const { id } = memory;
    const found = { check: 'ttl_warnings', confidence: 1, ids: [id] } as const;
    const day = new Date(ends).toISOString().slice(0, 10);
    if (ends <= nowMs) {
      const message = `the time of ${id} was over on ${day}`;
      return [{ ...found, severity: 'warning', message, fix: 'loci gc' }];
    }
    const left = Math.ceil((ends - nowMs) / DAY_MS);
    const message = `the time of ${id} is over on ${day}, in ${left === 1 ? '1 day' : `${left} days`}`;
    const fix =
      memory.ttl_days === undefined
        ? `loci update ${id} --valid-to TIME`
        : `loci update ${id} --ttl-days ${Math.ceil(memory.ttl_days) + 90}`;
    return [{ ...found, severity: 'info', message, fix }];
  });
}
