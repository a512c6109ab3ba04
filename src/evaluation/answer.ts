import type { EvalQuery } from '../domain/eval-set.ts';
import type { EvalAnswer, EvalScores } from '../domain/evaluation.ts';
import type { Tokens } from '../ports/tokens.ts';
import type { Asked } from './ask.ts';
import { rounded } from './metrics.ts';
import { isMarkedStale } from './score.ts';
import { tokenCounter } from './token-counter.ts';

type AnswerOf = (query: EvalQuery, asked: Asked, scores: EvalScores) => EvalAnswer;

/**
 * Puts down what a query brought, so that runs can be compared.
 * @param storedIds the store's id by the set's; several of the set's may have become one
 */
export async function answersBy(
  storedIds: ReadonlyMap<string, string>,
  tokens: Tokens,
): Promise<AnswerOf> {
  const names = new Map<string, string[]>();
  for (const [name, id] of storedIds) names.set(id, [...(names.get(id) ?? []), name]);
  const tokensOf = await tokenCounter(tokens);
  return ({ id, kind = null, query }, { results, ms }, scores) => {
    const named = results.map((memory) => {
      const [name = memory.id, ...merged] = names.get(memory.id) ?? [];
      return {
        id: name,
        ...(merged.length > 0 && { merged }),
        score: memory.score,
        tokens: tokensOf(memory),
        stale: isMarkedStale(memory),
      };
    });
    return { id, kind, query, results: named, ...scores, ms: rounded(ms) };
  };
}
