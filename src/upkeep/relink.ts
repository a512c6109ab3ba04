import type { Step } from '../domain/decide/steps.ts';
import { LociError } from '../domain/errors.ts';
import type { MigrateRelationsOptions, RelinkOptions } from '../domain/graph/inputs.ts';
import { migrateRelationsOptions, relinkOptions } from '../domain/graph/options.ts';
import type {
  MigrateRelationsResult,
  RelinkResult,
  UnresolvedName,
} from '../domain/graph/results.ts';
import { parseInput } from '../domain/parse.ts';
import type { Edge } from '../domain/relation.ts';
import { planMigration, planRelink, type PlannedLinks } from '../graph/plan-links.ts';
import type { Deps } from '../ports/deps.ts';
import { runPlan, runResult } from './run-plan.ts';

/**
 * Brings the edges that links in bodies make up to date, as one run: new ones are added, and those of
 * links that are gone are taken away. What was stated or classified stays as it is.
 */
export async function relink(options: RelinkOptions, deps: Deps): Promise<RelinkResult> {
  const apply = isAsked(parseInput(relinkOptions, options, 'relink'), 'relink');
  return bringUpToDate('relink', planRelink(deps), apply, deps);
}

/** Takes over the edges that another system kept in front matter and in texts, as one run. */
export async function migrateRelations(
  options: MigrateRelationsOptions,
  deps: Deps,
): Promise<MigrateRelationsResult> {
  const verb = 'migrate-relations';
  const apply = isAsked(parseInput(migrateRelationsOptions, options, verb), verb);
  return bringUpToDate(verb, planMigration(deps), apply, deps);
}

function isAsked({ apply = false, dryRun = false }: RelinkOptions, verb: string): boolean {
  if (!apply || !dryRun) return apply;
  throw new LociError(
    'invalid_input',
    `${verb}: apply and dry_run exclude each other`,
    'Look at a dry run first, then give --apply alone.',
  );
}

/** Told of each name: thousands of notes may share one, and each names it. */
const MOST_CANDIDATES = 10;

async function bringUpToDate(
  verb: string,
  plans: AsyncIterable<PlannedLinks>,
  apply: boolean,
  deps: Deps,
): Promise<RelinkResult> {
  const steps: Step[] = [];
  const planned = new Map<string, PlannedLinks>();
  const unresolved: UnresolvedName[] = [];
  for await (const plan of plans) {
    const source = plan.memory.id;
    for (const { name, candidates, isMeant } of plan.open) {
      if (candidates.length === 0 && !isMeant) continue;
      unresolved.push({ source, name, candidates: candidates.slice(0, MOST_CANDIDATES) });
    }
    if (!plan.step) continue;
    steps.push(plan.step);
    planned.set(source, plan);
  }
  const done = await runPlan(verb, steps, !apply, deps);
  const edges = (side: 'added' | 'removed'): Edge[] =>
    done.applied.flatMap(({ before: { id } }) =>
      (planned.get(id)?.[side] ?? []).map((relation) => ({ source: id, ...relation })),
    );
  return {
    ...runResult(done, !apply),
    added: edges('added'),
    removed: edges('removed'),
    ambiguous: unresolved.filter(({ candidates }) => candidates.length > 0),
    dangling: unresolved.filter(({ candidates }) => candidates.length === 0),
  };
}
