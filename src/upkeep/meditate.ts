import { alikeGroups, type AlikeGroup } from '../domain/alike.ts';
import type { Step } from '../domain/decide/steps.ts';
import { drawerOf } from '../domain/identity.ts';
import { TIERS, type Tier } from '../domain/lifecycle.ts';
import type { Memory } from '../domain/memory.ts';
import { parseInput } from '../domain/parse.ts';
import { STALE_AFTER_DAYS, staleStep } from '../domain/stale.ts';
import type { MeditateOptions } from '../domain/upkeep-inputs.ts';
import { meditateOptions } from '../domain/upkeep-options.ts';
import type { MeditateResult } from '../domain/upkeep-results.ts';
import type { View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import { confinedView } from '../ports/scope.ts';
import { lintChecked } from './lint.ts';
import { isDerived } from './reflect/find-conflicts.ts';
import { idsOfRule, runPlan, runResult } from './run-plan.ts';
import { selectAll } from './select-all.ts';

const DAY_MS = 86_400_000;
/** Memories read at a time. */
const PAGE = 500;
const LIVE = ['active', 'draft'] as const;

/**
 * Archives what nobody has changed for as long as its tier allows, as one run, and reports memories
 * that say the same. Preferences never grow old.
 */
export async function meditate(options: MeditateOptions, deps: Deps): Promise<MeditateResult> {
  const parsed = parseInput(meditateOptions, options, 'meditate');
  const { mode = 'full', includeLint = false, dryRun = false } = parsed;
  const view = await confinedView(deps);
  const linted = includeLint ? { lint_findings: (await lintChecked({}, deps)).findings } : {};
  const stale = mode === 'duplicates' ? [] : await staleSteps(view, deps);
  const done = await runPlan('meditate', stale, dryRun, deps);
  const archived = idsOfRule(done, 'stale');
  const duplicates = mode === 'stale' ? [] : await duplicatesAmong(view, new Set(archived), deps);
  return { ...runResult(done, dryRun), archived, duplicates, ...linted };
}

async function staleSteps(view: View, deps: Deps): Promise<readonly Step[]> {
  const steps: Step[] = [];
  for (const tier of TIERS) {
    const days = STALE_AFTER_DAYS[tier];
    if (days === null) continue;
    const beforeMs = deps.clock.nowMs() - days * DAY_MS;
    for await (const memory of unchangedSince(beforeMs, tier, view, deps)) {
      steps.push(staleStep(memory));
    }
  }
  return steps.sort((a, b) => (a.before.id < b.before.id ? -1 : 1));
}

/** What was changed longest ago comes first, so that the young ones are never read. */
async function* unchangedSince(
  beforeMs: number,
  tier: Tier,
  view: View,
  { engine }: Pick<Deps, 'engine'>,
): AsyncIterable<Memory> {
  let after: { value: string; id: string } | undefined;
  for (;;) {
    const { rows } = await engine.select({
      view,
      filter: { statuses: LIVE, tiers: [tier] },
      sort: 'updated_at',
      descending: false,
      limit: PAGE,
      ...(after ? { after } : {}),
    });
    for (const stored of rows) {
      if (Date.parse(stored.memory.updated_at) > beforeMs) return;
      if (!isDerived(stored)) yield stored.memory;
    }
    const last = rows.at(-1)?.memory;
    if (!last || rows.length < PAGE) return;
    after = { value: last.updated_at, id: last.id };
  }
}

/** Texts of two drawers are never compared. */
async function duplicatesAmong(
  view: View,
  archived: ReadonlySet<string>,
  deps: Deps,
): Promise<readonly AlikeGroup[]> {
  const drawers = new Map<string, Memory[]>();
  for await (const stored of selectAll(view, { statuses: LIVE }, deps)) {
    const { memory } = stored;
    if (archived.has(memory.id) || isDerived(stored)) continue;
    const drawer = drawerOf(memory, deps.engine.isolated);
    const known = drawers.get(drawer);
    if (known) known.push(memory);
    else drawers.set(drawer, [memory]);
  }
  return [...drawers.values()].flatMap(alikeGroups);
}
