import type { Memory } from '../domain/memory.ts';
import type { RecallOptions } from '../domain/inputs.ts';
import { DEFAULT_WEIGHTS } from '../domain/ranking/settings.ts';
import type { RecalledMemory, RecallResult } from '../domain/results.ts';
import { parseQuery } from '../domain/text/query.ts';
import type { View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import { currentView } from '../ports/scope.ts';
import { anchorsInTime } from './anchors.ts';
import { fit, total, type Costed, type Fitted } from './budget.ts';
import type { Found } from './candidate.ts';
import { currentFirst } from './current-first.ts';
import { diversify } from './diversify.ts';
import { knownEntities } from './entities.ts';
import { resolveEntity } from './entity.ts';
import { explainRecall } from './explain.ts';
import { gather } from './gather.ts';
import { ownFirst } from './own-first.ts';
import { progressive } from './progressive.ts';
import { parseRecall, wishOf, type Wish } from './question.ts';
import { isReplaced, seenOnly } from '../ports/seen-only.ts';
import { shown } from './shown.ts';
import { timesOf } from './times.ts';
import { Trace } from './trace.ts';
import { whyNot } from './why-not.ts';

/** A best hit whose words match less of the question than this may be about something else. */
const WEAK_SHARE = 0.35;

/**
 * The read story: parse → channels side by side → fuse → score → floor → tiers → diversity → limit or
 * budget → signals. Each stage notes in one trace what it leaves out; explain and why-not read it.
 */
export async function recall(options: RecallOptions, present: Deps): Promise<RecallResult> {
  const parsed = parseRecall(options);
  const { bounds, window, deps } = await timesOf(parsed, present);
  const { engine, clock } = deps;
  const nowMs = clock.nowMs();
  const view = await currentView(present, parsed.allProjects);
  const isPast = parsed.asOf !== undefined || parsed.asRecorded !== undefined;
  const { weights = DEFAULT_WEIGHTS } = deps;
  const entities = await knownEntities(engine, view);
  const wish = wishOf(parsed, { nowMs, bounds, weights, entities });
  const { text } = wish;
  const trace = new Trace();
  const gathering = (k: number) => gather(wish, { view, k, nowMs }, deps);

  const { found, unmatched, respelled, warnings, channels } = await gathering(wish.wanted);
  const own = await ownFirst(found, deps, view, ({ id, score }, of) => {
    trace.lose(id, { stage: 'copy', score, of });
  });
  const above = aboveFloor(own, wish, trace);
  // Only what was asked for in spite of a successor needs to be looked at.
  const strong = parsed.includeSuperseded ? currentFirst(above) : above;
  const query = parseQuery(text ?? '');
  const { kept, stoppedAt } = stopEarly(strong, { query, ...wish }, trace);
  const ranked = diversify(kept, wish, trace);
  const { memories, tokensUsed } = await fitting(
    ranked,
    { wish, view, nowMs, isPast },
    deps,
    trace,
  );

  const told = { wish, view, trace, results: memories, gatherMore: gathering };
  return {
    results: memories,
    coverage: {
      unmatched,
      ...(respelled.length > 0 ? { respelled } : {}),
      newest: latest(memories.map(({ created_at }) => created_at)),
      strength: strengthOf(ranked),
      ...(stoppedAt === undefined ? {} : { stopped_at: stoppedAt }),
    },
    ...(parsed.entity === undefined
      ? {}
      : await resolveEntity(parsed.entity, { known: entities, view }, engine)),
    ...(parsed.whyNot === undefined ? {} : { why_not: await whyNot(parsed.whyNot, told, engine) }),
    ...(wish.explain
      ? { explain: await explainRecall(wish, { view, trace, channels }, engine) }
      : {}),
    ...(window ? { window } : {}),
    tokens_used: tokensUsed,
    warnings: [
      ...deps.notices,
      // An embedder that did not answer now is the reason for what it left undone before: said once.
      ...(warnings.length > 0 ? warnings : (deps.vectors?.warnings() ?? [])),
      ...(parsed.limit !== undefined && wish.budget !== undefined
        ? ['limit is ignored: max_tokens decides how many memories fit']
        : []),
    ],
  };
}

function aboveFloor(found: readonly Found[], { floor }: Wish, trace: Trace): readonly Found[] {
  return found.filter(({ id, score }) => {
    if (score >= floor && (score > 0 || floor === 0)) return true;
    trace.lose(id, { stage: 'below_min_score', score, floor });
    return false;
  });
}

/** Without a query, and where a tier is named, there is nothing to stop at. */
function stopEarly(
  strong: readonly Found[],
  {
    query,
    threshold,
    weights,
  }: Pick<Wish, 'threshold' | 'weights'> & { query: ReturnType<typeof parseQuery> },
  trace: Trace,
): ReturnType<typeof progressive> {
  if (threshold === undefined || query.terms.length === 0) return { kept: strong };
  return progressive(strong, { query, threshold, certainty: weights.keyword.certainty }, trace);
}

/** As many as were asked for, or as fit, with what a reader must know of each. */
async function fitting(
  ranked: readonly Found[],
  { wish, view, nowMs, isPast }: { wish: Wish; view: View; nowMs: number; isPast: boolean },
  deps: Deps,
  trace: Trace,
): Promise<Fitted> {
  const { budget, limit, reserve, parsed } = wish;
  const wanted = budget === undefined ? ranked.slice(0, limit) : ranked;
  for (const [i, { id, score }] of ranked.slice(wanted.length).entries()) {
    trace.lose(id, { stage: 'beyond_limit', score, rank: limit + i + 1, limit });
  }
  const edges = await deps.engine.edges(
    wanted.map(({ id }) => id),
    view,
  );
  // What the code says today says nothing about then.
  const anchors = isPast ? undefined : await anchorsInTime(wanted.map(memoryOf), deps);
  const replaced = wanted.map(({ stored }) => stored.memory).filter(isReplaced);
  const { sees } = await seenOnly(replaced, view, deps.engine);
  const ready = wanted.map(({ stored, score, explain }): Costed => {
    const memory: RecalledMemory = {
      ...shown(stored, score, { nowMs, edges, anchors, sees }),
      ...(parsed.entity === undefined ? {} : { entity_links: stored.memory.entities }),
      ...(explain ? { explain } : {}),
    };
    return { stored, memory };
  });
  if (budget !== undefined) return fit(ready, { tokens: budget, reserve }, deps, trace);
  const memories = ready.map(({ memory }) => memory);
  return { memories, tokensUsed: await total(ready, deps) };
}

function memoryOf({ stored }: Found): Memory {
  return stored.memory;
}

function strengthOf([best]: readonly Found[]): 'strong' | 'weak' | 'none' {
  if (!best) return 'none';
  return (best.keyword ?? 1) >= WEAK_SHARE ? 'strong' : 'weak';
}

function latest(times: readonly string[]): string | null {
  return times.reduce<string | null>((last, time) => (last && last > time ? last : time), null);
}
