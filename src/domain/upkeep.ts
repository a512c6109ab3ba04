import { canonicalJson } from './canonical.ts';
import type { Step } from './decide/steps.ts';
import { endsAtMs, type Memory } from './memory.ts';
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

/** What a step changes, field by field. */
export interface FieldChange {
  readonly field: string;
  /** Null = the field is absent. */
  readonly before: unknown;
  readonly after: unknown;
}

/** The fields that two snapshots of a memory differ in, apart from the time of the change. */
export function fieldChanges(before: Memory, after: Memory): readonly FieldChange[] {
  const sides = [before, after].map((memory) => new Map(Object.entries(memory)));
  const fields = new Set(sides.flatMap((side) => [...side.keys()]));
  fields.delete('updated_at');
  return [...fields].sort().flatMap((field) => {
    const [was, is] = sides.map((side): unknown => side.get(field) ?? null);
    if (canonicalJson(was) === canonicalJson(is)) return [];
    return [{ field, before: was, after: is }];
  });
}
