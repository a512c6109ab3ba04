import type { Diagnosis } from '../finding.ts';
import { isTrusted } from '../lifecycle.ts';
import type { Memory } from '../memory.ts';
import { DAY_MS, liveMemory, newerFirst, outgoingOf, type LintSubjects } from './subjects.ts';

/** A pair of live memories of which one is said to contradict the other. */
interface Contradiction {
  readonly newer: Memory;
  readonly older: Memory;
  /** Of the edge; of two edges the greater one. */
  readonly confidence: number;
}

/** Within an hour two memories come from one conversation: neither is the later word. */
const SAME_TALK_MS = 3_600_000;
/** By the distance in time: how sure it is that the later one is what holds now. */
const SURE_AFTER: readonly (readonly [ms: number, confidence: number])[] = [
  [7 * DAY_MS, 0.95],
  [DAY_MS, 0.9],
  [SAME_TALK_MS, 0.8],
];
/** A later word that is worth less than the earlier one does not replace it by itself. */
const WORTH_LESS = 0.6;
/** Confidence may fall by this much from the older to the newer one. */
const SLACK = 0.1;

export function contradictions(subjects: LintSubjects): readonly Diagnosis[] {
  return contradictory(subjects).map(({ newer, older, confidence }) => ({
    check: 'contradictions',
    severity: 'warning',
    confidence,
    ids: [newer.id, older.id],
    message: `${newer.id} contradicts ${older.id}, and both count as current`,
    fix: `loci relate ${newer.id} supersedes ${older.id}`,
  }));
}

/**
 * Contradictions that time has settled: one side came to be known later, so that it replaces the other.
 * How sure that is grows with the time between them, and is at most that of the edge.
 */
export function supersededUnflagged(subjects: LintSubjects): readonly Diagnosis[] {
  return contradictory(subjects).flatMap((pair): Diagnosis[] => {
    const { newer, older } = pair;
    const gapMs = Date.parse(newer.created_at) - Date.parse(older.created_at);
    const sure = SURE_AFTER.find(([ms]) => gapMs >= ms)?.[1];
    if (sure === undefined) return [];
    const most = isWorthLess(newer, older) ? WORTH_LESS : sure;
    return [
      {
        check: 'superseded_unflagged',
        severity: 'warning',
        confidence: Math.min(pair.confidence, most),
        ids: [newer.id, older.id],
        message: `${newer.id} contradicts ${older.id} and is ${distance(gapMs)} younger: it replaces it`,
        fix: `loci relate ${newer.id} supersedes ${older.id}`,
      },
    ];
  });
}

/** A draft, a source that nobody vouches for, or a guess does not outweigh what was said before. */
function isWorthLess(newer: Memory, older: Memory): boolean {
  return (
    newer.status === 'draft' ||
    (isTrusted(older.source) && !isTrusted(newer.source)) ||
    (newer.observed === 'inferred' && older.observed !== 'inferred') ||
    newer.confidence < older.confidence - SLACK
  );
}

/** Each pair once, by id. */
function contradictory(subjects: LintSubjects): readonly Contradiction[] {
  const pairs = new Map<string, Contradiction>();
  for (const [id, memory] of subjects.memories) {
    const edges = [...outgoingOf(id, subjects), ...(subjects.incoming.get(id) ?? [])];
    for (const { type, source, target, confidence } of edges) {
      if (type !== 'contradicts') continue;
      const other = liveMemory(source === id ? target : source, subjects);
      if (!other) continue;
      const [newer, older] = newerFirst(memory, other);
      const key = `${newer.id} ${older.id}`;
      const known = pairs.get(key)?.confidence ?? 0;
      pairs.set(key, { newer, older, confidence: Math.max(confidence, known) });
    }
  }
  return [...pairs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair);
}

function distance(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  if (days === 0) return `${Math.floor(ms / 3_600_000)} h`;
  return days === 1 ? '1 day' : `${days} days`;
}
