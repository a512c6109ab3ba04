import type { Anchor } from '../anchors/judge.ts';
import type { Diagnosis } from '../finding.ts';
import type { Memory } from '../memory.ts';
import type { Edge } from '../relation.ts';

export const DAY_MS = 86_400_000;

/** What the checks look at, read once for all of them. */
export interface LintSubjects {
  /** Live memories of the caller's own project, by id in order; those derived from edits are not here. */
  readonly memories: ReadonlyMap<string, Memory>;
  /** What else is live and visible at the other end of one of their edges. */
  readonly neighbours: ReadonlyMap<string, Memory>;
  /** Edges that end at a memory, from anywhere in the store, by its id. */
  readonly incoming: ReadonlyMap<string, readonly Edge[]>;
  /** Edges that start at a memory, by its id. */
  readonly outgoing: ReadonlyMap<string, readonly Edge[]>;
  /** How the code stands that they cite: by id, then by place. Empty outside of the project's folder. */
  readonly anchors: ReadonlyMap<string, ReadonlyMap<string, Anchor>>;
  /** Whether each agent's drawer stands for itself. */
  readonly isolated: boolean;
  readonly nowMs: number;
  /** Days after which a memory is old. */
  readonly staleDays: number;
  /** Days before the end of a memory in which it is said. */
  readonly expiringDays: number;
}

/** What a check found, and what it did not look at because there was too much of it. */
export interface Checked {
  readonly findings: readonly Diagnosis[];
  readonly notes: readonly string[];
}

export function liveMemory(id: string, subjects: LintSubjects): Memory | undefined {
  return subjects.memories.get(id) ?? subjects.neighbours.get(id);
}

export function incomingOf(id: string, { incoming }: LintSubjects): readonly Edge[] {
  return incoming.get(id) ?? [];
}

export function outgoingOf(id: string, { outgoing }: LintSubjects): readonly Edge[] {
  return outgoing.get(id) ?? [];
}

/** Whether two memories are related in either direction, in whatever way. */
export function areRelated(a: string, b: string, subjects: LintSubjects): boolean {
  return (
    outgoingOf(a, subjects).some(({ target }) => target === b) ||
    outgoingOf(b, subjects).some(({ target }) => target === a)
  );
}

/** Whole days since a time of a memory. */
export function daysSince(iso: string, { nowMs }: LintSubjects): number {
  return Math.floor((nowMs - Date.parse(iso)) / DAY_MS);
}

/** The one that came to be known later first; of two of one moment, the greater id. */
export function newerFirst(a: Memory, b: Memory): [newer: Memory, older: Memory] {
  const order = Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1);
  return order > 0 ? [a, b] : [b, a];
}
