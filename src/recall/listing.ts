import type { StoredMemory } from '../domain/memory.ts';
import type { Filter, View } from '../domain/view.ts';
import type { Engine } from '../ports/engine.ts';

const PAGE = 500;

/** The newest memories that a filter lets through. */
export async function newest(
  engine: Engine,
  view: View,
  filter: Filter,
  limit: number,
): Promise<readonly StoredMemory[]> {
  const order = { sort: 'created_at', descending: true } as const;
  return (await engine.select({ view, filter, ...order, limit })).rows;
}

/**
 * Memories whose text holds a string as it stands. For the few questions that have no word in
 * them (`%`, `->`): every memory is read.
 */
export async function holding(
  engine: Engine,
  request: { view: View; filter: Filter; text: string; limit: number },
): Promise<readonly StoredMemory[]> {
  const { view, filter, text, limit } = request;
  const wanted = text.normalize('NFC').toLowerCase();
  const found: StoredMemory[] = [];
  let after: { value: string; id: string } | undefined;
  for (;;) {
    const order = { sort: 'created_at', descending: true } as const;
    const cursor = after ? { after } : {};
    const { rows } = await engine.select({ view, filter, ...order, limit: PAGE, ...cursor });
    for (const stored of rows) {
      const { title = '', body } = stored.memory;
      if (`${title}\n${body}`.normalize('NFC').toLowerCase().includes(wanted)) found.push(stored);
      if (found.length === limit) return found;
    }
    const last = rows.at(-1)?.memory;
    if (rows.length < PAGE || !last) return found;
    after = { value: last.created_at, id: last.id };
  }
}
