import type { Entity } from '../domain/entity.ts';
import type { RecallOptions } from '../domain/inputs.ts';
import type { Filter } from '../domain/view.ts';
import { recallOptions } from '../domain/options.ts';
import { parseInput } from '../domain/parse.ts';
import type { Decay } from '../domain/ranking/multipliers.ts';
import type { Weights } from '../domain/ranking/settings.ts';
import { RESERVED_TYPES } from './budget.ts';
import { entityFilter } from './entity.ts';
import { filterOf } from './filter.ts';

const DEFAULT_LIMIT = 10;
/** No budget holds more memories than this many tokens each allow. */
const LEAST_TOKENS = 12;
const MOST_CANDIDATES = 2000;

export type Parsed = ReturnType<typeof parseRecall>;

/** What a caller of recall wants, with every default filled in. */
export interface Wish {
  readonly parsed: Parsed;
  /** Absent: a listing of what is newest. */
  readonly text?: string;
  readonly filter: Filter;
  /** Number of memories, where no budget decides it. */
  readonly limit: number;
  readonly budget?: number;
  readonly reserve: readonly string[];
  /** How many memories the answer can hold at most. */
  readonly wanted: number;
  readonly floor: number;
  readonly lambda: number;
  /** Score at which a tier answers for sure; absent = all tiers are wanted. */
  readonly threshold?: number;
  readonly decay: Decay;
  readonly graph: boolean;
  readonly explain: boolean;
  readonly weights: Weights;
  /** Entities that the view knows by several names. */
  readonly entities: readonly Entity[];
}

/** @param bounds the times that the question was found to mean */
export function wishOf(
  parsed: Parsed,
  {
    nowMs,
    bounds,
    weights,
    entities,
  }: { nowMs: number; bounds: Partial<Filter> } & Pick<Wish, 'weights' | 'entities'>,
): Wish {
  const { choice, recency } = weights;
  const { query: text, limit = DEFAULT_LIMIT, maxTokens: budget, tier } = parsed;
  const { progressive = true, graph = true, explain = false } = parsed;
  const most = Math.ceil((budget ?? 0) / LEAST_TOKENS);
  const stopsEarly = progressive && text !== undefined && tier === undefined;
  return {
    parsed,
    ...(text === undefined ? {} : { text }),
    filter: { ...recallFilter(parsed, nowMs), ...entityFilter(parsed.entity, entities), ...bounds },
    limit,
    ...(budget === undefined ? {} : { budget }),
    reserve: parsed.reserve ?? RESERVED_TYPES,
    wanted: budget === undefined ? limit : Math.min(MOST_CANDIDATES, most),
    floor: text === undefined ? 0 : (parsed.minScore ?? choice.minScore),
    lambda: text === undefined ? 1 : (parsed.diversity ?? choice.diversity),
    ...(stopsEarly ? { threshold: parsed.confidenceThreshold ?? choice.confidenceThreshold } : {}),
    decay: {
      weight: parsed.decayWeight ?? recency.weight,
      halfLifeDays: parsed.decayHalfLife ?? recency.halfLifeDays,
    },
    graph,
    explain,
    weights,
    entities,
  };
}

/** @throws LociError invalid_input */
export function parseRecall(options: RecallOptions) {
  return parseInput(recallOptions, options, 'recall');
}

/** What recall leaves out unless it is asked for: drafts, and what is replaced or expired. */
function recallFilter(parsed: Parsed, nowMs: number): Filter {
  const { includeDrafts, includeSuperseded, includeEpisodes, type, asOf, query } = parsed;
  const status = [
    'active',
    ...(includeDrafts ? ['draft'] : []),
    ...(includeSuperseded ? ['superseded'] : []),
  ];
  // A question may be answered by a session's summary; a listing of what is newest is not for them.
  const wantsEpisodes = query !== undefined || includeEpisodes || type?.includes('episode');
  return {
    ...filterOf({ ...parsed, status }),
    ...(wantsEpisodes ? {} : { notTypes: ['episode'] }),
    ...(includeSuperseded || asOf !== undefined ? {} : { validAtMs: nowMs }),
  };
}
