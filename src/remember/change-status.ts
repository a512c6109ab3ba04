import { decideStatus, type TargetStatus } from '../domain/decide/change-status.ts';
import type { StatusChangeOptions } from '../domain/inputs.ts';
import { statusChangeOptions } from '../domain/options.ts';
import type { ChangeResult } from '../domain/results.ts';
import { toIso } from '../domain/time.ts';
import type { Deps } from '../ports/deps.ts';
import { currentView } from '../ports/scope.ts';
import { parseClean } from '../domain/parse-clean.ts';

const VERBS: Record<TargetStatus, string> = {
  archived: 'archive',
  active: 'restore',
  rejected: 'reject',
};

/** Archives, restores or rejects one memory, with its reason. */
export async function changeStatus(
  to: TargetStatus,
  options: StatusChangeOptions,
  deps: Deps,
): Promise<ChangeResult> {
  const { fields, redacted } = parseClean(statusChangeOptions, options, VERBS[to], deps.secrets);
  const { id, reason } = fields;
  const view = await currentView(deps);
  const { engine, clock } = deps;
  const context = { view, isolated: engine.isolated, now: toIso(clock.nowMs()) };
  const request = { id, to, ...(reason ? { reason } : {}) };
  // A draft that becomes active replaces what it said it would.
  const [target] = await engine.get([id], view);
  const { supersedes = id, superseded_by: successor = id } = target?.memory ?? {};
  const ids = [id, supersedes, successor];
  const { result } = await engine.commit(
    { ids, contentKeys: [], actor: deps.scope.actor },
    (state) => decideStatus(state, request, context),
  );
  return redacted.length > 0 ? { ...result, redacted } : result;
}
