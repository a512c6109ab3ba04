import { canonicalJson } from './canonical.ts';
import { supersededBy } from './decide/relate.ts';
import type { Step } from './decide/steps.ts';
import { isTrusted } from './lifecycle.ts';
import { endsAtMs, type Memory } from './memory.ts';
import { withRelation } from './relation.ts';
import { toIso } from './time.ts';

/** Archives a memory whose time to live or validity interval is over. */
export function expireStep(memory: Memory): Step {
  const ended = `its time was over on ${toIso(endsAtMs(memory))}`;
  return {
    rule: 'expire',
    kind: 'memory.archived',
    reason: ended,
    before: memory,
    after: { ...memory, status: 'archived', status_reason: ended },
  };
}

/** Confidence from which a draft is accepted and a belief counts as a fact. */
export const SURE = 0.9;

/** Whether upkeep may promote it: what comes from elsewhere waits for a person. */
export function isPromotable({ status, type, confidence, source }: Memory): boolean {
  if (confidence < SURE || !isTrusted(source)) return false;
  return status === 'draft' || (status === 'active' && type === 'belief');
}

/** Makes a draft active and a belief a fact. */
export function promoteStep(memory: Memory, old?: Memory): Step {
  const type = memory.type === 'belief' ? 'fact' : memory.type;
  const step = activateStep('promote', `its confidence is ${memory.confidence}`, memory, old);
  return { ...step, after: { ...step.after, type } };
}

/**
 * Makes a memory active; a draft replaces what it said it would.
 * @param old the memory that it said it would replace, as long as it has not done so
 */
export function activateStep(rule: string, reason: string, memory: Memory, old?: Memory): Step {
  const { status_reason: _reason, ...rest } = memory;
  const active: Memory = { ...rest, status: 'active' };
  if (!old) return { rule, kind: 'memory.promoted', reason, before: memory, after: active };
  const edge = { type: 'supersedes', target: old.id, confidence: 1, origin: 'stated' };
  const superseded: Step = {
    rule,
    kind: 'memory.superseded',
    reason: `superseded by ${memory.id}`,
    before: old,
    after: supersededBy(memory, old),
  };
  const after = { ...active, relations: withRelation(active.relations, edge) };
  return { rule, kind: 'memory.promoted', reason, before: memory, after, with: [superseded] };
}

/** The id of what a draft would replace and has not replaced yet. */
export function promiseOf({ status, supersedes, relations }: Memory): string | undefined {
  if (status !== 'draft' || supersedes === undefined) return undefined;
  const isKept = relations.some(
    ({ type, target }) => type === 'supersedes' && target === supersedes,
  );
  return isKept ? undefined : supersedes;
}

/** Why a draft cannot replace what it said it would, if it said so. */
export function brokenPromise(draft: Memory, old: Memory | undefined): string | undefined {
  const promise = promiseOf(draft);
  if (promise === undefined) return undefined;
  if (!old) return `it would replace ${promise}, which is not in this project`;
  if (old.id === draft.id) return 'it would replace itself';
  if (old.superseded_by === undefined) return undefined;
  return `it would replace ${promise}, which ${old.superseded_by} has replaced already`;
}

/** What a step changes, field by field. */
export interface FieldChange {
  readonly field: string;
  /** Null = the field is absent. */
  readonly before: unknown;
  readonly after: unknown;
}

/** The fields that two snapshots of a memory differ in, apart from the time of the change. */
export function fieldChanges(before: Memory, after: Memory): readonly FieldChange[] {
  return changesBetween(new Map(Object.entries(before)), after);
}

/** The fields of a memory that was not there before. */
export function fieldsOfNew(memory: Memory): readonly FieldChange[] {
  return changesBetween(new Map(), memory);
}

function changesBetween(before: ReadonlyMap<string, unknown>, memory: Memory): FieldChange[] {
  const after = new Map<string, unknown>(Object.entries(memory));
  const fields = new Set([...before.keys(), ...after.keys()]);
  fields.delete('updated_at');
  return [...fields].sort().flatMap((field) => {
    const [was, is] = [before.get(field) ?? null, after.get(field) ?? null];
    if (canonicalJson(was) === canonicalJson(is)) return [];
    return [{ field, before: was, after: is }];
  });
}
