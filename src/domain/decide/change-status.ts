import type { CommitState, Decision } from '../change.ts';
import { LociError } from '../errors.ts';
import type { MemoryEventKind } from '../event.ts';
import { isLive, type Status } from '../lifecycle.ts';
import type { Memory } from '../memory.ts';
import type { ChangeResult } from '../results.ts';
import type { View } from '../view.ts';
import { keepWord } from './relate.ts';
import { Working } from './working.ts';

export type TargetStatus = 'archived' | 'active' | 'rejected';

const KINDS: Record<TargetStatus, MemoryEventKind> = {
  archived: 'memory.archived',
  active: 'memory.restored',
  rejected: 'memory.rejected',
};
const OUTCOMES = { archived: 'archived', active: 'restored', rejected: 'rejected' } as const;

/** Archives, restores or rejects a memory; the same again changes nothing. */
export function decideStatus(
  state: CommitState,
  request: { id: string; to: TargetStatus; reason?: string },
  context: { view: View; isolated: boolean; now: string },
): Decision<ChangeResult> {
  const working = new Working(state, context.isolated);
  const memory = working.require(request.id, context.view);
  const version = working.stored(memory.id)?.version ?? 1;
  if (memory.status === request.to) {
    return { changes: [], result: { id: memory.id, version, outcome: 'unchanged' } };
  }
  refuseRevival(working, memory, request.to, context.view);
  const data: Memory = {
    ...without(memory, 'status_reason'),
    status: request.to satisfies Status,
    ...(request.reason ? { status_reason: request.reason } : {}),
    updated_at: context.now,
  };
  working.requireFreeContent(data);
  const reason = request.reason ? { reason: request.reason } : {};
  working.put({ kind: KINDS[request.to], subject: memory.id, data, ...reason });
  if (memory.status === 'draft') keepWord(working, memory.id, context);
  return {
    changes: working.changes,
    result: { id: memory.id, version: version + 1, outcome: OUTCOMES[request.to] },
  };
}

/**
 * History that was replaced cannot simply become current again, also not by way of the archive:
 * that would make two truths.
 * @throws LociError conflict
 */
export function refuseRevival(working: Working, memory: Memory, to: Status, view: View): void {
  const { superseded_by } = memory;
  const replaced = memory.status === 'superseded' || superseded_by !== undefined;
  if (!replaced || !isLive(to)) return;
  const successor = superseded_by === undefined ? undefined : working.find(superseded_by, view);
  throw new LociError(
    'conflict',
    `${memory.id} was superseded by ${successor?.id ?? 'another memory'}`,
    'Remember its text anew with --supersedes and the id of the successor.',
  );
}

function without<K extends keyof Memory>(memory: Memory, key: K): Omit<Memory, K> {
  const { [key]: _dropped, ...rest } = memory;
  return rest;
}
