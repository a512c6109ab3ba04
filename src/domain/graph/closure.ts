import { isLive } from '../lifecycle.ts';
import type { Memory } from '../memory.ts';
import { titleKey, titleOf } from './names.ts';
import { referencesIn } from './references.ts';
import type { ClosureMeasures, ClosurePrediction } from './results.ts';

/** What a memory adds to the measures of a store. */
export interface ClosurePart {
  readonly isBelief: boolean;
  readonly relations: number;
  /** By which texts can name it. */
  readonly names: readonly string[];
  /** What its own text names, itself apart; each once. */
  readonly references: readonly string[];
}

/** Session summaries and conflicts are about memories; what is history counts no more. */
export function closurePartOf(memory: Memory): ClosurePart | undefined {
  const { type, status, relations, id, external_ids, body } = memory;
  if (!isLive(status) || type === 'episode' || type === 'conflict') return undefined;
  const names = new Set([id, ...external_ids, titleOf(memory) ?? id].map(titleKey));
  const { wikilinks, files, ids } = referencesIn(body);
  const references = new Set([...wikilinks, ...files, ...ids].map(titleKey));
  return {
    isBelief: type === 'belief',
    relations: relations.length,
    names: [...names],
    references: [...references].filter((name) => !names.has(name)),
  };
}

/** Fewer memories say nothing about a store. */
const EARLY = 20;
/** Share of beliefs, in percent, from which a store is made of conclusions. */
const BELIEFS = 60;

/**
 * How self-referential a store is: how much of it are beliefs, and how densely they refer to each other.
 * The measure follows Luhmann's operational closure (Soziale Systeme, 1984): a system that answers to its
 * own structure rather than to what is around it. Memories come and go one by one, so that a whole
 * history is measured in one pass.
 */
export class ClosureTally {
  #memories = 0;
  #beliefs = 0;
  #relations = 0;
  /** References to names that somebody bears. */
  #references = 0;
  readonly #bearers = new Map<string, number>();
  readonly #referrers = new Map<string, number>();

  add(part: ClosurePart): void {
    this.#count(part, 1);
  }

  remove(part: ClosurePart): void {
    this.#count(part, -1);
  }

  #count({ isBelief, relations, names, references }: ClosurePart, by: 1 | -1): void {
    this.#memories += by;
    this.#relations += by * relations;
    if (isBelief) this.#beliefs += by;
    for (const name of names) {
      const before = this.#bearers.get(name) ?? 0;
      this.#bearers.set(name, before + by);
      const appears = by === 1 ? before === 0 : before === 1;
      if (appears) this.#references += by * (this.#referrers.get(name) ?? 0);
    }
    for (const name of references) {
      this.#referrers.set(name, (this.#referrers.get(name) ?? 0) + by);
      if ((this.#bearers.get(name) ?? 0) > 0) this.#references += by;
    }
  }

  /**
   * closure_index = belief_pct × (avg_relations + avg_body_refs) ÷ 100; entanglement_pct is
   * avg_body_refs in percent of what it is when every text names every other memory.
   */
  measure(): ClosureMeasures {
    const memories = this.#memories;
    const mean = (sum: number): number => (memories === 0 ? 0 : sum / memories);
    const beliefPct = 100 * mean(this.#beliefs);
    const relations = mean(this.#relations);
    const references = mean(this.#references);
    return {
      memories,
      beliefs: this.#beliefs,
      belief_pct: rounded(beliefPct),
      avg_relations: rounded(relations),
      avg_body_refs: rounded(references),
      closure_index: rounded((beliefPct * (relations + references)) / 100),
      entanglement_pct: rounded(memories > 1 ? (100 * references) / (memories - 1) : 0),
      phase: memories < EARLY ? 'early' : beliefPct < BELIEFS ? 'type-composition' : 'entanglement',
    };
  }
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

type Level = ClosurePrediction['level'];

/** Closure indices from which the next level begins: rules of thumb, not measured. */
const MODERATE = 0.5;
const HIGH = 2;

const MESSAGES: Readonly<Record<ClosurePrediction['about'], Readonly<Record<Level, string>>>> = {
  classification: {
    low: 'Language models can classify these texts like any others.',
    moderate:
      'Texts that describe the store begin to mislead classifiers: look through what they say.',
    high: 'Texts describe the store more than the world: expect classifiers to err.',
  },
  transplantability: {
    low: 'Memories stand for themselves and can be given to another agent.',
    moderate: 'Some memories lean on others: give those along.',
    high: 'Beliefs lean on beliefs that another agent does not have: give it all or none.',
  },
};

/** What the closure of a store says about tools that work on it. */
export function predictionsOf({ closure_index, phase }: ClosureMeasures): ClosurePrediction[] {
  const level: Level =
    closure_index < MODERATE ? 'low' : closure_index < HIGH ? 'moderate' : 'high';
  return (['classification', 'transplantability'] as const).map((about) => {
    return { about, level, certain: phase !== 'early', message: MESSAGES[about][level] };
  });
}
