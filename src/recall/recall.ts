import type { RecallOptions } from '../domain/inputs.ts';
import { recallOptions } from '../domain/options.ts';
import { parseInput } from '../domain/parse.ts';
import { DEFAULT_MIN_SCORE } from '../domain/ranking/weights.ts';
import type { RecallResult } from '../domain/results.ts';
import { parseQuery } from '../domain/text/query.ts';
import type { Filter, View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import { currentView } from '../ports/scope.ts';
import { fit, total, type Costed } from './budget.ts';
import { currentFirst } from './current-first.ts';
import { diversify } from './diversify.ts';
import { filterOf } from './filter.ts';
import { find, type Answer, type Found } from './find.ts';
import { holding, newest } from './listing.ts';
import { progressive } from './progressive.ts';
import { shown } from './shown.ts';
import { timesOf } from './times.ts';
import { whyNot } from './why-not.ts';

const DEFAULT_LIMIT = 10;
const DEFAULT_DIVERSITY = 0.7;
const DEFAULT_THRESHOLD = 0.82;
/** Questions of common words only are not answered for sure by whoever holds them. */
const SPECIFIC = 0.5;
/** A best hit whose words match less of the question than this may be about something else. */
const WEAK_SHARE = 0.35;
/** No budget holds more memories than this many tokens each allow. */
const LEAST_TOKENS = 12;
const MOST_CANDIDATES = 2000;
/** Score of a memory that holds a question without words literally. */
const LITERAL_SCORE = 0.5;

type Parsed = ReturnType<typeof parse>;

/**
 * The read story: parse → view and filter → channels → score → floor → limit or budget → signals.
 * Without a query it lists what is newest.
 */
export async function recall(options: RecallOptions, present: Deps): Promise<RecallResult> {
  const parsed = parse(options);
  const { bounds, window, deps } = await timesOf(parsed, present);
  const { engine, clock } = deps;
  const nowMs = clock.nowMs();
  const view = await currentView(present, parsed.allProjects);
  const filter = { ...recallFilter(parsed, nowMs), ...bounds };
  const { found, unmatched, specificity, warnings } = await candidates(
    parsed,
    { view, filter },
    deps,
  );
  const floor = parsed.query === undefined ? 0 : (parsed.minScore ?? DEFAULT_MIN_SCORE);
  const above = found.filter(({ score }) => score >= floor && (score > 0 || floor === 0));
  // Only what was asked for in spite of a successor needs to be looked at.
  const strong = parsed.includeSuperseded ? currentFirst(above) : above;
  const { kept: inTiers, stoppedAt } = stopEarly(parsed, strong, specificity);
  const { kept: ranked, copies } = diversify(inTiers, lambdaOf(parsed));
  const wanted = parsed.maxTokens === undefined ? ranked.slice(0, limitOf(parsed)) : ranked;
  const edges = await engine.edges(
    wanted.map(({ stored }) => stored.memory.id),
    view,
  );
  const ready = wanted.map(({ stored, score, explain }): Costed => {
    const memory = shown(stored, score, { nowMs, edges });
    return { stored, memory: explain ? { ...memory, explain } : memory };
  });
  const { memories, tokensUsed } =
    parsed.maxTokens === undefined
      ? { memories: ready.map(({ memory }) => memory), tokensUsed: await total(ready, deps) }
      : await fit(ready, parsed.maxTokens, deps);
  const stages = {
    view,
    filter,
    found,
    floor,
    strong,
    inTiers,
    stoppedAt,
    copies,
    ranked,
    limit: parsed.maxTokens === undefined ? limitOf(parsed) : undefined,
    shown: memories.map(({ id }) => id),
  };
  return {
    results: memories,
    coverage: {
      unmatched,
      newest: latest(memories.map(({ created_at }) => created_at)),
      strength: strengthOf(ranked),
      ...(stoppedAt === undefined ? {} : { stopped_at: stoppedAt }),
    },
    ...(parsed.whyNot === undefined
      ? {}
      : { why_not: await whyNot(parsed.whyNot, stages, engine) }),
    ...(parsed.entity === undefined ? {} : { entity_resolved: await resolved(parsed, view, deps) }),
    ...(window ? { window } : {}),
    tokens_used: tokensUsed,
    warnings: [...deps.notices, ...(deps.vectors?.warnings() ?? []), ...warnings],
  };
}

function parse(options: RecallOptions) {
  return parseInput(recallOptions, options, 'recall');
}

function limitOf({ limit, maxTokens }: Parsed): number {
  if (maxTokens === undefined) return limit ?? DEFAULT_LIMIT;
  return Math.min(MOST_CANDIDATES, Math.ceil(maxTokens / LEAST_TOKENS));
}

/** Without a query, and where a tier is named, there is nothing to stop at. */
function stopEarly(parsed: Parsed, strong: readonly Found[], specificity: number) {
  const { query, tier, progressive: wanted = true, confidenceThreshold } = parsed;
  if (!wanted || query === undefined || tier !== undefined) return { kept: strong };
  // How to "run the tests" is in half of all notes: none of them answers for sure.
  if (specificity < SPECIFIC) return { kept: strong };
  return progressive(strong, parseQuery(query), confidenceThreshold ?? DEFAULT_THRESHOLD);
}

function lambdaOf({ query, diversity = DEFAULT_DIVERSITY }: Parsed): number {
  return query === undefined ? 1 : diversity;
}

function strengthOf([best]: readonly Found[]): 'strong' | 'weak' | 'none' {
  if (!best) return 'none';
  return (best.keyword ?? 1) >= WEAK_SHARE ? 'strong' : 'weak';
}

/** What recall leaves out unless it is asked for: drafts, and what is replaced or expired. */
function recallFilter(parsed: Parsed, nowMs: number): Filter {
  const { includeDrafts, includeSuperseded, includeEpisodes, type, asOf, query } = parsed;
  const status = [
    'active',
    ...(includeDrafts ? ['draft'] : []),
    ...(includeSuperseded ? ['superseded'] : []),
  ];
  // A question may be answered by a session's summary; a listing of what is newest is not for them.
  const wantsEpisodes = query !== undefined || includeEpisodes || type?.includes('episode');
  return {
    ...filterOf({ ...parsed, status }),
    ...(wantsEpisodes ? {} : { notTypes: ['episode'] }),
    ...(includeSuperseded || asOf !== undefined ? {} : { validAtMs: nowMs }),
  };
}

async function candidates(
  parsed: Parsed,
  { view, filter }: { view: View; filter: Filter },
  deps: Deps,
): Promise<Answer> {
  const { engine } = deps;
  const k = limitOf(parsed);
  const { query: text, explain = false } = parsed;
  if (text === undefined) {
    const rows = await newest(engine, view, filter, k);
    return {
      found: rows.map((stored) => ({ stored, score: 0 })),
      unmatched: [],
      specificity: 0,
      warnings: [],
    };
  }
  if (text.trim() === '') return { found: [], unmatched: [], specificity: 0, warnings: [] };
  const query = parseQuery(text);
  if (query.terms.length > 0) return find({ view, filter, query, k, explain }, deps);
  const rows = await holding(engine, { view, filter, text: text.trim(), limit: k });
  const found: Found[] = rows.map((stored) => ({ stored, score: LITERAL_SCORE }));
  return { found, unmatched: found.length > 0 ? [] : [text.trim()], specificity: 0, warnings: [] };
}

/** Whether any visible memory is linked to an entity of this name. */
async function resolved({ entity = '' }: Parsed, view: View, { engine }: Deps): Promise<boolean> {
  return (await newest(engine, view, { entity: entity.toLowerCase() }, 1)).length > 0;
}

function latest(times: readonly string[]): string | null {
  return times.reduce<string | null>((last, time) => (last && last > time ? last : time), null);
}
