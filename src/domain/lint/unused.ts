import type { Diagnosis } from '../finding.ts';
import { endsAtMs, type Memory } from '../memory.ts';
import { DAY_MS, daysSince, incomingOf, outgoingOf, type LintSubjects } from './subjects.ts';

/** Days after which a memory that is related to nothing is said. */
const ORPHAN_DAYS = 30;
/** How sure it is that an old memory to which nothing points, and which nobody touched, may go. */
const STALE = 0.95;
/** The same for one that somebody has touched since. */
const STALE_TOUCHED = 0.7;
/** The same for a draft: somebody has yet to look at it. */
const STALE_DRAFT = 0.8;
/** The same where somebody said how long it holds, and that time is not over. */
const STALE_WITH_END = 0.6;
const ORPHAN = 0.5;

/** Old, to which nothing points, outside of the tier that never ages. */
export function stale(subjects: LintSubjects): readonly Diagnosis[] {
  const old = [...subjects.memories.values()].filter(
    (memory) =>
      memory.tier !== 'preferences' &&
      isOlder(memory, subjects.staleDays, subjects) &&
      incomingOf(memory.id, subjects).length === 0,
  );
  return old.map((memory) => ({
    check: 'stale',
    severity: 'warning',
    confidence: staleConfidence(memory, subjects),
    ids: [memory.id],
    message: `${memory.id} is ${daysSince(memory.created_at, subjects)} days old, and nothing points to it`,
    fix: `loci archive ${memory.id}`,
  }));
}

function staleConfidence(memory: Memory, subjects: LintSubjects): number {
  const { nowMs, staleDays } = subjects;
  const ends = endsAtMs(memory);
  if (ends !== Infinity && ends > nowMs) return STALE_WITH_END;
  if (daysSince(memory.updated_at, subjects) < staleDays) return STALE_TOUCHED;
  return memory.status === 'draft' ? STALE_DRAFT : STALE;
}

/** Related to nothing, and no longer new. */
export function orphans(subjects: LintSubjects): readonly Diagnosis[] {
  const alone = [...subjects.memories.values()].filter(
    (memory) =>
      isOlder(memory, ORPHAN_DAYS, subjects) &&
      incomingOf(memory.id, subjects).length === 0 &&
      outgoingOf(memory.id, subjects).length === 0,
  );
  return alone.map(({ id }) => ({
    check: 'orphans',
    severity: 'info',
    confidence: ORPHAN,
    ids: [id],
    message: `${id} is related to no other memory`,
    fix: `loci relate ${id} related_to OTHER`,
  }));
}

function isOlder({ created_at }: Memory, days: number, { nowMs }: LintSubjects): boolean {
  return nowMs - Date.parse(created_at) > days * DAY_MS;
}
