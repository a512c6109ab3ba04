import type { EvalQuery } from '../domain/eval-set.ts';
import type { RecalledMemory } from '../domain/results.ts';
import type { Loci } from '../loci.ts';

/** All of a query that recall gets to see: never what should come back. */
type Question = Pick<EvalQuery, 'project' | 'agent' | 'query' | 'asOf' | 'since' | 'until'>;

export interface Asked {
  readonly results: readonly RecalledMemory[];
  readonly ms: number;
  /** By token budget: ids of what came back within it. */
  readonly withinTokens: ReadonlyMap<number, readonly string[]>;
}

/** Asks as a caller in that project would, with default settings. */
export async function ask(
  { project, agent, query, asOf, since, until }: Question,
  loci: Loci,
  limit: number,
  budgets: readonly number[],
): Promise<Asked> {
  const asker = loci.scoped({ project, agent });
  const question = { query, asOf, since, until };
  const startedMs = performance.now();
  const { results } = await asker.recall({ ...question, limit });
  const ms = performance.now() - startedMs;
  const withinTokens = new Map<number, readonly string[]>();
  for (const maxTokens of budgets) {
    const within = await asker.recall({ ...question, maxTokens });
    withinTokens.set(
      maxTokens,
      within.results.map(({ id }) => id),
    );
  }
  return { results, ms, withinTokens };
}
