import { compareTexts } from '../hygiene/likeness.ts';
import { looseForm } from '../hygiene/loose-form.ts';
import { isTrusted } from '../lifecycle.ts';
import { endsAtMs, type Memory } from '../memory.ts';
import type { Draft } from './draft.ts';
import type { Working } from './working.ts';

/** Candidates that are compared word by word: those that share most keys. */
const MOST_COMPARED = 3;

export interface NearDuplicate {
  readonly memory: Memory;
  /** `same`: it says the same and can take the new one in. */
  readonly likeness: 'same' | 'related';
  /** Share of common words, 0 to 1. */
  readonly score: number;
}

/**
 * Whether memories of this kind are compared by likeness. What was said in a conversation is a record:
 * two people who say thanks are two turns.
 */
export function isComparable({ type, turn, speaker }: Partial<Memory>): boolean {
  return type !== 'episode' && turn === undefined && speaker === undefined;
}

/** The memory of the same project and drawer that a new one is most like; undefined if there is none. */
export function nearDuplicate(
  working: Working,
  created: Memory,
  draft: Draft,
  nowMs: number,
): NearDuplicate | undefined {
  if (!isComparable(created)) return undefined;
  const candidates = candidatesOf(working, created, draft, nowMs);
  if (candidates.length === 0) return undefined;
  const text = working.compared(created.body);
  let best: NearDuplicate | undefined;
  for (const memory of candidates) {
    const { likeness, score } = compareTexts(text, working.compared(memory.body));
    if (likeness === 'different') continue;
    if (likeness === 'same' && canTakeIn(memory, created, draft)) {
      return { memory, likeness, score };
    }
    if (score > (best?.score ?? 0)) best = { memory, likeness: 'related', score };
  }
  return best;
}

function candidatesOf(
  working: Working,
  created: Memory,
  { supersedes }: Draft,
  nowMs: number,
): readonly Memory[] {
  const shared = new Map<string, { memory: Memory; keys: number }>();
  for (const memory of working.alike(created)) {
    const before = shared.get(memory.id);
    shared.set(memory.id, { memory, keys: (before?.keys ?? 0) + 1 });
  }
  return [...shared.values()]
    .filter(({ memory }) => {
      const isReplaced = supersedes === memory.id || memory.external_ids.includes(supersedes ?? '');
      return (
        memory.id !== created.id && !isReplaced && isComparable(memory) && endsAtMs(memory) > nowMs
      );
    })
    .sort((a, b) => b.keys - a.keys)
    .slice(0, MOST_COMPARED)
    .map(({ memory }) => memory);
}

/** Whether nothing but the way it is written down would be lost if one memory stood for both. */
function canTakeIn(memory: Memory, created: Memory, draft: Draft): boolean {
  return (
    draft.ref === undefined &&
    draft.supersedes === undefined &&
    memory.type === created.type &&
    memory.classification === created.classification &&
    memory.valid_from === created.valid_from &&
    memory.valid_to === created.valid_to &&
    memory.ttl_days === created.ttl_days &&
    isTrusted(memory.source) === isTrusted(created.source) &&
    hasSameTitle(memory.title, created.title)
  );
}

function hasSameTitle(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b || looseForm(a) === looseForm(b);
}
