import { canonicalJson } from './canonical.ts';
import { singleSteps, type Step } from './decide/steps.ts';
import type { MemoryEventKind } from './event.ts';
import { sha256 } from './hash.ts';
import { base32 } from './identity.ts';
import type { Memory } from './memory.ts';
import type { StoreRecord } from './record.ts';
import { fieldChanges, type FieldChange } from './upkeep.ts';

/** One change that a proposal would make. */
interface ProposedChange {
  readonly id: string;
  readonly kind: MemoryEventKind;
  readonly reason: string;
  readonly fields: readonly FieldChange[];
}

/** What upkeep would do and may not do by itself: it waits for a person. */
export interface ProposalRecord extends StoreRecord {
  /** The verb that made it, and its rule. */
  readonly verb: string;
  readonly rule: string;
  readonly reason: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly at: string;
  readonly status: 'waiting' | 'accepted' | 'refused';
  readonly status_reason?: string;
  /** All of them are made together, or none. */
  readonly changes: readonly ProposedChange[];
  /** How many there were: what is about a memory that was purged is gone. */
  readonly parts: number;
}

export interface ProposalParts {
  readonly verb: string;
  readonly rule: string;
  readonly reason: string;
  readonly confidence: number;
  readonly at: string;
  readonly place: { readonly project: string; readonly agent?: string };
  readonly step: Step;
}

/**
 * A proposal to take a step. Its id is made from what it would change: the same one is not made
 * twice, and not again after it was refused.
 */
export function proposalOf({ place, step, ...rest }: ProposalParts): ProposalRecord {
  const steps = singleSteps([step]);
  const texts = steps.map(({ before }) => [before.id, before.body]);
  const hash = Buffer.from(sha256(JSON.stringify([rest.rule, texts])), 'hex');
  return {
    id: `PROP-${base32(hash, 12)}`,
    ...place,
    ...rest,
    status: 'waiting',
    parts: steps.length,
    changes: steps.map(({ kind, reason, before, after }) => ({
      id: before.id,
      kind,
      reason,
      fields: fieldChanges(before, after),
    })),
  };
}

/** The step that a proposal stands for; undefined when its memories are not as they were. */
export function stepOf(
  { rule, changes, parts }: ProposalRecord,
  memories: ReadonlyMap<string, Memory>,
): Step | undefined {
  if (changes.length !== parts) return undefined;
  const steps: Step[] = [];
  for (const { id, kind, reason, fields } of changes) {
    const before = memories.get(id);
    const after = before && changed(before, fields);
    if (!before || !after) return undefined;
    steps.push({ rule, kind, reason, before, after });
  }
  const [first, ...others] = steps;
  return first && { ...first, with: others };
}

function changed(memory: Memory, fields: readonly FieldChange[]): Memory | undefined {
  const entries = new Map<string, unknown>(Object.entries(memory));
  for (const { field, before, after } of fields) {
    if (canonicalJson(entries.get(field) ?? null) !== canonicalJson(before)) return undefined;
    if (after === null) entries.delete(field);
    else entries.set(field, after);
  }
  return Object.fromEntries(entries) as unknown as Memory;
}
