import type { StoredMemory } from '../domain/memory.ts';
import type { Entity } from '../domain/entity.ts';
import type { Weights } from '../domain/ranking/settings.ts';
import type { Explanation } from '../domain/explanation.ts';
import type { ParsedQuery } from '../domain/text/query.ts';
import type { Filter, View } from '../domain/view.ts';
import type { KeywordHit, NearestHit } from '../ports/engine.ts';

/** What the channels are asked. */
export interface Question {
  readonly view: View;
  readonly filter: Filter;
  readonly query: ParsedQuery;
  /** How many candidates are wanted at least. */
  readonly k: number;
  readonly explain: boolean;
  readonly weights: Weights;
  /** Entities that the view knows by several names. */
  readonly entities: readonly Entity[];
  /** Which evidence counts; default both. */
  readonly evidence?: 'words' | 'meaning';
}

/** One memory that a channel found, with what each channel says of it. */
export interface Candidate {
  readonly id: string;
  /** Where its memory is read from, when somebody looks at it. */
  readonly source: Source;
  readonly session?: string | undefined;
  /** Words, as keyword ranking counts them. */
  readonly length: number;
  /** What the keyword channel found; absent where it found nothing. */
  readonly keyword?: KeywordHit;
  /** By embedder, in their order; undefined where it has no vector or was not near. */
  readonly cosines: readonly (number | undefined)[];
}

export type Source = Pick<KeywordHit | NearestHit, 'id' | 'stored'>;

/** A candidate with its score. */
export interface Found {
  readonly id: string;
  /** May be read only when it is asked for: most candidates are never shown. */
  readonly stored: StoredMemory;
  /** 0 to 1. */
  readonly score: number;
  /** Share of what was asked that its words matched; absent where words were not asked. */
  readonly keyword?: number;
  readonly explain?: Explanation;
}

/**
 * Leaves the memory unread until somebody looks at it. A class, because every object literal with a
 * getter has a shape of its own, which keeps it from being collected young.
 */
class LazilyFound implements Found {
  readonly id: string;
  readonly score: number;
  readonly keyword?: number;
  readonly explain?: Explanation;
  readonly #source: Source;

  constructor(
    source: Source,
    { score, keyword, explain }: Pick<Found, 'score' | 'keyword' | 'explain'>,
  ) {
    this.id = source.id;
    this.score = score;
    if (keyword !== undefined) this.keyword = keyword;
    if (explain !== undefined) this.explain = explain;
    this.#source = source;
  }

  get stored(): StoredMemory {
    return this.#source.stored;
  }
}

export function foundIn(
  source: Source,
  given: Pick<Found, 'score' | 'keyword' | 'explain'>,
): Found {
  return new LazilyFound(source, given);
}

/** Best first, ties by id. */
export function byScore(a: Found, b: Found): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1);
}
