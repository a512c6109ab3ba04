import type { Memory } from '../../domain/memory.ts';
import { compareInSession, NO_TURN } from '../../domain/session.ts';
import { movedInSession, sameText } from '../shared/same-text.ts';
import type { Session } from './driver.ts';
import { list } from './parameters.ts';
import { heldOf, type Held } from './rows.ts';
import type { Touched } from './working-set.ts';

/** A stretch of one session in which the order or a text has changed. */
interface Stretch {
  readonly first: Memory;
  readonly last: Memory;
  /** As they are when the transaction is over, of those it changed; by id. */
  readonly after: Map<string, Memory>;
}

/** Whether the memory has to be indexed anew for what it says itself. */
export function changesText({ before, after }: Touched): boolean {
  if (!before || !after) return after !== undefined;
  const [was, is] = [before.stored.memory, after.stored.memory];
  return spaceKey(was) !== spaceKey(is) || !sameText(was, is);
}

/** A space is one project and drawer. */
export function spaceKey({ project, agent = '' }: Pick<Memory, 'project' | 'agent'>): string {
  return JSON.stringify([project, agent]);
}

/**
 * What stands before memories in their sessions, of all whose entry depends on what a transaction
 * changed: the first words of the memory before are part of an entry.
 * @returns by id: the memory and the one before it; of memories that were not touched, those whose
 *   context is another now
 */
export async function changedContexts(
  session: Session,
  touched: ReadonlyMap<string, Touched>,
): Promise<ReadonlyMap<string, Context>> {
  const stretches = stretchesOf(touched);
  const contexts = new Map<string, Context>();
  if (stretches.size === 0) return contexts;
  const around = await readAround(session, stretches);
  for (const [key, { first, after }] of stretches) {
    const were = around.get(key) ?? [];
    const held = new Map(were.map((one) => [one.stored.memory.id, one]));
    const old = were.map(({ stored }) => stored.memory).sort(compareInSession);
    const now = old.filter(({ id }) => !touched.has(id));
    now.push(...after.values());
    for (const memory of old) {
      const still = touched.get(memory.id)?.after?.stored.memory;
      const isSame = still && sessionKey(still) === key && !after.has(memory.id);
      if (isSame) now.push(still);
    }
    now.sort(compareInSession);
    const beforeThen = previousOf(old);
    const beforeNow = previousOf(now);
    for (const memory of now) {
      if (compareInSession(memory, first) < 0) continue;
      const [then, previous] = [beforeThen.get(memory.id), beforeNow.get(memory.id)];
      const changed = then?.id !== previous?.id || then?.body !== previous?.body;
      const own = held.get(memory.id);
      contexts.set(memory.id, { memory, previous, changed, ...(own && { held: own }) });
    }
  }
  return contexts;
}

export interface Context {
  readonly memory: Memory;
  readonly previous: Memory | undefined;
  /** Whether it is another than before. */
  readonly changed: boolean;
  /** As it was read. */
  readonly held?: Held;
}

function previousOf(ordered: readonly Memory[]): Map<string, Memory | undefined> {
  return new Map(ordered.map((memory, i) => [memory.id, ordered[i - 1]]));
}

function sessionKey(memory: Memory): string {
  return JSON.stringify([memory.project, memory.agent ?? '', memory.session_id]);
}

function stretchesOf(touched: ReadonlyMap<string, Touched>): Map<string, Stretch> {
  const stretches = new Map<string, Stretch>();
  const include = (memory: Memory | undefined, after?: Memory): void => {
    if (memory?.session_id === undefined) return;
    const key = sessionKey(memory);
    const known = stretches.get(key);
    const [first, last] = [known?.first ?? memory, known?.last ?? memory];
    const members = known?.after ?? new Map<string, Memory>();
    if (after) members.set(after.id, after);
    stretches.set(key, {
      first: compareInSession(memory, first) < 0 ? memory : first,
      last: compareInSession(memory, last) > 0 ? memory : last,
      after: members,
    });
  };
  for (const one of touched.values()) {
    const [was, is] = [one.before?.stored.memory, one.after?.stored.memory];
    if (was && is && !changesText(one) && !movedInSession(was, is)) continue;
    include(was);
    include(is, is);
  }
  return stretches;
}

function columnOf(memories: readonly Memory[], pick: (memory: Memory) => string | number): string {
  return list(memories.map(pick));
}

/** Of each stretch its memories, the one before it and the one after it. */
async function readAround(
  session: Session,
  stretches: ReadonlyMap<string, Stretch>,
): Promise<Map<string, Held[]>> {
  const keys = [...stretches.keys()];
  const ends = [...stretches.values()];
  const firsts = ends.map(({ first }) => first);
  const lasts = ends.map(({ last }) => last);
  const here = `m.project = q.project AND m.space = s.space
    AND left(m.session_id, 200) = left(q.session_id, 200) AND m.session_id = q.session_id`;
  const place = '(m.turn, m.created_at, m.id)';
  const first = '(q.first_turn, q.first_at, q.first_id)';
  const last = '(q.last_turn, q.last_at, q.last_id)';
  const rows = await session.query(
    `SELECT q.n, found.* FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[],
         $6::text[], $7::bigint[], $8::text[], $9::text[]) WITH ORDINALITY
       AS q (project, agent, session_id, first_turn, first_at, first_id, last_turn, last_at, last_id, n)
     JOIN spaces s ON s.project = q.project AND s.agent = q.agent
     CROSS JOIN LATERAL (
       (SELECT m.* FROM memories m WHERE ${here} AND ${place} < ${first}
        ORDER BY m.turn DESC, m.created_at DESC, m.id DESC LIMIT 1)
       UNION ALL
       (SELECT m.* FROM memories m WHERE ${here} AND ${place} >= ${first} AND ${place} <= ${last})
       UNION ALL
       (SELECT m.* FROM memories m WHERE ${here} AND ${place} > ${last}
        ORDER BY m.turn, m.created_at, m.id LIMIT 1)
     ) AS found`,
    [
      columnOf(firsts, ({ project }) => project),
      columnOf(firsts, ({ agent }) => agent ?? ''),
      columnOf(firsts, (memory) => memory.session_id as string),
      columnOf(firsts, ({ turn }) => turn ?? NO_TURN),
      columnOf(firsts, (memory) => memory.created_at),
      columnOf(firsts, ({ id }) => id),
      columnOf(lasts, ({ turn }) => turn ?? NO_TURN),
      columnOf(lasts, (memory) => memory.created_at),
      columnOf(lasts, ({ id }) => id),
    ],
  );
  const around = new Map<string, Held[]>();
  for (const row of rows) {
    const key = keys[Number(row['n']) - 1] as string;
    const known = around.get(key);
    if (known) known.push(heldOf(row));
    else around.set(key, [heldOf(row)]);
  }
  return around;
}
