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
  /** Ids of the memories that bear it, ten at most; [] = none does. */
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

export interface ActivatedMemory {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly tags: readonly string[];
  /** 0 to 1; a seed has 1. */
  readonly activation: number;
  /** The step that reached it; 0 = a seed. */
  readonly step: number;
  /** Id of the memory that most of it came from; null = a seed. */
  readonly from: string | null;
}

/** Two active memories that have little in common by their tags. */
export interface WanderCollision {
  readonly a: string;
  readonly b: string;
  readonly a_title: string;
  readonly b_title: string;
  /** 0 to 1: the geometric mean of their activations × dissimilarity. */
  readonly score: number;
  /** 0 to 1: 1 − the Jaccard index of their tags; above 0.7. */
  readonly dissimilarity: number;
}

export interface WanderResult {
  readonly seeds: readonly string[];
  /** Seeds too; most active first. */
  readonly activated: readonly ActivatedMemory[];
  /** Best first. */
  readonly collisions: readonly WanderCollision[];
  /** Steps that were taken: fewer than asked when nothing new was reached. */
  readonly steps: number;
}

/** How self-referential the memories that are current are; session summaries and conflicts apart. */
export interface ClosureMeasures {
  readonly memories: number;
  readonly beliefs: number;
  readonly belief_pct: number;
  /** Edges that start from a memory, on average. */
  readonly avg_relations: number;
  /** Names of other memories in a text, as links or ids, on average. */
  readonly avg_body_refs: number;
  /** belief_pct × (avg_relations + avg_body_refs) ÷ 100. */
  readonly closure_index: number;
  /** avg_body_refs in percent of memories − 1. */
  readonly entanglement_pct: number;
  /** `early` below 20 memories, `type-composition` below 60 % beliefs, else `entanglement`. */
  readonly phase: 'early' | 'type-composition' | 'entanglement';
}

export interface ClosurePrediction {
  readonly about: 'classification' | 'transplantability';
  /** How much trouble is to be expected: low below an index of 0.5, high from 2 on. */
  readonly level: 'low' | 'moderate' | 'high';
  /** False in the early phase: so few memories say little. */
  readonly certain: boolean;
  readonly message: string;
}

export interface ClosureResult extends ClosureMeasures {
  readonly predictions: readonly ClosurePrediction[];
  /** Only when it was asked: the end of each day, oldest first, from the first event on. */
  readonly trajectory?: readonly (ClosureMeasures & { readonly day: string })[];
}
