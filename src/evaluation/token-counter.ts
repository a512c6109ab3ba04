import { renderBlock } from '../domain/block.ts';
import type { RecalledMemory } from '../domain/results.ts';
import type { Tokens } from '../ports/tokens.ts';

/** Counts what a recalled memory costs its reader: its block with a line break, each text once. */
export async function tokenCounter(tokens: Tokens): Promise<(memory: RecalledMemory) => number> {
  await tokens.prepare();
  const counted = new Map<string, number>();
  return (memory) => {
    const notes = memory.signals.map(({ message }) => message);
    const block = renderBlock({ ...memory, title: memory.title ?? undefined }, notes);
    const count = counted.get(block) ?? tokens.count(block) + 1;
    counted.set(block, count);
    return count;
  };
}
