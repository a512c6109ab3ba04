import { decideShare } from '../domain/decide/share.ts';
import type { Step } from '../domain/decide/steps.ts';
import { LociError } from '../domain/errors.ts';
import { contentKey, memoryId } from '../domain/identity.ts';
import { headline, type Memory } from '../domain/memory.ts';
import { parseInput } from '../domain/parse.ts';
import type { MigrateIsolationOptions, MigrateIsolationResult } from '../domain/sharing.ts';
import { migrateIsolationOptions } from '../domain/sharing-options.ts';
import { toIso } from '../domain/time.ts';
import { VIEW_ALL } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import type { Progress } from '../ports/log-life.ts';
import { carryOut } from './carry-out.ts';
import { selectAll } from './select-all.ts';

const REASON = 'set aside when agents began to be kept apart';
const SUFFIX_LENGTH = 4;

/**
 * Settles what becomes of the memories of a store whose agents are kept apart from now on. Every memory
 * lies in the drawer of the agent that it names, all others are shared; nothing is deleted.
 * @throws LociError unsupported where agents are not kept apart
 */
export async function migrateIsolation(
  options: MigrateIsolationOptions,
  deps: Deps,
  progress?: Progress,
): Promise<MigrateIsolationResult> {
  const parsed = parseInput(migrateIsolationOptions, options, 'migrate-isolation');
  const { strategy, dryRun = false } = parsed;
  if (!deps.engine.isolated) {
    throw new LociError(
      'unsupported',
      'agents are not kept apart in this store',
      'Open it with isolation per-agent.',
    );
  }
  const live: Memory[] = [];
  for await (const { memory, heads } of selectAll(
    VIEW_ALL,
    { statuses: ['active', 'draft'] },
    deps,
  )) {
    // What is derived from concurrent edits cannot be changed itself.
    if (heads.length > 0) live.push(memory);
  }
  const own = live.filter(({ agent }) => agent !== undefined);
  const counts = { private: own.length, shared: live.length - own.length };
  const nothing = { strategy, dry_run: dryRun, ...counts, archived: 0, copied: 0, run: null };
  if (strategy === 'fresh') {
    const done = dryRun
      ? undefined
      : await carryOut('migrate-isolation', live.map(asideStep), deps);
    const archived = done ? done.applied.length : live.length;
    return { ...nothing, archived, run: done?.run ?? null };
  }
  if (strategy === 'clone-to-shared') {
    return { ...nothing, copied: dryRun ? own.length : await cloneAll(own, deps, progress) };
  }
  return nothing;
}

function asideStep(before: Memory): Step {
  const after: Memory = { ...before, status: 'archived', status_reason: REASON };
  return { rule: 'set-aside', kind: 'memory.archived', reason: REASON, before, after };
}

/** @returns how many copies were made or brought up to date */
async function cloneAll(own: readonly Memory[], deps: Deps, progress?: Progress): Promise<number> {
  const { engine, clock, ids, scope } = deps;
  let copied = 0;
  for (const [i, memory] of own.entries()) {
    const { id, type, project, body, agent = '', created_at: createdAt } = memory;
    const suffix = ids.suffix(SUFFIX_LENGTH);
    const newId = memoryId({ type, createdAt, heading: headline(memory), suffix });
    const view = { projects: [project], agents: [agent] };
    const request = { ids: [id], contentKeys: [contentKey(project, '', body)], actor: scope.actor };
    const { result } = await engine.commit(request, (state) =>
      decideShare(state, { id, from: agent, body, newId }, { view, now: toIso(clock.nowMs()) }),
    );
    if (result.outcome === 'shared' || result.outcome === 'updated') copied += 1;
    progress?.(i + 1, own.length);
  }
  return copied;
}
