import type { ContextOptions } from '../domain/inputs.ts';
import { contextOptions } from '../domain/options.ts';
import { parseInput } from '../domain/parse.ts';
import type { ContextResult } from '../domain/results.ts';
import type { Deps } from '../ports/deps.ts';
import { bundle } from './bundle.ts';

const DEFAULT_TOKENS = 2000;

/** What a new session needs, as text: the bundle of a checkpoint without its parts. */
export async function context(options: ContextOptions, deps: Deps): Promise<ContextResult> {
  const { maxTokens = DEFAULT_TOKENS } = parseInput(contextOptions, options, 'context');
  const { text, tokensUsed, parts } = await bundle({ maxTokens }, deps);
  const ids = parts.flatMap(({ taken }) => taken.map(({ memory }) => memory.id));
  return { text, ids, tokens_used: tokensUsed };
}
