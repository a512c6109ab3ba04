import type { Memory, StoredMemory } from '../../domain/memory.ts';
import type { Row } from './drivers/driver.ts';

/** The columns that `storedOf` reads. */
export const STORED_COLUMNS = 'data, version, heads, tokens, front';

/** A row of `memories` as the domain knows it. */
export function storedOf(row: Row): StoredMemory {
  const { tokens, front } = row;
  return {
    memory: JSON.parse(row['data'] as string) as Memory,
    version: Number(row['version']),
    heads: JSON.parse(row['heads'] as string) as string[],
    ...(tokens === null ? {} : { tokens: Number(tokens) }),
    ...(typeof front === 'string' ? { front } : {}),
  };
}
