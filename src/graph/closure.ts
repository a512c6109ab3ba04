import { ClosureTally, closurePartOf, predictionsOf } from '../domain/graph/closure.ts';
import type { ClosureOptions } from '../domain/graph/inputs.ts';
import { closureOptions } from '../domain/graph/options.ts';
import type { ClosureResult } from '../domain/graph/results.ts';
import { parseInput } from '../domain/parse.ts';
import type { Deps } from '../ports/deps.ts';
import { currentView } from '../ports/scope.ts';
import { selectAll } from '../ports/select-all.ts';
import { trajectory } from './trajectory.ts';

const DEFAULT_DAYS = 30;

/** Measures how self-referential the visible memories are, now and on request day by day. */
export async function closure(options: ClosureOptions, deps: Deps): Promise<ClosureResult> {
  const asked = parseInput(closureOptions, options, 'closure');
  const { trajectoryDays, trajectory: wanted = trajectoryDays !== undefined } = asked;
  const view = await currentView(deps);
  const tally = new ClosureTally();
  const filter = { statuses: ['active', 'draft'] } as const;
  for await (const { memory } of selectAll(view, filter, deps)) {
    const part = closurePartOf(memory);
    if (part) tally.add(part);
  }
  const measures = tally.measure();
  return {
    ...measures,
    predictions: predictionsOf(measures),
    ...(wanted ? { trajectory: await trajectory(trajectoryDays ?? DEFAULT_DAYS, view, deps) } : {}),
  };
}
