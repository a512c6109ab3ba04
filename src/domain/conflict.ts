import { differenceOf, type Claim } from './claims.ts';
import { LINK } from './graph/links.ts';
import { endsAtMs, startsAtMs, type Memory } from './memory.ts';
import { rarePairs } from './rare-pairs.ts';
import { NEAR_DUPLICATE } from './relation.ts';

/** Memories that cannot all hold, or two versions of one; flagged, never settled by itself. */
export interface Conflict {
  /** What `resolve` is given: an id of a memory, or two of them with a plus between. */
  readonly id: string;
  /**
   * edits: one memory was changed in two places at once. stated: an edge says so. texts: their
   * words say so. noted: somebody wrote a memory of type conflict.
   */
  readonly kind: 'edits' | 'stated' | 'texts' | 'noted';
  readonly ids: readonly string[];
  readonly reason: string;
  /** 0 to 1. */
  readonly confidence: number;
}

/** What is read of a memory to compare it. */
export interface Compared {
  readonly memory: Memory;
  readonly claims: readonly Claim[];
}

/** Edges that say how two memories go together: then they are no conflict. */
const AGREED = new Set(['supports', 'supersedes', 'extends', 'evolved_into', 'depends_on']);
/** The origin of edges that somebody put in the place of a conflict. */
export const RESOLVED = 'resolved';
/** Types that claim nothing, or not what holds now. */
const NO_CLAIM = new Set(['open_question', 'episode', 'conflict']);

/** Whether what a memory says is compared with others: what was said in a talk is no claim. */
export function isCompared({ type, tier, turn }: Memory): boolean {
  return !NO_CLAIM.has(type) && tier !== 'conversations' && turn === undefined;
}

/**
 * The memories that a note of a conflict sets against each other: those that it was given, not those
 * that its text only links to or that say nearly the same.
 */
export function sidesOf({ relations }: Memory): string[] {
  const given = relations.filter(({ origin }) => origin !== LINK && origin !== NEAR_DUPLICATE);
  return [...new Set(given.map(({ target }) => target))];
}

function pairId(a: string, b: string): string {
  return a < b ? `${a}+${b}` : `${b}+${a}`;
}

/** Conflicts that `contradicts` edges state between memories that are live. */
export function statedConflicts(live: ReadonlyMap<string, Memory>): readonly Conflict[] {
  const found = new Map<string, Conflict>();
  for (const memory of live.values()) {
    for (const { type, target, confidence, origin } of memory.relations) {
      if (type !== 'contradicts' || !live.has(target)) continue;
      const id = pairId(memory.id, target);
      if ((found.get(id)?.confidence ?? 0) >= confidence) continue;
      const reason = `${memory.id} contradicts ${target} (${origin})`;
      found.set(id, { id, kind: 'stated', ids: id.split('+'), reason, confidence });
    }
  }
  return [...found.values()];
}

/** Conflicts that the words of memories of one project and drawer show. */
export function textConflicts(compared: readonly Compared[]): readonly Conflict[] {
  const claims = compared.flatMap(({ memory, claims: own }) =>
    own.map((claim) => ({ memory, claim })),
  );
  const found = new Map<string, Conflict>();
  for (const [i, j] of rarePairs(claims.map(({ claim }) => claim.words))) {
    const [a, b] = [claims[i], claims[j]] as [(typeof claims)[0], (typeof claims)[0]];
    if (a.memory === b.memory || !mayConflict(a.memory, b.memory)) continue;
    const difference = differenceOf(a.claim, b.claim);
    const id = pairId(a.memory.id, b.memory.id);
    if (!difference || (found.get(id)?.confidence ?? 0) >= difference.confidence) continue;
    const { sides, confidence } = difference;
    const reason = `${a.memory.id} says ${sides[0]}, ${b.memory.id} says ${sides[1]}`;
    found.set(id, { id, kind: 'texts', ids: id.split('+'), reason, confidence });
  }
  return [...found.values()];
}

/** Whether nothing says that both may stand: edges, or that they hold at different times. */
export function mayConflict(a: Memory, b: Memory): boolean {
  const meets = startsAtMs(a) < endsAtMs(b) && startsAtMs(b) < endsAtMs(a);
  return meets && !isSettled(a, b) && !isSettled(b, a);
}

function isSettled(a: Memory, b: Memory): boolean {
  return a.relations.some(
    ({ target, type, origin }) => target === b.id && (AGREED.has(type) || origin === RESOLVED),
  );
}

/** Surest first, ties by id. */
export function inOrderOfConfidence<T extends { confidence: number; id: string }>(
  list: readonly T[],
): readonly T[] {
  return [...list].sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1));
}
