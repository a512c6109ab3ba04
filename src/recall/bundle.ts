import { renderBlock } from '../domain/block.ts';
import type { StoredMemory } from '../domain/memory.ts';
import type { RecalledMemory } from '../domain/results.ts';
import type { Filter, View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import { currentView } from '../ports/scope.ts';
import { partsFor, type BundlePart } from './bundle-parts.ts';
import { ownFirst } from './own-first.ts';
import { isReplaced, seenOnly } from '../ports/seen-only.ts';
import { shown } from './shown.ts';

/** A memory of a bundle, and the block that stands for it in the text. */
interface Entry {
  readonly memory: RecalledMemory;
  readonly block: string;
  /** Tokens of the block and its line break. */
  readonly cost: number;
}

export interface FilledPart {
  readonly part: BundlePart;
  readonly taken: readonly Entry[];
  /** How many more there are. */
  readonly leftOut: number;
}

export interface Bundle {
  readonly text: string;
  /** Of the text, counted. */
  readonly tokensUsed: number;
  /** Parts that have something in them or have left something out. */
  readonly parts: readonly FilledPart[];
  /** The session that hands over; undefined = none is known. */
  readonly sessionId: string | undefined;
}

interface Filling {
  readonly part: BundlePart;
  readonly total: number;
  waiting: Entry[];
  taken: Entry[];
}

/**
 * What a new session needs within a token budget, in two passes: each part its share, newest first, and
 * then what is left over in the order of the parts. A memory stands there once, and whole or not at all.
 */
export async function bundle(
  { maxTokens, sessionId: asked }: { maxTokens: number; sessionId?: string | undefined },
  deps: Deps,
): Promise<Bundle> {
  const view = await currentView(deps);
  await deps.tokens.prepare();
  const current: Filter = { statuses: ['active'], validAtMs: deps.clock.nowMs() };
  const sessionId = asked ?? (await lastSession(view, current, deps));
  const fillings = await read(partsFor(sessionId), { view, current }, deps);
  fill(fillings, maxTokens, deps);
  let text = render(fillings);
  // Sums of counts bound the count of the whole but for a rare token across a border.
  for (let over = overFull(); over; over = overFull()) {
    over.taken.pop();
    text = render(fillings);
  }
  return {
    text,
    tokensUsed: text === '' ? 0 : deps.tokens.count(text),
    parts: fillings
      .map(({ part, total, taken }) => ({ part, taken, leftOut: total - taken.length }))
      .filter(({ taken, leftOut }) => taken.length + leftOut > 0),
    sessionId,
  };

  function overFull(): Filling | undefined {
    if (text === '' || deps.tokens.count(text) <= maxTokens) return undefined;
    return fillings.findLast(({ taken }) => taken.length > 0);
  }
}

/** The session that was summed up last. */
async function lastSession(
  view: View,
  current: Filter,
  { engine }: Deps,
): Promise<string | undefined> {
  const filter = { ...current, types: ['episode'] };
  const order = { sort: 'created_at', descending: true } as const;
  const { rows } = await engine.select({ view, filter, ...order, limit: 1 });
  return rows[0]?.memory.session_id;
}

async function read(
  parts: readonly BundlePart[],
  { view, current }: { view: View; current: Filter },
  deps: Deps,
): Promise<Filling[]> {
  const { engine, clock, tokens } = deps;
  const pages: { part: BundlePart; total: number; rows: readonly StoredMemory[] }[] = [];
  const seen = new Set<string>();
  for (const part of parts) {
    const filter = { ...current, ...part.filter };
    const order = { sort: 'created_at', descending: true } as const;
    const page = await engine.select({ view, filter, ...order, limit: part.most });
    // What a session handed over has been learnt recently, too.
    const others = page.rows.filter(({ memory }) => !seen.has(memory.id));
    const own = await ownFirst(
      others.map((stored) => ({ stored })),
      deps,
      view,
    );
    const rows = own.map(({ stored }) => stored);
    for (const { memory } of rows) seen.add(memory.id);
    pages.push({ part, total: page.total - (page.rows.length - rows.length), rows });
  }
  const edges = await engine.edges([...seen], view);
  const nowMs = clock.nowMs();
  const memories = pages.flatMap(({ rows }) => rows.map(({ memory }) => memory));
  const { sees } = await seenOnly(memories.filter(isReplaced), view, engine);
  return pages.map(({ part, total, rows }) => {
    const waiting = rows.map((stored): Entry => {
      const memory = shown(stored, 0, { nowMs, edges, sees });
      const notes = memory.signals.map(({ message }) => message);
      const block = renderBlock(stored.memory, notes);
      const known = notes.length === 0 ? stored.tokens : undefined;
      return { memory, block, cost: (known ?? tokens.count(block)) + 1 };
    });
    return { part, total, waiting, taken: [] };
  });
}

function fill(fillings: readonly Filling[], maxTokens: number, { tokens }: Deps): void {
  let left = maxTokens;
  const take = (filling: Filling, limit: number): void => {
    let spent = 0;
    const passed: Entry[] = [];
    for (const entry of filling.waiting) {
      const isFirst = filling.taken.length === 0;
      const heading = isFirst ? tokens.count(`## ${filling.part.heading}`) + 2 : 0;
      const cost = heading + entry.cost + 1;
      if (cost > left || spent + cost > limit) {
        passed.push(entry);
        continue;
      }
      filling.taken.push(entry);
      spent += cost;
      left -= cost;
    }
    filling.waiting = passed;
  };
  // Of what has nothing to say nobody keeps a share.
  const speaking = fillings.filter(({ waiting }) => waiting.length > 0);
  const shares = speaking.reduce((sum, { part }) => sum + part.share, 0);
  for (const filling of speaking) take(filling, (filling.part.share / shares) * maxTokens);
  for (const filling of speaking) take(filling, left);
  for (const filling of fillings) filling.taken = newestFirst(filling.taken);
}

/** The second pass may have taken what the first left out for its size. */
function newestFirst(entries: readonly Entry[]): Entry[] {
  return [...entries].sort(
    ({ memory: a }, { memory: b }) =>
      descending(a.created_at, b.created_at) || descending(a.id, b.id),
  );
}

function descending(a: string, b: string): number {
  return a < b ? 1 : a > b ? -1 : 0;
}

function render(fillings: readonly Filling[]): string {
  return fillings
    .filter(({ taken }) => taken.length > 0)
    .map(({ part, taken }) => [`## ${part.heading}`, ...taken.map(({ block }) => block)].join('\n'))
    .join('\n\n');
}
