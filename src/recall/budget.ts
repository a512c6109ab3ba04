import { renderBlock } from '../domain/block.ts';
import type { StoredMemory } from '../domain/memory.ts';
import type { RecalledMemory } from '../domain/results.ts';
import type { Engine, TokenCount } from '../ports/engine.ts';
import type { Tokens } from '../ports/tokens.ts';
import type { Trace } from './trace.ts';

/** Tokens of the element around all recalled memories, with room for its line breaks. */
const WRAPPER_TOKENS = 16;
/** A cut shorter than this says too little to be worth showing. */
const LEAST_CUT_TOKENS = 60;
/** Types that are too costly to overlook: they are sure of a share of the budget. */
export const RESERVED_TYPES: readonly string[] = ['constraint', 'decision'];
/** That share. */
const RESERVED_SHARE = 0.25;

export interface Costed {
  readonly stored: StoredMemory;
  readonly memory: RecalledMemory;
}

export interface Fitted {
  readonly memories: readonly RecalledMemory[];
  readonly tokensUsed: number;
}

export interface Budget {
  /** o200k_base tokens. */
  readonly tokens: number;
  /** Types with a share of their own. */
  readonly reserve: readonly string[];
}

/**
 * Fills a token budget in two passes: the best memory and then those of the reserved types, up to their
 * share, and after that everything else; both in the order given, and what does not fit is passed over.
 * The answer keeps that order.
 */
export async function fit(
  candidates: readonly Costed[],
  { tokens: budget, reserve }: Budget,
  deps: { engine: Engine; tokens: Tokens },
  trace: Trace,
): Promise<Fitted> {
  const costs = await costsOf(candidates, deps);
  let used = WRAPPER_TOKENS;
  const taken = new Set<number>();
  const take = (i: number): void => {
    const cost = costs[i] as number;
    if (used + cost > budget) return;
    taken.add(i);
    used += cost;
  };
  if (candidates.length > 0) take(0);
  const share = used + Math.floor((budget - used) * RESERVED_SHARE);
  for (const [i, { memory }] of candidates.entries()) {
    if (taken.has(i) || !reserve.includes(memory.type)) continue;
    if (used + (costs[i] as number) <= share) take(i);
  }
  for (const i of candidates.keys()) if (!taken.has(i)) take(i);
  const memories: RecalledMemory[] = [];
  for (const [i, { memory }] of candidates.entries()) {
    const { id, score } = memory;
    const tokens = costs[i] as number;
    if (taken.has(i)) memories.push(memory);
    else {
      const left = Math.max(0, budget - used);
      trace.lose(id, { stage: 'over_budget', score, rank: i + 1, tokens, left });
    }
  }
  const first = candidates[0];
  if (memories.length > 0 || !first) return { memories, tokensUsed: memories.length ? used : 0 };
  return cutToFit(first.memory, budget, deps.tokens);
}

/** Tokens of candidates that are all shown. */
export async function total(
  candidates: readonly Costed[],
  deps: { engine: Engine; tokens: Tokens },
): Promise<number> {
  if (candidates.length === 0) return 0;
  const costs = await costsOf(candidates, deps);
  return costs.reduce((sum, cost) => sum + cost, WRAPPER_TOKENS);
}

/**
 * Tokens of each block and its line break. Counts made at write time are used; a block that has
 * none yet, or that carries notes, is counted now, and what was missing is kept.
 */
async function costsOf(
  candidates: readonly Costed[],
  { engine, tokens }: { engine: Engine; tokens: Tokens },
): Promise<number[]> {
  const missing: TokenCount[] = [];
  const costs: number[] = [];
  for (const { stored, memory } of candidates) {
    const notes = memory.signals.map(({ message }) => message);
    if (stored.tokens !== undefined && notes.length === 0) {
      costs.push(stored.tokens + 1);
      continue;
    }
    await tokens.prepare();
    if (stored.tokens === undefined) {
      const { version } = stored;
      missing.push({ id: memory.id, version, tokens: tokens.count(renderBlock(stored.memory)) });
    }
    costs.push(tokens.count(renderBlock(stored.memory, notes)) + 1);
  }
  // An answer does not depend on whether its counts can be kept, as in a store that is read-only.
  if (missing.length > 0) await engine.putTokens(missing).catch(() => undefined);
  return costs;
}

/** When not even the best memory fits whole, its beginning is better than nothing. */
async function cutToFit(memory: RecalledMemory, budget: number, tokens: Tokens): Promise<Fitted> {
  await tokens.prepare();
  const notes = [...memory.signals.map(({ message }) => message), 'cut short'];
  const titled = { ...memory, title: memory.title ?? undefined };
  const frame = tokens.count(renderBlock({ ...titled, body: '' }, notes)) + WRAPPER_TOKENS + 4;
  const room = budget - frame;
  if (room < Math.min(LEAST_CUT_TOKENS, budget / 4)) return { memories: [], tokensUsed: 0 };
  const body = `${tokens.cut(memory.body, room - 1).trimEnd()}…`;
  const cost = tokens.count(renderBlock({ ...titled, body }, notes)) + 1 + WRAPPER_TOKENS;
  if (cost > budget) return { memories: [], tokensUsed: 0 };
  return { memories: [{ ...memory, body, truncated: true }], tokensUsed: cost };
}
