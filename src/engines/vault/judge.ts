import { isNativeId } from '../../domain/identity.ts';
import {
  DEFAULT_CLASSIFICATION,
  DEFAULT_CONFIDENCE,
  GLOBAL_PROJECT,
  isLive,
  typeRow,
} from '../../domain/lifecycle.ts';
import { headline, type Memory } from '../../domain/memory.ts';
import type { ParsedFile } from '../../domain/markdown/parse.ts';
import type { FileRecord } from './files-table.ts';
import type { MemoryEventKind } from '../../domain/event.ts';
import type { Folder } from './layout.ts';

/** What is to be done about one file; see `judge`. */
export type Verdict = 'clean' | 'write' | 'edit' | 'concurrent edit';

/**
 * F is what lies on disk, B what we last wrote or adopted, H what the head of the log renders to.
 * @param disk hash of F
 * @param record B
 * @param head hash of H
 * @param wasEarlier whether F equals an earlier snapshot; asked only when B is unknown
 */
export function judge(
  disk: string,
  record: FileRecord | undefined,
  head: string,
  wasEarlier: () => boolean,
): Verdict {
  if (disk === head) return 'clean';
  if (!record) return wasEarlier() ? 'write' : 'edit';
  if (disk === record.hash) return 'write';
  return record.hash === head ? 'edit' : 'concurrent edit';
}

/** Keys that a file cannot take from a memory by leaving them out, nor change. */
const FIXED = ['id', 'project', 'agent'] as const;
const OPTIONAL = [
  'status_reason',
  'title',
  'session_id',
  'speaker',
  'turn',
  'ttl_days',
  'valid_from',
  'valid_to',
  'supersedes',
  'superseded_by',
  'superseded_at',
  'cites',
  'details',
] as const;
const LISTS = ['tags', 'paths', 'external_ids', 'evidence', 'entities', 'relations'] as const;

/** A memory as a person left it: what stands in the file counts, what was deleted is gone. */
export function editedMemory(current: Memory, { fields, body }: ParsedFile, now: string): Memory {
  const next: Record<string, unknown> = { ...current };
  for (const key of OPTIONAL) delete next[key];
  for (const key of LISTS) next[key] = [];
  Object.assign(next, fields);
  for (const key of FIXED) {
    if (current[key] === undefined) delete next[key];
    else next[key] = current[key];
  }
  return { ...(next as unknown as Memory), body, updated_at: now };
}

/**
 * A memory whose file a person moved between what is current and the archive; undefined when that
 * says nothing new.
 */
export function movedMemory(
  memory: Memory,
  folder: Folder,
  now: string,
): { memory: Memory; kind: MemoryEventKind } | undefined {
  const { status_reason: _, ...kept } = memory;
  if (folder === 'ARCHIVE' && isLive(memory.status)) {
    const status_reason = 'moved by hand';
    const next: Memory = { ...kept, status: 'archived', status_reason, updated_at: now };
    return { memory: next, kind: 'memory.archived' };
  }
  if (folder === 'ARCHIVE' || memory.status !== 'archived') return undefined;
  return { memory: { ...kept, status: 'active', updated_at: now }, kind: 'memory.restored' };
}

export interface Adoption {
  readonly folder: Folder;
  /** Whose drawer it lies in; undefined = the shared one. */
  readonly agent: string | undefined;
  /** File name without its ending. */
  readonly name: string;
  readonly mtimeMs: number;
  readonly newId: (parts: { type: string; createdAt: string; heading: string }) => string;
}

/** A memory from a file that a person, or another program, put there. */
export function adoptedMemory({ fields, body }: ParsedFile, adoption: Adoption): Memory {
  const { folder, agent, name, newId } = adoption;
  const { agent: _, ...own } = fields;
  const type = fields.type ?? (folder === 'EPISODES' ? 'episode' : 'fact');
  const row = typeRow(type);
  const createdAt = fields.created_at ?? new Date(adoption.mtimeMs).toISOString();
  const named = [fields.id, name].find((id) => id !== undefined && isNativeId(id));
  const foreign = fields.id !== undefined && fields.id !== named ? [fields.id] : [];
  const ownTitle = name === named ? {} : { title: name };
  const title = fields.title === undefined ? ownTitle : { title: fields.title };
  const heading = headline({ title: title.title, body });
  const isHistory = folder === 'ARCHIVE' && isLive(fields.status ?? 'active');
  const ttl =
    row.ttlDays === null || fields.valid_to !== undefined ? {} : { ttl_days: row.ttlDays };
  return {
    tier: row.tier,
    status: 'active',
    confidence: DEFAULT_CONFIDENCE,
    classification: DEFAULT_CLASSIFICATION,
    source: 'owner',
    observed: 'stated',
    project: GLOBAL_PROJECT,
    tags: [],
    paths: [],
    evidence: [],
    entities: [],
    relations: [],
    ...(Object.keys(fields).length > 0 ? {} : ttl),
    ...own,
    ...(agent === undefined ? {} : { agent }),
    ...(isHistory ? { status: 'archived' as const } : {}),
    external_ids: [...(fields.external_ids ?? []), ...foreign],
    ...title,
    id: named ?? newId({ type, createdAt, heading }),
    type,
    body,
    created_at: createdAt,
    updated_at: fields.updated_at ?? createdAt,
  };
}
