import { renderBlock } from '../domain/block.ts';
import type { StoredMemory } from '../domain/memory.ts';
import type { ContextOptions } from '../domain/inputs.ts';
import { contextOptions } from '../domain/options.ts';
import { parseInput } from '../domain/parse.ts';
import type { ContextResult } from '../domain/results.ts';
import type { Filter, View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import { currentView } from '../ports/scope.ts';
import { newest } from './listing.ts';
import { ownFirst } from './own-first.ts';

const DEFAULT_TOKENS = 2000;
/** Memories read of each part: more than a session could use. */
const READ = 100;

interface Part {
  readonly heading: string;
  readonly filter: Filter;
  /** Share of the budget that is kept for it in the first pass. */
  readonly share: number;
}

/** What a new session needs, the most binding first. */
const PARTS: readonly Part[] = [
  { heading: 'Constraints', filter: { types: ['constraint'] }, share: 0.3 },
  { heading: 'Decisions', filter: { types: ['decision'] }, share: 0.25 },
  { heading: 'Preferences', filter: { types: ['preference'] }, share: 0.15 },
  { heading: 'Open questions', filter: { types: ['open_question', 'conflict'] }, share: 0.1 },
  {
    heading: 'Recently learnt',
    filter: { notTypes: ['constraint', 'decision', 'preference', 'open_question', 'conflict'] },
    share: 0.2,
  },
];

interface Filling {
  readonly part: Part;
  readonly waiting: StoredMemory[];
  readonly taken: StoredMemory[];
}

/**
 * Fills a budget in two passes: each part its share, newest first, and then what is left over in
 * the order of the parts.
 */
export async function context(options: ContextOptions, deps: Deps): Promise<ContextResult> {
  const { maxTokens = DEFAULT_TOKENS } = parseInput(contextOptions, options, 'context');
  const view = await currentView(deps);
  await deps.tokens.prepare();
  const count = (text: string): number => deps.tokens.count(text) + 1;
  const fillings = await read(view, deps);
  let left = maxTokens;
  const take = (filling: Filling, limit: number): void => {
    let spent = 0;
    for (const stored of filling.waiting.splice(0)) {
      const heading = filling.taken.length === 0 ? count(`## ${filling.part.heading}`) + 1 : 0;
      const cost = heading + (stored.tokens ?? count(renderBlock(stored.memory))) + 1;
      if (cost > left || spent + cost > limit) {
        filling.waiting.push(stored);
        continue;
      }
      filling.taken.push(stored);
      spent += cost;
      left -= cost;
    }
  };
  for (const filling of fillings) take(filling, filling.part.share * maxTokens);
  for (const filling of fillings) take(filling, left);
  const filled = fillings.filter(({ taken }) => taken.length > 0);
  const text = filled.map(render).join('\n\n');
  return {
    text,
    ids: filled.flatMap(({ taken }) => taken.map(({ memory }) => memory.id)),
    tokens_used: text === '' ? 0 : deps.tokens.count(text),
  };
}

async function read(view: View, deps: Deps): Promise<Filling[]> {
  const { engine, clock } = deps;
  const current: Filter = { statuses: ['active'], validAtMs: clock.nowMs() };
  const fillings: Filling[] = [];
  for (const part of PARTS) {
    const rows = await newest(engine, view, { ...current, ...part.filter }, READ);
    const own = await ownFirst(
      rows.map((stored) => ({ stored })),
      deps,
      view,
    );
    fillings.push({ part, waiting: own.map(({ stored }) => stored), taken: [] });
  }
  return fillings;
}

function render({ part, taken }: Filling): string {
  return [`## ${part.heading}`, ...taken.map(({ memory }) => renderBlock(memory))].join('\n');
}
