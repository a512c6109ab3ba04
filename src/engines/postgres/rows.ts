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

/** Columns of `memories`, with their types and what stands in them. */
const COLUMNS: readonly (readonly [
  name: string,
  type: string,
  cell: (row: MemoryRow, memory: Memory, stamp: RowStamp) => Cell,
])[] = [
  ['project', 'text', (_, { project }) => project],
  ['id', 'text', (_, { id }) => id],
  ['space', 'integer', ({ place }) => place.space],
  ['doc', 'integer', ({ place }) => place.doc],
  ['sequence', 'bigint', ({ sequence }) => sequence],
  ['revision', 'bigint', (_row, _memory, { revision }) => revision],
  ['agent', 'text', (_, { agent }) => agent ?? ''],
  ['type', 'text', (_, { type }) => type],
  ['tier', 'text', (_, { tier }) => tier],
  ['status', 'text', (_, { status }) => status],
  ['confidence', 'float8', (_, { confidence }) => confidence],
  ['source', 'text', (_, { source }) => source],
  ['session_id', 'text', (_, memory) => memory.session_id ?? null],
  ['turn', 'bigint', (_, { turn }) => turn ?? NO_TURN],
  ['created_at', 'text', (_, memory) => memory.created_at],
  ['updated_at', 'text', (_, memory) => memory.updated_at],
  ['created_ms', 'float8', (_, memory) => Date.parse(memory.created_at)],
  ['starts_ms', 'float8', (_, memory) => finite(startsAtMs(memory))],
  ['ends_ms', 'float8', (_, memory) => finite(endsAtMs(memory))],
  [
    'superseded_ms',
    'float8',
    (_, { superseded_at: at }) => (at === undefined ? null : Date.parse(at)),
  ],
  ['tags', 'text', (_, { tags }) => list(tags)],
  ['external_keys', 'text', (_, memory) => externalKeys(memory)],
  ['content_key', 'text', (_, memory, { isolated }) => contentKeyOf(memory, isolated)],
  ['text_key', 'text', (_, memory) => passagesKey(passagesOf(memory))],
  ['length', 'integer', ({ place }) => place.length],
  ['version', 'integer', ({ stored }) => stored.version],
  ['heads', 'text', ({ stored }) => JSON.stringify(stored.heads)],
  ['tokens', 'integer', ({ stored }) => stored.tokens ?? null],
  ['front', 'text', ({ stored }) => stored.front ?? null],
  ['conflict_of', 'text', ({ conflictOf }) => conflictOf ?? null],
  ['data', 'text', (_, memory) => JSON.stringify(memory)],
];

const ARRAYS = new Set(['tags', 'external_keys']);

/** Inserts any number of rows; `cellsOf` gives its parameters. */
export const INSERT_MEMORIES = `
  INSERT INTO memories (${COLUMNS.map(([name]) => name).join(', ')})
  SELECT ${COLUMNS.map(([name]) => (ARRAYS.has(name) ? `${name}::text[]` : name)).join(', ')}
  FROM unnest(${COLUMNS.map(([, type], i) => `$${i + 1}::${type}[]`).join(', ')})
    AS row (${COLUMNS.map(([name]) => name).join(', ')})`;

export function cellsOf(rows: readonly MemoryRow[], stamp: RowStamp): string[] {
  return COLUMNS.map(([, , cell]) => list(rows.map((row) => cell(row, row.stored.memory, stamp))));
}

function externalKeys({ external_ids: ids }: Memory): string | null {
  return ids.length === 0 ? null : list(ids.map(externalKey));
}

function finite(instantMs: number): number | null {
  return Number.isFinite(instantMs) ? instantMs : null;
}
