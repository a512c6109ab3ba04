import { renderBlock } from '../domain/block.ts';
import { VIEW_ALL } from '../domain/view.ts';
import type { Engine } from '../ports/engine.ts';
import type { TokenBacklog, Tokens } from '../ports/tokens.ts';

/** Writes often come several together: they are counted as one when they pause. */
const PAUSE_MS = 150;

/**
 * Loading the tokeniser takes longer than everything else a write does, and counting a memory as
 * long as deciding about it. Neither is needed before the receipt, so both wait for a pause.
 */
export function tokenBacklog(engine: Engine, tokens: Tokens): TokenBacklog {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let counting: Promise<void> = Promise.resolve();

  const count = async (): Promise<void> => {
    const ids = [...waiting];
    waiting.clear();
    await tokens.prepare();
    const uncounted = (await engine.get(ids, VIEW_ALL)).filter(
      ({ tokens: counted }) => counted === undefined,
    );
    await engine.putTokens(
      uncounted.map(({ memory, version }) => {
        return { id: memory.id, version, tokens: tokens.count(renderBlock(memory)) };
      }),
    );
  };

  return {
    add(ids) {
      for (const id of ids) waiting.add(id);
      clearTimeout(timer);
      timer = setTimeout(() => {
        // A count that fails is made up for when the memory is recalled.
        counting = count().catch(() => undefined);
      }, PAUSE_MS);
      timer.unref();
    },
    async close() {
      clearTimeout(timer);
      await counting;
    },
  };
}
