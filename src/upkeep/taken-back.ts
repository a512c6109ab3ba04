import { canonicalJson } from '../domain/canonical.ts';
import type { SkippedStep, Step } from '../domain/decide/steps.ts';
import { isMemoryEvent, type LogEvent } from '../domain/event.ts';
import type { Memory } from '../domain/memory.ts';
import { inSameRun } from '../domain/run.ts';
import { VIEW_ALL } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';

/** A memory that was made, changed by a run and taken back has at least so many events. */
const LEAST_EVENTS = 3;

/**
 * Leaves out steps whose result somebody has taken back, as long as the memory has not changed
 * since: upkeep that runs every night must not undo an undo.
 */
export async function withoutTakenBack(
  plan: readonly Step[],
  { engine }: Pick<Deps, 'engine'>,
): Promise<{ steps: readonly Step[]; skipped: readonly SkippedStep[] }> {
  if (plan.length === 0) return { steps: [], skipped: [] };
  const stored = await engine.get(
    plan.map(({ before }) => before.id),
    VIEW_ALL,
  );
  const eventful = new Set(
    stored.filter(({ version }) => version >= LEAST_EVENTS).map(({ memory }) => memory.id),
  );
  const steps: Step[] = [];
  const skipped: SkippedStep[] = [];
  for (const step of plan) {
    const { id } = step.before;
    const back = eventful.has(id) && wasTakenBack(step, await engine.history(id));
    if (!back) steps.push(step);
    else skipped.push({ id, rule: step.rule, reason: `${back} took this back` });
  }
  return { steps, skipped };
}

/** @returns the run that took it back */
function wasTakenBack({ after }: Step, history: readonly LogEvent[]): string | undefined {
  const events = history.filter(isMemoryEvent);
  const last = events.at(-1);
  if (last?.undoes === undefined) return undefined;
  const by = last.run ?? last.id;
  const undone = events.find(({ id }) => id === last.undoes);
  // In a log that was compacted nobody can tell what was taken back: all of it, then.
  if (!undone) return by;
  const wanted = contentOf(after);
  const isIt = events.some((event) => inSameRun(event, undone) && contentOf(event.data) === wanted);
  return isIt ? by : undefined;
}

function contentOf(memory: Memory): string {
  return canonicalJson({ ...memory, updated_at: undefined });
}
