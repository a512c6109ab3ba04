import type { Cite } from './anchors/cite.ts';
import type { Classification, Status, Tier } from './lifecycle.ts';
import type { Relation } from './relation.ts';

/** A named project, person, tool or decision that a memory speaks of. */
export interface EntityLink {
  readonly kind: string;
  readonly name: string;
}

/**
 * One piece of knowledge. The keys are spelled as in front matter, log and JSON, so that one shape
 * serves all of them; a key that does not apply is absent. Times are ISO 8601 in UTC with
 * milliseconds. `project`, `agent` and `id` never change.
 */
export interface Memory {
  readonly id: string;
  readonly type: string;
  readonly tier: Tier;
  readonly status: Status;
  /** Why it has its status, when somebody or something changed it. */
  readonly status_reason?: string;
  readonly title?: string;
  readonly body: string;
  readonly tags: readonly string[];
  /** Files or folders the memory is about, with forward slashes. */
  readonly paths: readonly string[];
  readonly project: string;
  /** Whose drawer it lies in; absent = shared. */
  readonly agent?: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly classification: Classification;
  /** Who said it: owner, agent, tool, document, import or another word (then untrusted). */
  readonly source: string;
  /** How it came to be known: stated, inferred, observed or another word. */
  readonly observed: string;
  readonly session_id?: string;
  readonly speaker?: string;
  /** Position within its session, from 0. */
  readonly turn?: number;
  /** Days after `created_at` at which it stops holding; absent = never. */
  readonly ttl_days?: number;
  readonly valid_from?: string;
  readonly valid_to?: string;
  readonly supersedes?: string;
  readonly superseded_by?: string;
  /** `created_at` of the successor. */
  readonly superseded_at?: string;
  /** The ids that other systems know it by; each resolves like its own. */
  readonly external_ids: readonly string[];
  /** SHA-256 of evidence blobs. */
  readonly evidence: readonly string[];
  readonly entities: readonly EntityLink[];
  readonly relations: readonly Relation[];
  /** Places in the code of its project that it speaks of; absent = none. */
  readonly cites?: readonly Cite[];
  /** Free-form detail of the provenance. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A memory as an engine keeps it. */
export interface StoredMemory {
  readonly memory: Memory;
  /** Number of events that made it what it is, from 1. */
  readonly version: number;
  /** Ids of the events that nothing has followed yet; more than one after a concurrent edit. */
  readonly heads: readonly string[];
  /** o200k_base tokens of the block that recall renders for it; absent = not counted yet. */
  readonly tokens?: number;
  /** The front-matter block of its file as a person wrote it; absent = all of it is ours. */
  readonly front?: string;
}

const DAY_MS = 86_400_000;

/** The instant at which a memory stops holding, in milliseconds, or Infinity. */
export function endsAtMs(memory: Pick<Memory, 'created_at' | 'ttl_days' | 'valid_to'>): number {
  const byTtl =
    memory.ttl_days === undefined
      ? Infinity
      : Date.parse(memory.created_at) + memory.ttl_days * DAY_MS;
  const byInterval = memory.valid_to === undefined ? Infinity : Date.parse(memory.valid_to);
  return Math.min(byTtl, byInterval);
}

/** The instant from which a memory holds, in milliseconds; `valid_from` absent = always. */
export function startsAtMs(memory: Pick<Memory, 'valid_from'>): number {
  return memory.valid_from === undefined ? -Infinity : Date.parse(memory.valid_from);
}

/** A heading to show for a memory: its title, or the first line of its body, at most 80 characters. */
export function headline(memory: Pick<Memory, 'title' | 'body'>): string {
  const text = memory.title ?? memory.body.trimStart().split('\n', 1)[0] ?? '';
  const plain = text.replace(/^#+\s*/, '').trim();
  return plain.length > 80 ? `${[...plain].slice(0, 79).join('')}…` : plain;
}
