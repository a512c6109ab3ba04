import { multipliersOf, type Decay } from '../domain/ranking/multipliers.ts';
import type { Engine } from '../ports/engine.ts';
import { byScore, foundIn, type Found, type Question } from './candidate.ts';
import { namedEntities } from './channels/entity.ts';
import { graphChannel, type Neighbour } from './channels/graph.ts';
import { rounded } from './channels/keyword.ts';

/** Candidates whose memories are looked at, at least: narrow factors bring no other one to the top. */
const RESCORED = 30;

export interface Scoring {
  readonly nowMs: number;
  readonly decay: Decay;
  /** Whether neighbours of the best hits gain. */
  readonly graph: boolean;
  /** How many memories the caller wants. */
  readonly wanted: number;
}

/**
 * Relevance times what the memory is: narrow factors for age, type, confidence, trust and named
 * entities, and a small lift for the neighbours of what answers. Best first.
 */
export async function score(
  relevant: readonly Found[],
  question: Question,
  { nowMs, decay, graph, wanted }: Scoring,
  engine: Engine,
): Promise<readonly Found[]> {
  const neighbours = graph ? await graphChannel(relevant, question, engine) : new Map();
  const reach = Math.max(RESCORED, 2 * wanted);
  const named = namedEntities(question.query.text, question.entities);
  const known = new Set(relevant.map(({ id }) => id));
  const joining = [...neighbours.values()]
    .filter(({ source }) => !known.has(source.id))
    .map(({ source }) =>
      foundIn(source, { score: 0, keyword: 0, ...unmatchedExplained(question) }),
    );
  const head = [...relevant.slice(0, reach), ...joining].map((found) => {
    const { memory } = found.stored;
    const multipliers = {
      ...multipliersOf(memory, nowMs, decay, question.weights),
      entity: named(memory).length > 0 ? question.weights.entity.named : 1,
    };
    return rescored(found, multipliers, neighbours.get(found.id));
  });
  const tail = relevant.slice(reach).map((found) => {
    const neighbour = neighbours.get(found.id);
    return neighbour ? rescored(found, {}, neighbour) : found;
  });
  return [...head, ...tail].sort(byScore);
}

/** No word of it and no meaning: it is there for its neighbour alone. */
function unmatchedExplained({ explain }: Question): Pick<Found, 'explain'> {
  if (!explain) return {};
  const nothing = { terms: [], pairs_and_subject: 1, raw: 0, asked: 0, keyword: 0, meaning: [] };
  return { explain: { ...nothing, factors: {}, session: 0, relevance: 0, multipliers: {} } };
}

function rescored(
  found: Found,
  multipliers: Readonly<Record<string, number>>,
  neighbour: Neighbour | undefined,
): Found {
  const product = Object.values(multipliers).reduce((all, factor) => all * factor, 1);
  const own = Math.min(1, found.score * product);
  const total = neighbour ? 1 - (1 - own) * (1 - neighbour.boost) : own;
  const { explain, keyword } = found;
  if (!explain)
    return foundIn(found, { score: total, ...(keyword === undefined ? {} : { keyword }) });
  const graph = neighbour && { boost: rounded(neighbour.boost), from: neighbour.from };
  const applied = Object.entries(multipliers).map(([name, factor]) => [name, rounded(factor)]);
  return foundIn(found, {
    score: total,
    ...(keyword === undefined ? {} : { keyword }),
    explain: {
      ...explain,
      multipliers: Object.fromEntries(applied),
      ...(graph ? { graph } : {}),
    },
  });
}
