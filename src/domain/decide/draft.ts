import type { Redaction } from '../hygiene/redaction.ts';
import type { Memory } from '../memory.ts';

/** The fields of a memory that a caller may give or change. */
export type Fields = Partial<
  Omit<
    Memory,
    | 'id'
    | 'project'
    | 'agent'
    | 'relations'
    | 'supersedes'
    | 'superseded_by'
    | 'superseded_at'
    | 'external_ids'
    | 'updated_at'
  >
>;

export interface RelationDraft {
  readonly type: string;
  /** Id or foreign id of the memory it points to. */
  readonly target: string;
  readonly confidence: number;
}

/** A memory to remember, checked and normalised by the gate. */
export interface Draft {
  /** Position in its batch, from 1; 0 = it came alone, and what is wrong with it is an error. */
  readonly line: number;
  readonly project: string;
  readonly agent?: string;
  /** An id that the caller gave: of a known memory, or for a new one. */
  readonly ref?: string;
  readonly externalId?: string;
  /** Id to use when it is new. */
  readonly newId: string;
  /** Only what the caller gave. */
  readonly given: Fields;
  /** What a new memory has where the caller gave nothing. */
  readonly defaults: Required<
    Pick<
      Memory,
      | 'type'
      | 'tier'
      | 'status'
      | 'confidence'
      | 'classification'
      | 'source'
      | 'observed'
      | 'created_at'
    >
  > & { readonly ttl_days?: number };
  readonly supersedes?: string;
  readonly relations: readonly RelationDraft[];
  /** Secrets that the gate took out. */
  readonly redacted: readonly Redaction[];
}
