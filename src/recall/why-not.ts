import type { Memory } from '../domain/memory.ts';
import type { WhyNot } from '../domain/explanation.ts';
import type { RecalledMemory } from '../domain/results.ts';
import type { View } from '../domain/view.ts';
import type { Engine } from '../ports/engine.ts';
import { refusalsOf } from './filtered.ts';
import type { Gathered } from './gather.ts';
import type { Wish } from './question.ts';
import type { Loss, Trace } from './trace.ts';

/** Candidates that a second look goes through, for a memory that was none of the best. */
const MOST_CANDIDATES = 10_000;

export interface Told {
  readonly wish: Wish;
  readonly view: View;
  readonly trace: Trace;
  readonly results: readonly RecalledMemory[];
  /** The same search with this many candidates. */
  gatherMore(k: number): Promise<Gathered>;
}

/**
 * At which stage of a recall a memory was lost: read off the trace of that recall. What the caller may
 * not see is unknown to it, in the same words as what is not there.
 */
export async function whyNot(ref: string, told: Told, engine: Engine): Promise<WhyNot> {
  const { wish, view, trace, results } = told;
  const [stored] = await engine.get([ref], view);
  if (!stored) {
    return { id: ref, stage: 'unknown', message: 'There is no memory of this id here.' };
  }
  const { memory } = stored;
  const { id } = memory;
  const rank = results.findIndex((one) => one.id === id) + 1;
  if (rank > 0) {
    const score = (results[rank - 1] as RecalledMemory).score;
    return {
      id,
      stage: 'returned',
      message: `It is in the answer, at place ${rank}.`,
      rank,
      score,
    };
  }
  const refused = refusalsOf(wish.filter, memory);
  if (refused.length > 0) {
    const reasons = refused.map(({ criterion, value }) => `${criterion} (it has: ${value})`);
    return {
      id,
      stage: 'filtered',
      message: `It is left out by ${reasons.join(' and ')}.`,
      criteria: refused,
    };
  }
  const loss = trace.lossOf(id) ?? (await lossBeyond(id, told));
  // A vector that points elsewhere made it a candidate of no score at all.
  if (loss && loss.score > 0) return { id, ...rounded(loss), message: messageOf(loss, memory) };
  const message =
    wish.text?.trim() === ''
      ? 'The question is blank, and a blank question finds nothing.'
      : 'Nothing of the question is in it, by its words or by their meaning.';
  return { id, stage: 'not_matched', message };
}

/** A memory that was none of the candidates: where it would have stood among all that match. */
async function lossBeyond(id: string, { wish, gatherMore }: Told): Promise<Loss | undefined> {
  const { found } = await gatherMore(MOST_CANDIDATES);
  const at = found.findIndex((one) => one.id === id);
  if (at < 0) return undefined;
  const { score } = found[at] as (typeof found)[number];
  const { floor, wanted: limit } = wish;
  if (score < floor) return { stage: 'below_min_score', score, floor };
  return { stage: 'beyond_limit', score, rank: at + 1, limit };
}

function rounded<L extends Loss>(loss: L): L {
  return { ...loss, score: Math.round(loss.score * 10_000) / 10_000 };
}

function messageOf(loss: Loss, { tier }: Memory): string {
  const score = loss.score.toFixed(2);
  switch (loss.stage) {
    case 'below_min_score':
      return `Its score is ${score}, and min_score is ${loss.floor}.`;
    case 'tier_stopped':
      return `The tier ${loss.at} answered for sure, so ${tier} was left out; turn progressive off to see it.`;
    case 'copy':
      return `Two memories that say the same stand before it, one of them ${loss.of}; diversity 1 shows all.`;
    case 'beyond_limit':
      return `It is at place ${loss.rank}, and the limit is ${loss.limit}.`;
    case 'over_budget':
      return `It is at place ${loss.rank} and takes ${loss.tokens} tokens; ${loss.left} were left of the budget.`;
  }
}
