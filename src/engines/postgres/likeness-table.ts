import { likenessKeysOf } from '../../domain/hygiene/likeness-keys.ts';
import { isLive } from '../../domain/lifecycle.ts';
import type { Memory, StoredMemory } from '../../domain/memory.ts';
import type { Session } from './driver.ts';
import { list } from './parameters.ts';
import type { Touched } from './working-set.ts';

/** The keys by which a memory is found to be alike: of living ones, and of none that no event stands for. */
export function keysOf({ memory, heads }: StoredMemory, isolated: boolean): readonly number[] {
  return isLive(memory.status) && heads.length > 0 ? likenessKeysOf(memory, isolated) : [];
}

/** Brings the keys of memories from what they were to what they are. */
export function writeLikeness(
  session: Session,
  touched: ReadonlyMap<string, Touched>,
  isolated: boolean,
): void {
  const gone: Memory[] = [];
  const rows: { readonly memory: Memory; readonly key: number }[] = [];
  for (const { before, after } of touched.values()) {
    if (before && after && hasSameKeys(before.stored, after.stored)) continue;
    if (before) gone.push(before.stored.memory);
    if (!after) continue;
    const { memory } = after.stored;
    for (const key of new Set(keysOf(after.stored, isolated))) rows.push({ memory, key });
  }
  if (gone.length > 0) {
    session.send(
      `DELETE FROM likeness l USING unnest($1::text[], $2::text[]) AS q (project, id)
       WHERE l.project = q.project AND l.id = q.id`,
      [list(gone.map(({ project }) => project)), list(gone.map(({ id }) => id))],
    );
  }
  if (rows.length === 0) return;
  session.call('put_likeness', [
    list(rows.map(({ memory }) => memory.project)),
    list(rows.map(({ memory }) => memory.id)),
    list(rows.map(({ key }) => key)),
    list(rows.map(({ memory }) => Date.parse(memory.created_at))),
  ]);
}

function hasSameKeys(a: StoredMemory, b: StoredMemory): boolean {
  return (
    a.heads.length > 0 === b.heads.length > 0 &&
    isLive(a.memory.status) === isLive(b.memory.status) &&
    a.memory.body === b.memory.body &&
    a.memory.project === b.memory.project &&
    a.memory.agent === b.memory.agent &&
    a.memory.created_at === b.memory.created_at
  );
}

/**
 * By key: the ids of the newest memories that share it, newest first.
 * @param most of each key
 */
export async function readAlike(
  session: Session,
  keys: readonly number[],
  most: number,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const alike = new Map<number, string[]>();
  if (keys.length === 0) return alike;
  const rows = await session.query('SELECT key, id FROM alike($1, $2)', [
    list(new Set(keys)),
    most,
  ]);
  for (const row of rows) {
    const key = Number(row['key']);
    const ids = alike.get(key);
    if (ids) ids.push(row['id'] as string);
    else alike.set(key, [row['id'] as string]);
  }
  return alike;
}
