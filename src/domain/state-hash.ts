import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical.ts';
import type { Memory } from './memory.ts';
import type { StoreRecord } from './record.ts';

/** What a memory contributes to `state_hash`: its content, without the time of its last change. */
function stateLine(memory: Memory): string {
  return canonicalJson({ ...memory, updated_at: undefined });
}

/**
 * SHA-256 over the sorted canonical lines of everything that is current: memories and entities.
 * Equal contents have an equal hash on every engine, whatever order they arrived in.
 */
export function stateHash(
  memories: Iterable<Memory>,
  entities: Iterable<StoreRecord> = [],
): string {
  const hasher = new StateHasher();
  for (const memory of memories) hasher.add(memory);
  for (const entity of entities) hasher.addEntity(entity);
  return hasher.digest();
}

/** `stateHash` of memories that somebody goes through anyway. */
export class StateHasher {
  readonly #lines: string[] = [];

  add(memory: Memory): void {
    this.#lines.push(stateLine(memory));
  }

  addEntity(entity: StoreRecord): void {
    this.#lines.push(`entity ${canonicalJson(entity)}`);
  }

  digest(): string {
    const hash = createHash('sha256');
    for (const line of this.#lines.sort()) hash.update(line).update('\n');
    return hash.digest('hex');
  }
}
