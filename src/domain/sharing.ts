import type { Memory } from './memory.ts';

/** Where a copy in the shared drawer comes from; it stands in its `details`. */
export interface SharedFrom {
  /** Whose memory it is a copy of. */
  readonly agent: string;
  readonly id: string;
}

/** Undefined for a memory that is no copy of another agent's. */
export function sharedFrom(memory: Pick<Memory, 'agent' | 'details'>): SharedFrom | undefined {
  const from = memory.agent === undefined ? memory.details?.['shared_from'] : undefined;
  if (typeof from !== 'object' || from === null) return undefined;
  const { agent, id } = from as Partial<SharedFrom>;
  return typeof agent === 'string' && typeof id === 'string' ? { agent, id } : undefined;
}

export interface ShareOptions {
  /** Of the memory, ours or foreign. */
  readonly id: string;
  /** Whose drawer it lies in; default the current agent's. */
  readonly from?: string | undefined;
}

export interface UnshareOptions {
  /** Of the copy, or of the memory that it was made from. */
  readonly id: string;
}

export interface ShareResult {
  /** Of the copy in the shared drawer. */
  readonly id: string;
  /** Of the memory that it was made from. */
  readonly of: string;
  /** `merged`: the shared drawer holds this text already, under this id. */
  readonly outcome: 'shared' | 'updated' | 'unchanged' | 'merged';
}

export interface UnshareResult {
  readonly id: string;
  readonly outcome: 'unshared' | 'unchanged';
}

export const STRATEGIES = ['fresh', 'partition', 'clone-to-shared'] as const;
type Strategy = (typeof STRATEGIES)[number];

export interface MigrateIsolationOptions {
  readonly strategy: Strategy;
  /** Say what would be done; write nothing. Default false. */
  readonly dryRun?: boolean | undefined;
}

export interface MigrateIsolationResult {
  readonly strategy: Strategy;
  readonly dry_run: boolean;
  /** Memories that lie in drawers of agents, and those that all of them see. */
  readonly private: number;
  readonly shared: number;
  /** What `fresh` set aside, and what `clone-to-shared` copied. */
  readonly archived: number;
  readonly copied: number;
  /** Run that takes back what `fresh` set aside; null when there is none. */
  readonly run: string | null;
}
