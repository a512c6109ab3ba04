import { LociError } from '../domain/errors.ts';
import type { StoredMemory } from '../domain/memory.ts';
import type { SearchOptions } from '../domain/inputs.ts';
import { searchOptions } from '../domain/options.ts';
import { parseInput } from '../domain/parse.ts';
import { DEFAULT_WEIGHTS } from '../domain/ranking/settings.ts';
import type { RecalledMemory, SearchResult } from '../domain/results.ts';
import { parseQuery } from '../domain/text/query.ts';
import type { Filter, View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import type { SortKey } from '../ports/engine.ts';
import { currentView } from '../ports/scope.ts';
import { knownEntities } from './entities.ts';
import { entityFilter } from './entity.ts';
import { filterOf } from './filter.ts';
import { find, type Matches } from './find.ts';
import { holding } from './listing.ts';
import { isReplaced, seenOnly } from '../ports/seen-only.ts';
import { shown } from './shown.ts';
import { timesOf } from './times.ts';

const DEFAULT_LIMIT = 20;
/** Characters of a body that a page shows; `get` gives the whole. */
const PREVIEW_CHARACTERS = 300;
/** Hits that a keyword search can page through. */
const MOST_HITS = 10_000;

/** Where a page ended; opaque to callers. */
type Cursor =
  | { readonly offset: number }
  | { readonly value: string | number; readonly id: string };

interface Page {
  readonly rows: readonly { stored: StoredMemory; score: number }[];
  readonly total: number;
  readonly next?: Cursor;
}

const EVIDENCE = { keyword: 'words', vector: 'meaning', filter: 'words' } as const;

type Parsed = ReturnType<typeof parse>;

/** Lists memories by filter, or by keywords with filters, page by page. */
export async function search(options: SearchOptions, present: Deps): Promise<SearchResult> {
  const parsed = parse(options);
  const { bounds, window, deps } = await timesOf(parsed, present);
  const nowMs = deps.clock.nowMs();
  const view = await currentView(present, parsed.allProjects);
  const entities = await knownEntities(deps.engine, view);
  const status = parsed.status ?? ['active'];
  const filter = {
    ...filterOf({ ...parsed, status }),
    ...entityFilter(parsed.entity, entities),
    ...bounds,
    ...(parsed.status || parsed.asOf !== undefined ? {} : { validAtMs: nowMs }),
  };
  const byWords = wantsWords(parsed);
  const page = byWords
    ? await keywordPage(parsed, view, filter, deps)
    : await filterPage(parsed, view, filter, deps);
  const ids = page.rows.map(({ stored }) => stored.memory.id);
  const edges = await deps.engine.edges(ids, view);
  const replaced = page.rows.map(({ stored }) => stored.memory).filter(isReplaced);
  const { sees } = await seenOnly(replaced, view, deps.engine);
  return {
    results: page.rows.map(({ stored, score }) =>
      preview(shown(stored, score, { nowMs, edges, sees })),
    ),
    total: page.total,
    ...(window ? { window } : {}),
    next_cursor: page.next ? encode(page.next) : null,
  };
}

function parse(options: SearchOptions) {
  return parseInput(searchOptions, options, 'search');
}

function wantsWords({ mode, query, sort }: Parsed): boolean {
  const blank = query === undefined || query.trim() === '';
  if (mode !== undefined && mode !== 'filter' && blank) {
    throw new LociError('invalid_input', 'query is empty', `Mode ${mode} needs text.`);
  }
  if (sort === 'score' && blank) {
    throw new LociError('invalid_input', 'sort is "score" without a query', 'Give a query.');
  }
  return !blank && mode !== 'filter';
}

async function keywordPage(parsed: Parsed, view: View, filter: Filter, deps: Deps): Promise<Page> {
  const { engine } = deps;
  const { limit = DEFAULT_LIMIT, sort = 'score', query: text = '', mode } = parsed;
  const cursor = decode(parsed.cursor);
  if (cursor && !('offset' in cursor)) throw foreignCursor();
  const offset = cursor?.offset ?? 0;
  const query = parseQuery(text);
  const k = sort === 'score' ? Math.min(MOST_HITS, offset + limit + 1) : MOST_HITS;
  let rows: readonly { stored: StoredMemory; score: number }[];
  let total: number;
  if (query.terms.length > 0) {
    const evidence = mode === 'hybrid' ? {} : { evidence: EVIDENCE[mode ?? 'keyword'] };
    const { weights = DEFAULT_WEIGHTS } = deps;
    const question = { view, filter, query, k, explain: false, weights, entities: [], ...evidence };
    const answer = await find(question, deps);
    rows = answer.found;
    total = totalOf(answer, mode);
  } else {
    const held = await holding(engine, { view, filter, text: text.trim(), limit: MOST_HITS });
    rows = held.map((stored) => ({ stored, score: 0.5 }));
    total = rows.length;
  }
  if (sort !== 'score') rows = [...rows].sort(byField(sort));
  const page = rows.slice(offset, offset + limit);
  const end = offset + page.length;
  const more = page.length === limit && end < Math.min(total, MOST_HITS);
  return { rows: page, total, ...(more ? { next: { offset: end } } : {}) };
}

/** How many rows there are to page through, as far as they are known. */
function totalOf({ found, matched, compared }: Matches, mode: Parsed['mode']): number {
  if (mode === 'vector') return Math.max(found.length, compared);
  return mode === 'hybrid' ? Math.max(found.length, matched, compared) : matched;
}

function byField(sort: SortKey) {
  return ({ stored: a }: { stored: StoredMemory }, { stored: b }: { stored: StoredMemory }) => {
    const [x, y] = [a.memory[sort], b.memory[sort]];
    if (x !== y) return x < y ? 1 : -1;
    return a.memory.id < b.memory.id ? 1 : -1;
  };
}

async function filterPage(
  parsed: Parsed,
  view: View,
  filter: Filter,
  { engine }: Deps,
): Promise<Page> {
  const { limit = DEFAULT_LIMIT } = parsed;
  const sort: SortKey =
    parsed.sort === undefined || parsed.sort === 'score' ? 'created_at' : parsed.sort;
  const cursor = decode(parsed.cursor);
  if (cursor && !('id' in cursor)) throw foreignCursor();
  const after = cursor ? { after: cursor } : {};
  const request = { view, filter, sort, descending: sort !== 'id', limit: limit + 1, ...after };
  const { rows, total } = await engine.select(request);
  const page = rows.slice(0, limit);
  const last = page.at(-1)?.memory;
  const next = rows.length > limit && last ? { next: { value: last[sort], id: last.id } } : {};
  return { rows: page.map((stored) => ({ stored, score: 0 })), total, ...next };
}

function preview(memory: RecalledMemory): RecalledMemory {
  if (memory.body.length <= PREVIEW_CHARACTERS) return memory;
  // A pair of surrogates is one character: it is not cut in two.
  const cut = memory.body.slice(0, PREVIEW_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
  return { ...memory, body: `${cut.trimEnd()}…`, truncated: true };
}

function encode(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** @throws LociError invalid_input when it was not made by this search */
function decode(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString()) as Partial<{
      offset: number;
      value: string | number;
      id: string;
    }>;
    if (Number.isInteger(value.offset) && (value.offset as number) >= 0) return value as Cursor;
    if (typeof value.id === 'string' && value.value !== undefined) return value as Cursor;
  } catch {
    // Falls through: whatever it was, it is no cursor.
  }
  throw foreignCursor();
}

function foreignCursor(): LociError {
  return new LociError(
    'invalid_input',
    'cursor is none that this search gave out',
    'Pass next_cursor of the page before with the same query, or leave it out to start again.',
  );
}
