import type { Step } from '../domain/decide/steps.ts';
import { parseInput } from '../domain/parse.ts';
import type { GcOptions } from '../domain/inputs.ts';
import { gcOptions } from '../domain/options.ts';
import type { GcResult } from '../domain/results.ts';
import { expireStep } from '../domain/upkeep.ts';
import type { Deps } from '../ports/deps.ts';
import { confinedView } from '../ports/scope.ts';
import { idsOfRule, runPlan, runResult } from './run-plan.ts';
import { selectAll } from './select-all.ts';

/** Archives what has outlived its time to live or validity, as one run. Nothing else is touched. */
export async function gc(options: GcOptions, deps: Deps): Promise<GcResult> {
  const { dryRun = false } = parseInput(gcOptions, options, 'gc');
  const nowMs = deps.clock.nowMs();
  const filter = { statuses: ['active', 'draft'], endedByMs: nowMs } as const;
  const steps: Step[] = [];
  for await (const { memory } of selectAll(await confinedView(deps), filter, deps)) {
    steps.push(expireStep(memory));
  }
  const done = await runPlan('gc', steps, dryRun, deps);
  return { ...runResult(done, dryRun), expired: idsOfRule(done, 'expire') };
}
