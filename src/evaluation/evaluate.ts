import { evaluateOptions } from '../domain/eval-set.ts';
import type { EvalAnswer, EvalResult, EvaluateOptions } from '../domain/evaluation.ts';
import { parseInput } from '../domain/parse.ts';
import type { Loci } from '../loci.ts';
import type { Deps } from '../ports/deps.ts';
import { answersBy } from './answer.ts';
import { ask } from './ask.ts';
import { ingest } from './ingest.ts';
import { percentileOf, rounded } from './metrics.ts';
import { ownStore } from './own-store.ts';
import { readSet } from './read-set.ts';
import { DEPTH, scoreQuery } from './score.ts';
import { summarise } from './summarise.ts';

const KS = [5, 10, 20];
const BUDGETS = [500, 1000, 2000];

type EvaluateDeps = Pick<Deps, 'engine' | 'tokens' | 'embedders' | 'vectors'>;

export interface EvaluateIo {
  /** First for the memories that are stored, then for the queries that are asked. */
  progress?(done: number, total: number, what: 'storing' | 'embedding' | 'asking'): void;
  /** Called with what each query brought; without it, nothing is counted for it. */
  onAnswer?(answer: EvalAnswer): void;
}

/**
 * Measures retrieval: stores the memories of a set in this store, asks its queries, and scores what
 * comes back. Memories that are there already, by their external id, are not stored again.
 * @throws LociError not_found, invalid_input (with file and line), conflict when the store holds
 * memories that are none of the set's, and those of `remember`
 */
export async function evaluate(
  options: EvaluateOptions,
  loci: Loci,
  { engine, tokens, embedders = [], vectors }: EvaluateDeps,
  io: EvaluateIo = {},
): Promise<EvalResult> {
  const { dir, limit, k, budgets = BUDGETS } = parseInput(evaluateOptions, options, 'eval');
  const ks = [...new Set(k ?? KS)].sort((a, b) => a - b);
  const { memories, queries: all } = await readSet(dir);
  const queries = all.slice(0, limit);
  await ownStore(memories, engine);

  const { storedIds, msPerMemory, warnings } = await ingest(memories, loci, (done) =>
    io.progress?.(done, memories.length, 'storing'),
  );
  // Answers must not depend on how far the vectors are.
  await vectors?.complete((done) => io.progress?.(done, memories.length, 'embedding'));
  const scoring = { storedIds, ks, isolated: engine.isolated };
  const answerOf = io.onAnswer && (await answersBy(storedIds, tokens));
  const rows = [];
  for (const query of queries) {
    io.progress?.(rows.length, queries.length, 'asking');
    const asked = await ask(query, loci, Math.max(DEPTH, ...ks), budgets);
    const scores = scoreQuery(query, asked, scoring);
    rows.push({ query, scores, ms: asked.ms });
    if (answerOf) io.onAnswer?.(answerOf(query, asked, scores));
  }
  io.progress?.(queries.length, queries.length, 'asking');
  const latencies = rows.map(({ ms }) => ms);
  return {
    ...summarise(rows),
    latency_ms: {
      p50: rounded(percentileOf(latencies, 0.5)),
      p95: rounded(percentileOf(latencies, 0.95)),
    },
    memories: memories.length,
    ingest_ms_per_memory: rounded(msPerMemory),
    embedder: embedders.map(({ provider, model }) => `${provider}:${model}`).join(' + ') || 'none',
    warnings,
  };
}
