import type { Step } from '../domain/decide/steps.ts';
import { parseInput } from '../domain/parse.ts';
import type { GcOptions } from '../domain/inputs.ts';
import { gcOptions } from '../domain/options.ts';
import type { GcResult } from '../domain/results.ts';
import { expireStep } from '../domain/upkeep.ts';
import type { Deps } from '../ports/deps.ts';
import { confinedView } from '../ports/scope.ts';
import { carryOut } from './carry-out.ts';
import { selectAll } from './select-all.ts';
import { changesOf } from './steps-shown.ts';

/** Archives what has outlived its time to live or validity, as one run. Nothing else is touched. */
export async function gc(options: GcOptions, deps: Deps): Promise<GcResult> {
  const { dryRun = false } = parseInput(gcOptions, options, 'gc');
  const nowMs = deps.clock.nowMs();
  const filter = { statuses: ['active', 'draft'], endedByMs: nowMs } as const;
  const steps: Step[] = [];
  for await (const { memory } of selectAll(await confinedView(deps), filter, deps)) {
    steps.push(expireStep(memory));
  }
  const done = dryRun
    ? { run: null, applied: steps, skipped: [] }
    : await carryOut('gc', steps, deps);
  return {
    run: done.run,
    dry_run: dryRun,
    expired: done.applied.map(({ before }) => before.id),
    changes: changesOf(done.applied),
    skipped: done.skipped,
  };
}
