import type { CommitState, Decision } from '../change.ts';
import { LociError } from '../errors.ts';
import { canonicalRelationType, type Edge } from '../relation.ts';
import type { View } from '../view.ts';
import { Working } from './working.ts';

/**
 * Takes one edge away; the log keeps that it was there. What it pointed to may be gone by now.
 * @throws LociError not_found without such an edge; conflict for a replacement, which is no mere edge
 */
export function decideUnrelate(
  state: CommitState,
  request: { source: string; type: string; target: string; reason?: string },
  context: { readonly view: View; readonly isolated: boolean; readonly now: string },
): Decision<readonly Edge[]> {
  const working = new Working(state, context.isolated);
  const source = working.require(request.source, context.view);
  const target = working.find(request.target, context.view, source)?.id ?? request.target;
  const type = canonicalRelationType(request.type);
  const isAsked = (edge: { type: string; target: string }): boolean =>
    edge.type === type && edge.target === target;
  const removed = source.relations.filter(isAsked);
  if (removed.length === 0) {
    throw new LociError(
      'not_found',
      `${source.id} has no edge ${type} to ${target}`,
      `Run: loci relations ${source.id}`,
    );
  }
  if (type === 'supersedes') {
    throw new LociError(
      'conflict',
      `${source.id} replaced ${target}, which is history by now`,
      `To go back to its text, remember it anew with --supersedes ${source.id}.`,
    );
  }
  const relations = source.relations.filter((edge) => !isAsked(edge));
  working.put({
    kind: 'memory.related',
    subject: source.id,
    data: { ...source, relations, updated_at: context.now },
    reason: request.reason ?? `no longer ${type} ${target}`,
  });
  return {
    changes: working.changes,
    result: removed.map((edge) => ({ source: source.id, ...edge })),
  };
}
