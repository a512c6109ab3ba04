import { isTrusted } from '../domain/lifecycle.ts';
import { endsAtMs, type StoredMemory } from '../domain/memory.ts';
import type { Edge } from '../domain/relation.ts';
import type { RecalledMemory, Signal } from '../domain/results.ts';
import type { Anchors } from '../ports/anchors.ts';
import { anchorSignals } from './anchors.ts';

export interface Showing {
  readonly nowMs: number;
  readonly edges: readonly Edge[];
  /** How the code stands that memories cite; absent = it was not looked at. */
  readonly anchors?: Anchors | undefined;
  /** Whether the reader sees the memory of an id. */
  readonly sees: (id: string) => boolean;
}

/** A memory as recall and search hand it out. */
export function shown(
  { memory, heads }: StoredMemory,
  score: number,
  { nowMs, edges, anchors, sees }: Showing,
): RecalledMemory {
  return {
    id: memory.id,
    type: memory.type,
    tier: memory.tier,
    status: memory.status,
    project: memory.project,
    agent: memory.agent ?? null,
    title: memory.title ?? null,
    body: memory.body,
    ...(memory.speaker === undefined ? {} : { speaker: memory.speaker }),
    tags: memory.tags,
    score: Math.round(score * 10_000) / 10_000,
    created_at: memory.created_at,
    updated_at: memory.updated_at,
    signals: [
      ...signalsOf({ memory, heads }, { nowMs, edges, sees }),
      ...anchorSignals(memory, anchors),
    ],
  };
}

/** What a reader must know before relying on a memory. */
function signalsOf(
  { memory, heads }: Pick<StoredMemory, 'memory' | 'heads'>,
  { nowMs, edges, sees }: Showing,
): Signal[] {
  const signals: Signal[] = [];
  const { superseded_by, status, source } = memory;
  if (superseded_by !== undefined) {
    signals.push(
      sees(superseded_by)
        ? { kind: 'superseded_by', id: superseded_by, message: `superseded by ${superseded_by}` }
        : { kind: 'superseded_by', message: 'superseded in another project' },
    );
  }
  const ends = endsAtMs(memory);
  if (ends <= nowMs) {
    const message = `expired on ${new Date(ends).toISOString().slice(0, 10)}`;
    signals.push({ kind: 'expired', message });
  }
  if (status === 'draft') signals.push({ kind: 'draft', message: 'draft, not reviewed' });
  if (!isTrusted(source)) {
    signals.push({ kind: 'untrusted', message: `from ${source}, not vouched for` });
  }
  if (heads.length > 1) {
    signals.push({ kind: 'conflict', message: 'changed in two places at once' });
  }
  for (const { source: from, type, target } of edges) {
    if (type === 'evolved_into' && from === memory.id) {
      signals.push({ kind: 'evolved_into', id: target, message: `evolved into ${target}` });
    }
    if (type !== 'contradicts' || (from !== memory.id && target !== memory.id)) continue;
    const other = from === memory.id ? target : from;
    signals.push({ kind: 'contradicts', id: other, message: `contradicts ${other}` });
  }
  return signals;
}
