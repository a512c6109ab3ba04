import { renderBlock } from '../domain/block.ts';
import type { Change } from '../domain/change.ts';
import type { Memory } from '../domain/memory.ts';
import type { Tokens } from '../ports/tokens.ts';

/** Tokens are counted once, when a memory is written, so that no read has to load the tokeniser. */
export function counted(change: Change, tokens: Tokens): Change {
  if (change.tokens !== undefined) return change;
  return { ...change, tokens: tokens.count(renderBlock(change.data as Memory)) };
}
