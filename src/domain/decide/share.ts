import { canonicalJson } from '../canonical.ts';
import type { CommitState, Decision } from '../change.ts';
import { LociError } from '../errors.ts';
import { isLive } from '../lifecycle.ts';
import type { Memory } from '../memory.ts';
import { sharedFrom, type ShareResult, type UnshareResult } from '../sharing.ts';
import type { View } from '../view.ts';
import { rejectionOf, Working } from './working.ts';

export interface ShareRequest {
  readonly id: string;
  readonly from: string;
  /** Its text when it was looked at: the commit was told who holds it. */
  readonly body: string;
  /** Id for a new copy. */
  readonly newId: string;
}

interface ShareContext {
  /** The drawer it is taken from, or the shared one for `unshare`. */
  readonly view: View;
  readonly now: string;
}

/**
 * Puts a copy of a private memory into the shared drawer, or brings the copy up to it. Edges stay
 * behind: they name what others may not see.
 * @throws LociError not_found; conflict for one that is not current, or whose text was rejected there
 */
export function decideShare(
  state: CommitState,
  request: ShareRequest,
  { view, now }: ShareContext,
): Decision<ShareResult> {
  const working = new Working(state, true);
  const memory = working.require(request.id, view);
  if (memory.body !== request.body) {
    throw new LociError('busy', `${memory.id} was changed just now`, 'Try again.');
  }
  if (!isLive(memory.status)) {
    throw new LociError(
      'conflict',
      `${memory.id} is ${memory.status}`,
      'Share the memory that took its place, or restore it first.',
    );
  }
  const known = working
    .externals(memory.id)
    .find((other) => other.project === memory.project && sharedFrom(other)?.id === memory.id);
  const copy = copyOf(memory, known?.id ?? request.newId, request.from, now);
  const holders = working.holders(working.key(copy), copy.id);
  const twin = holders.find(({ status }) => isLive(status));
  if (twin) {
    return { changes: [], result: { id: twin.id, of: memory.id, outcome: 'merged' } };
  }
  const rejected = holders.find(({ status }) => status === 'rejected');
  if (rejected) throw new LociError('conflict', rejectionOf(rejected));
  const result = { id: copy.id, of: memory.id };
  if (known && canonicalJson({ ...known, updated_at: now }) === canonicalJson(copy)) {
    return { changes: [], result: { ...result, outcome: 'unchanged' } };
  }
  const kind = known ? 'memory.updated' : 'memory.stored';
  working.put({ kind, subject: copy.id, data: copy, reason: `shared by ${request.from}` });
  return { changes: working.changes, result: { ...result, outcome: known ? 'updated' : 'shared' } };
}

function copyOf(memory: Memory, id: string, from: string, now: string): Memory {
  const { agent: _, supersedes: __, superseded_by: ___, superseded_at: ____, ...kept } = memory;
  return {
    ...kept,
    id,
    relations: [],
    external_ids: [memory.id],
    details: { ...memory.details, shared_from: { agent: from, id: memory.id } },
    updated_at: now,
  };
}

/**
 * Takes a copy out of the shared drawer; what it was made from stays.
 * @throws LociError not_found
 */
export function decideUnshare(
  state: CommitState,
  id: string,
  { view, now }: ShareContext,
): Decision<UnshareResult> {
  const working = new Working(state, true);
  const copy = working.require(id, view);
  if (!sharedFrom(copy)) {
    throw new LociError(
      'invalid_input',
      `${copy.id} was not shared from a drawer`,
      `Archive it instead: loci archive ${copy.id}`,
    );
  }
  if (!isLive(copy.status)) {
    return { changes: [], result: { id: copy.id, outcome: 'unchanged' } };
  }
  const data: Memory = { ...copy, status: 'archived', status_reason: 'unshared', updated_at: now };
  working.put({ kind: 'memory.archived', subject: copy.id, data, reason: 'unshared' });
  return { changes: working.changes, result: { id: copy.id, outcome: 'unshared' } };
}
