import { singleSteps, type Step } from '../decide/steps.ts';
import type { Diagnosis } from '../finding.ts';
import type { Memory } from '../memory.ts';
import { withRelation } from '../relation.ts';
import type { LintSubjects } from './subjects.ts';

/** Only what is this sure is acted on. */
const SURE = 0.9;

/** A finding with the changes that settle it. */
interface Settling {
  readonly finding: Diagnosis;
  readonly ids: readonly string[];
}

export interface FixPlan {
  readonly steps: readonly Step[];
  readonly settled: readonly Settling[];
}

/**
 * The changes that settle what is sure: a stale memory is archived, and a contradiction that time has
 * settled becomes a succession. A memory that takes part in a succession is not archived beside it.
 * Only memories of the caller's own project are changed: other ends are not among `memories`.
 */
export function fixesOf(findings: readonly Diagnosis[], { memories }: LintSubjects): FixPlan {
  const sure = findings.filter(({ confidence }) => confidence >= SURE);
  const own = ({ ids }: Diagnosis): boolean => ids.every((id) => memories.has(id));
  const successions = sure.filter((one) => one.check === 'superseded_unflagged' && own(one));
  const { steps, settled } = successionSteps(successions, memories);
  const taken = new Set(singleSteps(steps).map(({ before }) => before.id));
  const archived = sure.filter(({ check, ids: [id = ''] }) => check === 'stale' && !taken.has(id));
  return {
    steps: [...steps, ...archived.map((finding) => archiveStep(finding, memories))],
    settled: [...settled, ...archived.map((finding) => ({ finding, ids: finding.ids }))],
  };
}

function archiveStep({ ids: [id = ''] }: Diagnosis, memories: ReadonlyMap<string, Memory>): Step {
  const before = memories.get(id) as Memory;
  const reason = `stale: untouched since ${before.updated_at.slice(0, 10)}, and nothing points to it`;
  return {
    rule: 'stale',
    kind: 'memory.archived',
    reason,
    before,
    after: { ...before, status: 'archived', status_reason: reason },
  };
}

/** One step a memory, whatever number of successions it takes part in; they stand or fall together. */
function successionSteps(
  findings: readonly Diagnosis[],
  memories: ReadonlyMap<string, Memory>,
): FixPlan {
  const after = new Map<string, Memory>();
  const groups = new Map<string, Set<string>>();
  const reasons = new Map<string, string>();
  const settled: Settling[] = [];
  const current = (id: string): Memory => after.get(id) ?? (memories.get(id) as Memory);
  for (const finding of inOrder(findings, memories)) {
    const [newer, older] = finding.ids.map(current) as [Memory, Memory];
    // Replaced by the one that came first after it: the next one replaces that one in its turn.
    if (older.superseded_by !== undefined) continue;
    after.set(newer.id, successor(newer, older.id, finding.confidence));
    after.set(older.id, predecessor(older, newer));
    reasons.set(older.id, `superseded by ${newer.id}`);
    if (!reasons.has(newer.id)) reasons.set(newer.id, `replaces ${older.id}`);
    const group = new Set([newer.id, older.id].flatMap((id) => [...(groups.get(id) ?? [id])]));
    for (const id of group) groups.set(id, group);
    settled.push({ finding, ids: finding.ids });
  }
  const steps = [...after].map(([id, next]): Step => ({
    rule: 'superseded_unflagged',
    kind: next.status === 'superseded' ? 'memory.superseded' : 'memory.related',
    reason: reasons.get(id) ?? '',
    before: memories.get(id) as Memory,
    after: next,
  }));
  return { steps: asGroups(steps, groups), settled };
}

/** The steps of a group as one step, with the others beside the first. */
function asGroups(
  steps: readonly Step[],
  groups: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Step[] {
  const byGroup = new Map<ReadonlySet<string> | undefined, Step[]>();
  for (const step of steps) {
    const group = groups.get(step.before.id);
    byGroup.set(group, [...(byGroup.get(group) ?? []), step]);
  }
  return [...byGroup.values()].map(([first, ...others]) => ({ ...(first as Step), with: others }));
}

/** The oldest first, and of its successors the one that came first. */
function inOrder(
  findings: readonly Diagnosis[],
  memories: ReadonlyMap<string, Memory>,
): readonly Diagnosis[] {
  const place = (id: string): string => `${memories.get(id)?.created_at} ${id}`;
  const key = ({ ids: [newer = '', older = ''] }: Diagnosis): string =>
    `${place(older)} ${place(newer)}`;
  return findings.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function successor(newer: Memory, older: string, confidence: number): Memory {
  const relations = withoutContradiction(newer, older);
  return {
    ...newer,
    supersedes: newer.supersedes ?? older,
    relations: withRelation(relations, {
      type: 'supersedes',
      target: older,
      confidence,
      origin: 'lint',
    }),
  };
}

function predecessor(older: Memory, newer: Memory): Memory {
  return {
    ...older,
    status: 'superseded',
    superseded_by: newer.id,
    superseded_at: newer.created_at,
    relations: withoutContradiction(older, newer.id),
  };
}

function withoutContradiction({ relations }: Memory, other: string): Memory['relations'] {
  return relations.filter(({ type, target }) => type !== 'contradicts' || target !== other);
}
