import type { Edge } from '../relation.ts';
import type { SharedName } from './citations.ts';
import type { RunResult } from '../results.ts';

/** What the verbs about relations and the graph answer; see `results.ts`. */

export interface RelationsResult {
  /** Each once, by source, type and target. */
  readonly relations: readonly Edge[];
  /** Only when a depth was asked for: how many edges away each memory is, nearest first. */
  readonly reached?: readonly { readonly id: string; readonly distance: number }[];
  /** There are more memories than were followed. */
  readonly truncated?: boolean;
}

export interface UnrelateResult {
  readonly removed: readonly Edge[];
}

/** A name in a body that is no edge, and why. */
export interface UnresolvedName {
  /** Id of the memory that writes it. */
  readonly source: string;
  readonly name: string;
  /** Ids of the memories that bear it; [] = none does. */
  readonly candidates: readonly string[];
}

/** What was read from bodies, or would be. */
export interface RelinkResult extends RunResult {
  readonly added: readonly Edge[];
  readonly removed: readonly Edge[];
  /** Names that several memories bear. */
  readonly ambiguous: readonly UnresolvedName[];
  /** Names that no memory bears. */
  readonly dangling: readonly UnresolvedName[];
}

export type MigrateRelationsResult = RelinkResult;

export interface CitedMemory {
  readonly id: string;
  readonly title: string;
  /** How many memories name it. */
  readonly cited_by: number;
  /** How often they do. */
  readonly mentions: number;
}

export interface CitationsResult {
  /** Whose texts were read. */
  readonly memories: number;
  /** Names that were looked for. */
  readonly names: number;
  /** Pairs of a memory and one that it names. */
  readonly citations: number;
  /** Most cited first. */
  readonly cited: readonly CitedMemory[];
  /** Names that several memories bear, and that cite none of them. */
  readonly shared_names: readonly SharedName[];
  readonly shared_total: number;
}
