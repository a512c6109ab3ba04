import { passagesKey, passagesOf } from '../../domain/embedding.ts';
import { sha256 } from '../../domain/hash.ts';
import { contentKeyOf } from '../../domain/identity.ts';
import { endsAtMs, startsAtMs, type Memory, type StoredMemory } from '../../domain/memory.ts';
import { NO_TURN } from '../../domain/session.ts';
import type { Row } from './driver.ts';
import { list } from './parameters.ts';

/** Where the postings know a memory. */
export interface Place {
  readonly space: number;
  /** Within the space. */
  readonly doc: number;
  readonly length: number;
}

/** A memory as the tables hold it. */
export interface Held {
  readonly stored: StoredMemory;
  readonly contentKey: string;
  /** For a conflict that is derived from concurrent edits: the memory it speaks of. */
  readonly conflictOf?: string;
  readonly place: Place;
  /** Grows with every text that is stored. */
  readonly sequence: number;
}

/** Of `memories m`: what a hit is made of. */
export const HIT_COLUMNS = [
  'id',
  'session_id',
  'length',
  'version',
  'heads',
  'tokens',
  'front',
  'data',
]
  .map((name) => `m.${name}`)
  .join(', ');

/** A row of `memories` as the domain knows it. */
export function storedOf(row: Row): StoredMemory {
  const { tokens, front } = row;
  return {
    memory: memoryOf(row),
    version: Number(row['version']),
    heads: JSON.parse(row['heads'] as string) as string[],
    ...(tokens === null ? {} : { tokens: Number(tokens) }),
    ...(typeof front === 'string' ? { front } : {}),
  };
}

export function memoryOf(row: Row): Memory {
  return JSON.parse(row['data'] as string) as Memory;
}

export function heldOf(row: Row): Held {
  return {
    stored: storedOf(row),
    contentKey: row['content_key'] as string,
    ...(row['conflict_of'] === null ? {} : { conflictOf: row['conflict_of'] as string }),
    place: {
      space: Number(row['space']),
      doc: Number(row['doc']),
      length: Number(row['length']),
    },
    sequence: Number(row['sequence']),
  };
}

/** What the index of foreign ids knows one by: they may be of any length. */
export function externalKey(externalId: string): string {
  return sha256(externalId).slice(0, 32);
}

export interface MemoryRow {
  readonly stored: StoredMemory;
  readonly place: Place;
  readonly sequence: number;
  readonly conflictOf: string | undefined;
}

/** What all rows of one transaction have in common. */
export interface RowStamp {
  readonly isolated: boolean;
  readonly revision: number;
}

type Cell = string | number | null;

type CellOf = (row: MemoryRow, memory: Memory, stamp: RowStamp) => Cell;

/** What stands in the columns of `memories`, in the order in which `put_memories` takes them. */
const CELLS: Readonly<Record<string, CellOf>> = {
  project: (_, { project }) => project,
  id: (_, { id }) => id,
  space: ({ place }) => place.space,
  doc: ({ place }) => place.doc,
  sequence: ({ sequence }) => sequence,
  revision: (_row, _memory, { revision }) => revision,
  agent: (_, { agent }) => agent ?? '',
  type: (_, { type }) => type,
  tier: (_, { tier }) => tier,
  status: (_, { status }) => status,
  confidence: (_, { confidence }) => confidence,
  source: (_, { source }) => source,
  session_id: (_, memory) => memory.session_id ?? null,
  turn: (_, { turn }) => turn ?? NO_TURN,
  created_at: (_, memory) => memory.created_at,
  updated_at: (_, memory) => memory.updated_at,
  created_ms: (_, memory) => Date.parse(memory.created_at),
  starts_ms: (_, memory) => finite(startsAtMs(memory)),
  ends_ms: (_, memory) => finite(endsAtMs(memory)),
  superseded_ms: (_, { superseded_at: at }) => (at === undefined ? null : Date.parse(at)),
  tags: (_, { tags }) => list(tags),
  external_keys: (_, memory) => externalKeys(memory),
  content_key: (_, memory, { isolated }) => contentKeyOf(memory, isolated),
  text_key: (_, memory) => passagesKey(passagesOf(memory)),
  length: ({ place }) => place.length,
  version: ({ stored }) => stored.version,
  heads: ({ stored }) => JSON.stringify(stored.heads),
  tokens: ({ stored }) => stored.tokens ?? null,
  front: ({ stored }) => stored.front ?? null,
  conflict_of: ({ conflictOf }) => conflictOf ?? null,
  data: (_, memory) => JSON.stringify(memory),
};

/** Parameters of `put_memories` for any number of rows. */
export function cellsOf(rows: readonly MemoryRow[], stamp: RowStamp): string[] {
  return Object.values(CELLS).map((cellOf) =>
    list(rows.map((row) => cellOf(row, row.stored.memory, stamp))),
  );
}

function externalKeys({ external_ids: ids }: Memory): string | null {
  return ids.length === 0 ? null : list(ids.map(externalKey));
}

function finite(instantMs: number): number | null {
  return Number.isFinite(instantMs) ? instantMs : null;
}
