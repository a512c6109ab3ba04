import { evaluateOptions } from '../domain/eval-set.ts';
import type { EvalAnswer, EvalResult, EvaluateOptions } from '../domain/evaluation.ts';
import { parseInput } from '../domain/parse.ts';
import type { Loci } from '../loci.ts';
import { ask, type Asked } from './ask.ts';
import { ingest } from './ingest.ts';
import { percentileOf } from './metrics.ts';
import { readSet } from './read-set.ts';
import { DEPTH, isMarkedStale, scoreQuery, type QueryScores } from './score.ts';
import { rounded, summarise, type Row } from './summarise.ts';

const KS = [5, 10, 20];
const BUDGETS = [500, 1000, 2000];

export interface EvaluateIo {
  progress?(done: number, total: number): void;
  /** Called with what each query brought. */
  onAnswer?(answer: EvalAnswer): void;
}

/**
 * Measures retrieval: stores the memories of a set in this store, asks its queries, and scores what
 * comes back. Memories that are there already, by their external id, are not stored again.
 * @throws LociError not_found, invalid_input (with file and line), and those of `remember`
 */
export async function evaluate(
  options: EvaluateOptions,
  loci: Loci,
  io: EvaluateIo = {},
): Promise<EvalResult> {
  const { dir, limit, k, budgets = BUDGETS } = parseInput(evaluateOptions, options, 'eval');
  const ks = [...new Set(k ?? KS)].sort((a, b) => a - b);
  const { memories, queries: all } = await readSet(dir);
  const queries = all.slice(0, limit);
  const total = memories.length + queries.length;

  const { storedIds, msPerMemory, warnings } = await ingest(memories, loci, (done) =>
    io.progress?.(done, total),
  );
  const nameOf = namesOf(storedIds);
  const rows: (Row & { ms: number })[] = [];
  for (const query of queries) {
    io.progress?.(memories.length + rows.length, total);
    const asked = await ask(query, loci, Math.max(DEPTH, ...ks), budgets);
    const scores = scoreQuery(query, asked, storedIds, ks);
    rows.push({ query, scores, ms: asked.ms });
    io.onAnswer?.({ id: query.id, kind: query.kind ?? null, ...answerOf(asked, scores, nameOf) });
  }
  io.progress?.(total, total);
  const latencies = rows.map(({ ms }) => ms);
  return {
    ...summarise(rows),
    latency_ms: {
      p50: rounded(percentileOf(latencies, 0.5)),
      p95: rounded(percentileOf(latencies, 0.95)),
    },
    memories: memories.length,
    ingest_ms_per_memory: rounded(msPerMemory),
    embedder: 'none',
    warnings,
  };
}

/** The set's ids by the store's. */
function namesOf(storedIds: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const [name, id] of storedIds) names.set(id, [...(names.get(id) ?? []), name]);
  return names;
}

function answerOf(
  { results, ms }: Asked,
  { recall, mrr }: QueryScores,
  names: ReadonlyMap<string, readonly string[]>,
): Pick<EvalAnswer, 'results' | 'recall' | 'mrr' | 'ms'> {
  return {
    results: results.map((memory) => {
      const [id = memory.id, ...merged] = names.get(memory.id) ?? [];
      const { score } = memory;
      return { id, ...(merged.length > 0 && { merged }), score, stale: isMarkedStale(memory) };
    }),
    recall: mrr === null ? null : (recall as Record<string, number>),
    mrr,
    ms: rounded(ms) ?? 0,
  };
}
